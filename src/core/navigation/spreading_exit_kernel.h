// The exit in sight: everybody enters it at a place of their own.
//
// On open ground, a field leads everybody from the side of an exit to its nearest corner. Real
// people who see an exit use its width.
//
// An agent with EXIT_OPEN of free ground around it sees the nearest area of its destination, at
// most EXIT_FAR away and not FIELD_FAR. n is the nearest point of its outline. The edge is what the
// agent sees of that outline: from n to both sides, up to where it turns away, at most EXIT_ARM.
//
//     from the side (n is a corner): the agent heads for its own place, at a share of the length of
//         the edge that never changes (spreading_sides). As long as it walks, it keeps a heading
//         that leads to the edge, at least EXIT_KEEP as far from n as its place. Where its way is
//         not free, it tries the places half as far from n, and a quarter.
//     in front: the agent keeps its last turn if that leads to the edge, so that people who walk
//         side by side do not cross each other's paths.
//
// A way is free if it keeps EXIT_CLEAR from walls and nowhere leads against the field, as it would
// in zones that routes avoid or cross in one direction only. Else the route leads the agent, as it
// does where it does not lead straight to n: round a zone that slows people down, or a crowd.
#pragma once
#include "obstacles_nearest_kernel.h"
#include "spreading_kernel.h"

#define EXIT_FAR    40.0f // m
#define EXIT_OPEN   3.0f  // m, to walls
#define EXIT_ARM    20.0f // m
#define EXIT_WALLS  32    // of the outline, on each side
#define EXIT_CORNER 0.87f // cosine: an outline that turns by less has no corner
#define EXIT_KEEP   0.9f  // of the displacement of the place
#define EXIT_MOVES  0.5f  // of the free speed: who is slower has no heading
#define EXIT_TRIALS 3     // of places, each half as far from n
#define EXIT_CLEAR  0.6f  // m, to walls on the way
#define EXIT_STRIDE 0.5f  // m, the shortest step along a way
#define EXIT_LEAP   3.0f  // m, the longest one
#define EXIT_STEPS  24    // along it
#define EXIT_LAST   1.0f  // m: the end of a way to a place, which may lie beside a jamb
#define EXIT_ROUTE  0.94f // least cosine between the route and the way to n, else it leads elsewhere
#define EXIT_LONGER 1.3f  // most effort of the route per metre to n: more leads round something
#define EXIT_TURN   0.2f  // least cosine between the route and the way to the exit

struct exit_vector {
  float x, y; // m
};

struct exit_viewer { // one of LANES agents
  const struct spreading_grid *grid;
  const struct field *field;
  int64_t cell; // of the grid
  struct point at;
  float x, y;                 // cells, from the corner of the grid
  struct exit_vector facing;  // unit: direction of the route
  struct exit_vector last;    // that of the last turn, of any length
  struct exit_vector heading; // its velocity, m/s
  float free_speed;           // m/s
  float side, spread; // of its place in the edge: [-1, 1), > 0: left; share of the way from n
};

INLINE float exit_det(struct exit_vector a, struct exit_vector b)
{
  return a.x * b.y - a.y * b.x;
}

INLINE float exit_dot(struct exit_vector a, struct exit_vector b)
{
  return a.x * b.x + a.y * b.y;
}

INLINE struct exit_vector exit_between(struct exit_vector a, struct exit_vector b, float t)
{
  return (struct exit_vector){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

INLINE struct exit_vector exit_relative(const struct exit_viewer *e, struct point p)
{
  const float quantum = 1.0f / e->grid->quanta;
  return (struct exit_vector){quantum * (float)((int64_t)p.x - e->at.x),
                              quantum * (float)((int64_t)p.y - e->at.y)};
}

// ------------------------------------------------------------------------------------ the edge

struct exit_edge {
  const struct obstacles *outlines;
  int64_t wall;         // of the outlines, nearest to the agent
  struct exit_vector n; // its nearest point
  bool corner;          // n is one
};

struct exit_arm { // a part of the edge that begins in n
  struct exit_vector end;
  float length; // m
};

// The wall of the outline after wall k (step 1) or before it (-1). -1 if there is none, or if the
// outline is too long to search.
INLINE int64_t exit_wall_beside(const struct obstacles *o, int64_t k, int step)
{
  const struct wall *w = o->walls;
  const struct point joint = step > 0 ? w[k].b : w[k].a;
  const int64_t beside = k + step;
  if (beside >= 0 && beside < o->count && same_point(joint, step > 0 ? w[beside].a : w[beside].b))
    return beside;
  int64_t far = k; // the other end of the outline
  for (int n = 0; n < 2 * EXIT_WALLS; n++) {
    if (same_point(joint, step > 0 ? w[far].a : w[far].b))
      return far;
    far -= step;
    if (far < 0 || far >= o->count)
      return -1;
  }
  return -1;
}

// The arm to the right (step 1) or to the left (-1) of n, at most `most` metres long. The area lies
// to the left of its walls, so the agent sees a wall if it stands to the right of it.
HOST_DEVICE struct exit_arm exit_arm_along(const struct exit_viewer *e,
                                           const struct exit_edge *edge, int step, float most)
{
  const struct obstacles *o = edge->outlines;
  struct exit_arm arm = {edge->n, 0.0f};
  int64_t k = edge->wall;
  for (int i = 0; i < EXIT_WALLS && k >= 0; i++) {
    const struct wall *w = &o->walls[k];
    if (orientation(w->a, w->b, e->at) >= 0)
      break;
    const struct exit_vector end = exit_relative(e, step > 0 ? w->b : w->a);
    const struct exit_vector way = {end.x - arm.end.x, end.y - arm.end.y};
    const float length = sqrtf(exit_dot(way, way));
    if (arm.length + length >= most) {
      arm.end = exit_between(arm.end, end, length > 0.0f ? (most - arm.length) / length : 0.0f);
      arm.length = most;
      break;
    }
    arm = (struct exit_arm){end, arm.length + length};
    k = exit_wall_beside(o, k, step);
  }
  return arm;
}

// False: the agent is in an area, none is near, or the route leads elsewhere.
HOST_DEVICE bool exit_edge_find(const struct exit_viewer *e, const struct arrival_area *area,
                                struct exit_edge *edge)
{
  struct point n;
  edge->outlines = &area->outlines;
  edge->wall =
      obstacles_nearest_wall(&area->outlines, e->at, (int32_t)(EXIT_FAR * e->grid->quanta), &n);
  if (edge->wall < 0 || obstacles_inside(&area->outlines, e->at))
    return false;
  const struct wall *w = &area->outlines.walls[edge->wall];
  if (orientation(w->a, w->b, e->at) >= 0) // at an acute corner: the other one
    edge->wall = exit_wall_beside(&area->outlines, edge->wall, same_point(n, w->b) ? 1 : -1);
  if (edge->wall < 0)
    return false;
  w = &area->outlines.walls[edge->wall];
  const float before = w->ux * w->before_x + w->uy * w->before_y;
  const float after = w->ux * w->after_x + w->uy * w->after_y;
  edge->n = exit_relative(e, n);
  edge->corner =
      (same_point(n, w->a) && before < EXIT_CORNER) || (same_point(n, w->b) && after < EXIT_CORNER);
  const float length = sqrtf(exit_dot(edge->n, edge->n)), cell = e->grid->cell;
  const float effort = (float)field_time_of(e->field, e->cell) * (cell / FIELD_UNIT); // m
  return length > 0.0f && exit_dot(edge->n, e->facing) > EXIT_ROUTE * length &&
         effort < EXIT_LONGER * length + 2.0f * cell;
}

// ------------------------------------------------------------------------------------ the view

// m: the gap there, of an agent that goes this way; 0: off the grid, or the field leads it back. In
// its cells of a tie and of the destination, a field has no direction.
INLINE float exit_gap(const struct exit_viewer *e, struct exit_vector way, struct exit_vector at)
{
  const float per_metre = e->grid->per_metre;
  const int64_t cell = spreading_cell(e->grid->g, e->x + per_metre * at.x, e->y + per_metre * at.y);
  if (cell < 0)
    return 0.0f;
  const struct field_cell c = e->field->cells[cell];
  const bool back = exit_dot(way, (struct exit_vector){c.x, c.y}) < 0.0f;
  return back ? 0.0f : (float)e->grid->g->gap[cell] * (1.0f / NAV_GRID_GAPS_PER_METRE);
}

// Is the way free for as many metres? A step is as long as the nearest wall is far.
HOST_DEVICE bool exit_way_is_free(const struct exit_viewer *e, struct exit_vector way, float metres)
{
  const float per_metre = 1.0f / sqrtf(exit_dot(way, way));
  float walked = 0.0f;
  for (int k = 0; k < EXIT_STEPS && walked < metres; k++) {
    const float share = walked * per_metre;
    const float gap = exit_gap(e, way, (struct exit_vector){share * way.x, share * way.y});
    if (gap < EXIT_CLEAR)
      return false;
    walked += fminf(fmaxf(gap, EXIT_STRIDE), EXIT_LEAP);
  }
  return walked >= metres;
}

INLINE bool exit_leads_to(struct exit_vector way, const struct exit_arm *right,
                          const struct exit_arm *left)
{
  return exit_det(right->end, way) > 0.0f && exit_det(way, left->end) > 0.0f;
}

// Tangent of the angle from n to a direction, as seen from the agent, > 0: to the left; 0: beside
// it or behind.
INLINE float exit_aside(const struct exit_edge *edge, struct exit_vector way)
{
  const float ahead = exit_dot(edge->n, way);
  return ahead > 0.0f ? exit_det(edge->n, way) / ahead : 0.0f;
}

// Is the heading as good as the way to the agent's own place?
INLINE bool exit_keeps_heading(const struct exit_viewer *e, const struct exit_edge *edge,
                               struct exit_vector own)
{
  const float least = EXIT_MOVES * e->free_speed, place = exit_aside(edge, own);
  return exit_dot(e->heading, e->heading) > least * least &&
         exit_aside(edge, e->heading) * place > EXIT_KEEP * place * place;
}

// The way to its own place, or its heading. False: none of them is free.
INLINE bool exit_from_side(const struct exit_viewer *e, const struct exit_edge *edge,
                           const struct exit_arm *right, const struct exit_arm *left,
                           struct exit_vector *way)
{
  const float distance = sqrtf(exit_dot(edge->n, edge->n));
  const float at = (0.5f + 0.5f * e->side) * (right->length + left->length) - right->length;
  const struct exit_vector place = exit_arm_along(e, edge, at < 0.0f ? 1 : -1, fabsf(at)).end;
  const struct exit_vector own = exit_between(edge->n, place, e->spread);
  *way = e->heading;
  if (exit_leads_to(*way, right, left) && exit_keeps_heading(e, edge, own) &&
      exit_way_is_free(e, *way, distance))
    return true;
  float share = 1.0f;
  for (int k = 0; k < EXIT_TRIALS; k++, share *= 0.5f) {
    *way = exit_between(edge->n, own, share);
    const float length = sqrtf(exit_dot(*way, *way));
    if (exit_way_is_free(e, *way, fmaxf(distance, length - EXIT_LAST)))
      return true;
  }
  return false;
}

// The way to the exit, of any length. False: the route leads the agent.
HOST_DEVICE bool exit_way(const struct exit_viewer *e, const struct arrival_area *area,
                          struct exit_vector *way)
{
  struct exit_edge edge;
  if (!exit_edge_find(e, area, &edge))
    return false;
  const struct exit_arm right = exit_arm_along(e, &edge, 1, EXIT_ARM);
  const struct exit_arm left = exit_arm_along(e, &edge, -1, EXIT_ARM);
  *way = e->last;
  const bool found = edge.corner ? exit_from_side(e, &edge, &right, &left, way)
                                 : exit_leads_to(*way, &right, &left) &&
                                       exit_way_is_free(e, *way, sqrtf(exit_dot(edge.n, edge.n)));
  const float least = EXIT_TURN;
  return found && exit_dot(*way, e->facing) > least * sqrtf(exit_dot(*way, *way));
}

// ------------------------------------------------------------------------------ LANES agents

INLINE struct exit_vector exit_turned(struct exit_vector facing, int32_t turn)
{
  const float cosine = spreading_turn_cosine(turn), sine = spreading_turn_sine(turn);
  return (struct exit_vector){cosine * facing.x - sine * facing.y,
                              sine * facing.x + cosine * facing.y};
}

struct exit_lanes {
  int32_t cell[LANES], at_x[LANES], at_y[LANES], turn[LANES];
  float x[LANES], y[LANES], facing_x[LANES], facing_y[LANES], heading_x[LANES], heading_y[LANES];
  float free_speed[LANES], side[LANES], spread[LANES];
};

// here: spreading_gap_index of the agents.
INLINE void exit_lanes_store(struct exit_lanes *e, const struct spreaders *s,
                             const struct spreading_line *l, ivec here)
{
  lanes_store_ivec(e->cell, here);
  lanes_store_ivec(e->at_x, s->at.x);
  lanes_store_ivec(e->at_y, s->at.y);
  lanes_store_ivec(e->turn, s->turn);
  lanes_store(e->x, l->place.x);
  lanes_store(e->y, l->place.y);
  lanes_store(e->facing_x, s->facing.x);
  lanes_store(e->facing_y, s->facing.y);
  lanes_store(e->heading_x, s->velocity.x);
  lanes_store(e->heading_y, s->velocity.y);
  lanes_store(e->free_speed, s->slow * s->speed);
  const real spread = s->share * splat(1.0f / SPREADING_SHARE); // < 0: left is right
  lanes_store(e->side, select_real(less(spread, splat(0)), -l->side, l->side));
  lanes_store(e->spread, magnitude(spread));
}

INLINE struct exit_viewer exit_viewer_of(const struct exit_lanes *e,
                                         const struct spreading_grid *grid,
                                         const struct field *field, int k)
{
  const struct exit_vector facing = {e->facing_x[k], e->facing_y[k]};
  return (struct exit_viewer){.grid = grid,
                              .field = field,
                              .cell = e->cell[k],
                              .at = {e->at_x[k], e->at_y[k]},
                              .x = e->x[k],
                              .y = e->y[k],
                              .facing = facing,
                              .last = e->turn[k] ? exit_turned(facing, e->turn[k]) : facing,
                              .heading = {e->heading_x[k], e->heading_y[k]},
                              .free_speed = e->free_speed[k],
                              .side = e->side[k],
                              .spread = e->spread[k]};
}

INLINE const struct arrival_area *exit_area(const struct world *w, const struct field *f)
{
  return &w->arrival_areas[(f - w->fields) / w->route_count];
}

// Turns the agents in `look` towards the exits that they see; all others keep `turns`.
HOST_DEVICE ivec exit_turns(const struct world *w, const struct spreaders *s,
                            const struct spreading_line *l, mask look, ivec turns)
{
  const ivec here = spreading_gap_index(&l->place, splat(0), splat(0));
  const mask may_see = look & not(ivec_equal(here, s->far)); // saves most agents the gap
  const mask open = may_see & less_equal(splat(EXIT_OPEN), spreading_gap_at(&l->place, here));
  if (!any(open) || w->arrival_count == 0)
    return turns;
  const int32_t reach = (int32_t)(EXIT_FAR * l->place.grid->quanta);
  struct exit_lanes e;
  float x[LANES], y[LANES];
  uint32_t found = 0;
  exit_lanes_store(&e, s, l, here);
  lanes_store(x, s->facing.x);
  lanes_store(y, s->facing.y);
  for (uint32_t bits = mask_bits(open); bits; bits &= bits - 1) {
    const int k = lowest_bit(bits);
    const struct arrival_area *area = exit_area(w, s->field[k]);
    if ((s->field[k]->cells[e.cell[k]].flags & FIELD_FAR) ||
        !box_is_near(area->box, (struct point){e.at_x[k], e.at_y[k]}, reach))
      continue;
    const struct exit_viewer one = exit_viewer_of(&e, l->place.grid, s->field[k], k);
    struct exit_vector way;
    if (!exit_way(&one, area, &way))
      continue;
    x[k] = way.x;
    y[k] = way.y;
    found |= 1u << k;
  }
  const ivec turn = spreading_turn_towards(s, vec2_of(lanes_load(x), lanes_load(y)));
  return select_ivec(mask_from_bits(found), turn, turns);
}
