// Spreading: every agent keeps to a line of its own beside the route that all follow.
//
// A field leads all agents of a destination along the same line, the shortest. An agent that
// spreads walks parallel to it, displaced by a share of the free width there that never changes:
// from -1, the right edge, to 1, the left one. At x with direction g and its left n, its line is
// displaced by k u R from the route's point q = x - k u R n, and R, the room of the route at q,
// solves
//
//     R = gap(q) - margin,   0 <= R <= the largest room
//
// A gap grows by at most the distance walked, and |k u| < 1, so there is one root. At a door R goes
// to 0 by itself, and no wall lies between x and q. The agent takes the direction of the field at
// q, aimed at where its line leads a few metres on. In a queue, below half its speed, it heads
// straight on: u fades. Where q belongs to another route (a watershed between two), it follows g.
//
// An agent looks for its line every HEADWAY_LOOK, a new one at once, and remembers the turn from
// its route onto it (agents.h: turn). In between it keeps the turn, while the route may bend. An
// agent that could reach a wall before it looks again looks in every step.
//
// docs/walking.md gives the source of the values. Only + - * / and the square root of floats: the
// same bits on every machine.
#pragma once
#include "agents.h"
#include "field_kernel.h"
#include "spreading_side_kernel.h"
#include "world.h"
#include "zones_kernel.h"

#define SPREADING_AHEAD    4.0f      // m, how far ahead the line is aimed at
#define SPREADING_BEND     0.7f      // least cosine between the directions at x and q
#define SPREADING_TURN     0.5f      // least cosine between the aim and the direction at q
#define SPREADING_UNIT     8192.0f   // of the cosine and the sine of a turn
#define SPREADING_STRAIGHT (1 << 30) // no turn: cosine 1, sine 0
#define SPREADING_TRIALS   5         // of a room
#define SPREADING_NARROWS  0.3f      // the room is at most this share of the way that is left
#define SPREADING_FAR      (SPREADING_ROOM / SPREADING_NARROWS) // m: more of the way changes nothing

struct spreading_grid { // the navigation grid in metres
  const struct nav_grid *g;
  float per_quantum;   // cells
  float quanta;        // of a metre
  float cell;          // m
  float per_metre;     // cells
  float half_diagonal; // m, of a cell
  float rounding;      // m: allowed for the error of the gap map
};

struct spreading_place { // an agent on the grid
  const struct spreading_grid *grid;
  float x, y;   // cells, from the corner of the grid
  float margin; // m
};

struct spreading_line { // that an agent keeps to
  struct spreading_place place;
  float u;      // its side, > 0: left; times the share
  float dx, dy; // m: from the agent to the point q of the route
  float most;   // m, the largest room here
  float ahead;  // m, how far ahead to aim
};

INLINE float spreading_least(float a, float b)
{
  return a < b ? a : b;
}

INLINE float spreading_most(float a, float b)
{
  return a > b ? a : b;
}

// Its place in the gap map, -1 outside. dx, dy: m, from the agent.
INLINE int64_t spreading_gap_index(const struct spreading_place *p, float dx, float dy)
{
  const struct nav_grid *g = p->grid->g;
  const float per_metre = p->grid->per_metre;
  const float x = p->x + per_metre * dx, y = p->y + per_metre * dy;
  if (!(x >= 0.0f && y >= 0.0f && x < (float)g->columns && y < (float)g->rows))
    return -1;
  return nav_grid_cell(g, (uint32_t)x, (uint32_t)y);
}

// The gap at an offset from the agent, m; 0 outside the grid.
INLINE float spreading_gap(const struct spreading_place *p, float dx, float dy)
{
  const int64_t at = spreading_gap_index(p, dx, dy);
  return at < 0 ? 0.0f : (float)p->grid->g->gap[at] * (1.0f / NAV_GRID_GAPS_PER_METRE);
}

INLINE struct spreading_grid spreading_grid_of(const struct world *w)
{
  const struct nav_grid *g = &w->nav_grid;
  const float cell = (float)g->cell * frame_quantum(&w->frame);
  struct spreading_grid s;
  s.g = g;
  s.per_quantum = 1.0f / (float)g->cell;
  s.quanta = 1.0f / frame_quantum(&w->frame);
  s.cell = cell;
  s.per_metre = 1.0f / cell;
  s.half_diagonal = 0.7072f * cell;
  s.rounding = 0.5f * cell + 1.0f / NAV_GRID_GAPS_PER_METRE;
  return s;
}

INLINE struct spreading_place spreading_place_of(const struct spreading_grid *grid,
                                                 const struct agents *a, int64_t i)
{
  const struct point origin = grid->g->origin;
  struct spreading_place p;
  p.grid = grid;
  p.x = (float)((int64_t)a->x[i] - origin.x) * grid->per_quantum;
  p.y = (float)((int64_t)a->y[i] - origin.y) * grid->per_quantum;
  p.margin = spreading_most(spreading_margin(a->radius[i]), grid->half_diagonal);
  return p;
}

// What is left at q of the room that the agent assumes there, m; < 0: it assumes too much. The gap
// map has the gaps of centres of cells, rounded down: as much is forgiven, but no wall may lie
// between the agent and q.
INLINE float spreading_rest_of_room(const struct spreading_place *p, float x, float y, float u,
                                    float room)
{
  const float gap = spreading_gap(p, u * room * y, -u * room * x);
  const float between = u < 0.0f ? -u * room : u * room;
  return spreading_least(gap - p->margin + p->grid->rounding - room,
                         gap - p->grid->half_diagonal - between);
}

// The room R of the route that passes the agent: (x, y) is its unit direction, u as in struct
// spreading_line. What is left of R falls by 1 - |u| to 1 + |u| per metre of R: one trial brackets
// the root, and the first trial from below leads to it, exactly so if q is between straight walls.
HOST_DEVICE float spreading_room(const struct spreading_place *p, float x, float y, float u,
                                 float most)
{
  const float here = spreading_gap(p, 0.0f, 0.0f) - p->margin;
  if (!(here > 0.0f && most > 0.0f))
    return 0.0f;
  const float size = u < 0.0f ? -u : u, fastest = 1.0f / (1.0f + size);
  const float slowest = 1.0f / (1.0f - size), least = spreading_least(here * fastest, most);
  float low = least, high = spreading_least((here + p->grid->rounding) * slowest, most),
        room = high;
  for (int k = 0; k < SPREADING_TRIALS; k++) {
    const float rest = spreading_rest_of_room(p, x, y, u, room);
    if (rest >= 0.0f)
      return spreading_least(room + rest * fastest, high);
    const float lower = room + rest * slowest;
    high = room + rest * fastest;
    low = low > lower ? low : lower;
    if (!(low < high)) // the map's rounding
      return least;
    room = 0.5f * (low + high);
  }
  return least;
}

// Is the destination so far away that the rest of the way is more than SPREADING_FAR? Then its time
// need not be read. A metre takes at least 1 / ZONE_SPEED_MAX of the time at the preferred speed.
INLINE bool spreading_far(const struct spreading_grid *grid, const struct field *f, struct point at,
                          float slow)
{
  const float far = SPREADING_FAR * (float)ZONE_SPEED_MAX / slow * grid->quanta;
  const struct box b = *f->destination_box;
  const float left = (float)((int64_t)b.lo.x - at.x), right = (float)((int64_t)at.x - b.hi.x);
  const float below = (float)((int64_t)b.lo.y - at.y), above = (float)((int64_t)at.y - b.hi.y);
  return left > far || right > far || below > far || above > far;
}

INLINE float spreading_metres(float cells, float slow, const struct spreading_grid *grid)
{
  return cells * slow * grid->cell;
}

// The rest of the way, m, at most SPREADING_FAR: the agent would circle around a small destination
// with a line displaced by more than that. What slows it down in its zone counts in the field, but
// not here.
INLINE float spreading_rest(const struct spreading_place *p, const struct field *f, struct point at,
                            float slow)
{
  const float x = p->x, y = p->y;
  if (spreading_far(p->grid, f, at, slow))
    return SPREADING_FAR;
  const struct nav_grid *g = p->grid->g;
  if (!(x >= 0.0f && y >= 0.0f && x < (float)g->columns && y < (float)g->rows))
    return 0.0f;
  const int64_t cell = nav_grid_cell(g, (uint32_t)x, (uint32_t)y);
  if ((f->cells[cell].flags & FIELD_FAR) &&
      spreading_metres(FIELD_FAR_CELLS, slow, p->grid) >= SPREADING_FAR)
    return SPREADING_FAR;
  const float cells = (float)field_time_of(f, cell) * (1.0f / FIELD_UNIT);
  return spreading_least(spreading_metres(cells, slow, p->grid), SPREADING_FAR);
}

// The agent's own line beside the route. False: it follows the route itself.
INLINE bool spreading_line_find(const struct world *w, const struct spreading_grid *grid,
                                const struct navigation_input *in, const struct agents *a,
                                int64_t i, struct spreading_line *l)
{
  const struct point at = {a->x[i], a->y[i]};
  const float x = a->facing_x[i], y = a->facing_y[i];
  const float share = SPREADING_SHARE * in->spread[a->profile[i]];
  if (share == 0.0f || a->yield[i] == 0.0f || agent_destination(a, i) < 0 || !w->nav_grid.gap ||
      (x == 0.0f && y == 0.0f))
    return false;
  const float slow = zones_speed_at(&w->zones, at);
  const float fade = share * spreading_fade(a, i, slow * a->speed[i]);
  if (fade == 0.0f)
    return false;
  l->place = spreading_place_of(grid, a, i);
  const float rest = spreading_rest(
      &l->place, world_field_of(w, agent_destination(a, i), agents_party(a, i)), at, slow);
  l->most = spreading_least(SPREADING_NARROWS * rest, SPREADING_ROOM);
  l->ahead = spreading_least(0.5f * rest, SPREADING_AHEAD);
  l->u = fade * spreading_side(in, a, i);
  const float aside = l->u * spreading_room(&l->place, x, y, l->u, l->most);
  l->dx = aside * y;
  l->dy = -aside * x;
  return aside != 0.0f;
}

// Where the line leads from: quanta.
INLINE struct point spreading_route_point(const struct agents *a, int64_t i,
                                          const struct spreading_line *l)
{
  const float quanta = l->place.grid->quanta;
  const struct point q = {a->x[i] + (int32_t)(l->dx * quanta), a->y[i] + (int32_t)(l->dy * quanta)};
  return q;
}

// A turn by an angle, in one number that is never 0: cosine and sine, and whether a wall is so near
// that the agent must look again in the next step.
INLINE int32_t spreading_turn_of(float cosine, float sine, bool near_wall)
{
  const int32_t c = (int32_t)(cosine * SPREADING_UNIT), s = (int32_t)(sine * SPREADING_UNIT);
  return (int32_t)((uint32_t)c << 17 | (uint32_t)near_wall << 16 | ((uint32_t)s & 0xffffu));
}

// Agents without a destination walk straight to their goal. Without branches, for loops of lanes.
INLINE void spreading_turn_apply(struct agents *a, int64_t i)
{
  const int32_t turn = a->turn[i], s = (int32_t)((uint32_t)turn << 16) >> 16;
  const float cosine = (float)(turn >> 17), sine = (float)s;
  const float x = cosine * a->facing_x[i] - sine * a->facing_y[i];
  const float y = sine * a->facing_x[i] + cosine * a->facing_y[i];
  const float size = sqrtf(x * x + y * y);
  const float along_x = a->prefer_x[i], along_y = a->prefer_y[i]; // the route
  const bool turns = (s != 0) & (agent_destination(a, i) >= 0) & (size > 0.0f);
  const float scale = a->speed[i] / (turns ? size : 1.0f);
  a->prefer_x[i] = turns ? scale * x : along_x;
  a->prefer_y[i] = turns ? scale * y : along_y;
}

INLINE bool spreading_looks(const struct navigation_input *in, const struct agents *a, int64_t i)
{
  return in->all_look || a->turn[i] == 0 || (a->turn[i] >> 16 & 1) != 0;
}

// Remembers the turn from the route onto the line.
HOST_DEVICE void spreading_line_follow(const struct world *w, const struct navigation_input *in,
                                       struct agents *a, int64_t i, const struct spreading_line *l)
{
  const struct point q = spreading_route_point(a, i, l);
  const float fx = a->facing_x[i], fy = a->facing_y[i];
  float x, y;
  field_direction(world_field_of(w, agent_destination(a, i), agents_party(a, i)), q, &x, &y);
  if (x * fx + y * fy < SPREADING_BEND)
    return;
  const float bx = l->dx + l->ahead * x, by = l->dy + l->ahead * y; // of the route
  const float gap = spreading_gap(&l->place, bx, by) - l->place.margin;
  const float aside = l->u * (gap > 0.0f ? gap < l->most ? gap : l->most : 0.0f);
  const float ax = bx - aside * y, ay = by + aside * x, length = sqrtf(ax * ax + ay * ay);
  if (ax * x + ay * y > SPREADING_TURN * length) {
    x = ax / length;
    y = ay / length;
  }
  const float walks = a->speed[i] * in->dt * (float)in->look_period + l->place.grid->half_diagonal;
  const bool near_wall = spreading_gap(&l->place, 0.0f, 0.0f) < walks;
  a->turn[i] = spreading_turn_of(fx * x + fy * y, fx * y - fy * x, near_wall);
}

// After the preferred velocity and the facing of the agent, which stays that of the route.
INLINE void spread_by_field(const struct world *w, const struct navigation_input *in,
                            struct agents *a, int64_t i)
{
  struct spreading_line line;
  if (spreading_looks(in, a, i)) {
    const struct spreading_grid grid = spreading_grid_of(w);
    a->turn[i] = SPREADING_STRAIGHT;
    if (spreading_line_find(w, &grid, in, a, i, &line))
      spreading_line_follow(w, in, a, i, &line);
  }
  spreading_turn_apply(a, i);
}
