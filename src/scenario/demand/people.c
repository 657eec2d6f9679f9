// Who somebody is: a pure function of (seed, id) and of the place kept for them.
#include "demand_internal.h"

#include "draw.h"
#include <math.h>

static struct point segment_nearest(struct point a, struct point b, struct point p)
{
  const double bx = (double)b.x - a.x, by = (double)b.y - a.y;
  const double px = (double)p.x - a.x, py = (double)p.y - a.y;
  const double length2 = bx * bx + by * by, along = px * bx + py * by;
  if (along <= 0 || length2 <= 0)
    return a;
  if (along >= length2)
    return b;
  const double t = along / length2;
  return (struct point){a.x + (int32_t)lrint(t * bx), a.y + (int32_t)lrint(t * by)};
}

// Is p inside the closed outlines (even-odd)? Exact.
static bool outlines_hold(const struct outlines *o, struct point p)
{
  bool inside = false;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++) {
      const struct point a = o->points[i];
      const struct point b = o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]];
      if ((a.y > p.y) == (b.y > p.y))
        continue;
      const int64_t left = ((int64_t)b.x - a.x) * ((int64_t)p.y - a.y);
      const int64_t right = ((int64_t)b.y - a.y) * ((int64_t)p.x - a.x);
      inside ^= b.y > a.y ? left > right : left < right;
    }
  return inside;
}

static struct point outlines_nearest(const struct outlines *o, struct point p)
{
  if (outlines_hold(o, p))
    return p;
  struct point best = p;
  double least = HUGE_VAL;
  for (int64_t l = 0; l < o->count; l++)
    for (int64_t i = o->start[l]; i < o->start[l + 1]; i++) {
      const struct point b = o->points[i + 1 < o->start[l + 1] ? i + 1 : o->start[l]];
      const struct point q = segment_nearest(o->points[i], b, p);
      const double x = (double)q.x - p.x, y = (double)q.y - p.y, d2 = x * x + y * y;
      if (d2 < least) {
        least = d2;
        best = q;
      }
    }
  return best;
}

#define SPOT_TRIES 64

// A random free point of the region; where nearly all of it is walls, the last one tried.
static struct point region_spot(const struct demand *d, const struct region *r, int64_t id,
                                int64_t number, enum random_purpose purpose)
{
  struct point q = r->box.lo;
  for (int try = 0; try < SPOT_TRIES; try++) {
    const struct random4 random = random_words(d->seed, id, number + try, purpose);
    q = region_point(r, random.word[0], random.word[1]);
    if (obstacles_solid(&r->inside, q) && !obstacles_solid(&d->world->obstacles, q))
      break;
  }
  return q;
}

struct point demand_spot(const struct demand *d, int32_t place, int64_t id, int64_t step)
{
  return region_spot(d, &d->itinerary.stops[place].region, id, step * SPOT_TRIES, RANDOM_SPOT);
}

static struct point source_goal(const struct demand *d, const struct source *s, int64_t id,
                                struct point at)
{
  switch (s->goal) {
  case GOAL_DESTINATION: // demand_send finds it
  case GOAL_JOURNEY:     // so does the first leg, when one sets out
    return at;
  case GOAL_AREA:
    return region_spot(d, &s->goal_area, id, 0, RANDOM_GOAL);
  case GOAL_OPPOSITE:
    return position_kept((struct point){2 * s->point.x - at.x, 2 * s->point.y - at.y},
                         d->world->bounds);
  case GOAL_OFFSET:
    return position_kept((struct point){at.x + s->point.x, at.y + s->point.y}, d->world->bounds);
  case GOAL_POINT:
    break;
  }
  return s->point;
}

static int profile_of(const struct demand *d, const struct source *s, int64_t id) // its number
{
  const int count = s->config->profiles.count;
  if (count <= 1)
    return s->profiles[0];
  const double unit = (double)random_words(d->seed, id, 0, RANDOM_PROFILE).word[0] * 0x1p-32;
  return s->profiles[bounds_find(s->bounds, count, unit)];
}

// Everybody may walk faster than they like to, to get out of somebody's way.
#define HASTE 1.3

// What a row does not say, and everything of the people of sources.
static const struct roster_row unsaid = {.radius = -1,
                                         .speed = -1,
                                         .horizon = -1,
                                         .neighbour_distance = -1,
                                         .max_acceleration = -1,
                                         .yield = -1,
                                         .neighbours = -1};

static float said_or_drawn(float said, const struct distribution *of, const struct demand *d,
                           int64_t id, enum random_purpose purpose)
{
  return said >= 0 ? said : (float)distribution_draw(of, d->seed, id, purpose);
}

static void reaction_set(const struct demand *d, const struct profile_config *of, int64_t id,
                         struct agents *a, int64_t i)
{
  const double steps =
      ceil(distribution_draw(&of->reaction, d->seed, id, RANDOM_REACTION) / d->config->time.step);
  if (steps <= 0)
    return;
  a->doing[i] = DOING_REACT;
  a->until[i] = (int32_t)(a->born[i] + steps < STEP_LIMIT ? a->born[i] + steps : STEP_LIMIT);
}

static void max_speed_set(const struct demand *d, const struct profile_config *of, int64_t id,
                          struct agents *a, int64_t i)
{
  double most = HASTE * (double)a->speed[i];
  if (of->max_speed.kind != NOT_GIVEN)
    most = distribution_draw(&of->max_speed, d->seed, ~id, RANDOM_SPEED);
  a->max_speed[i] = (float)most > a->speed[i] ? (float)most : a->speed[i];
}

static void body_set(const struct demand *d, const struct roster_row *row, int profile, int64_t id,
                     struct agents *a, int64_t i)
{
  const struct profile_config *of = &d->config->profiles.records[profile];
  a->profile[i] = profile;
  a->radius[i] = said_or_drawn(row->radius, &of->radius, d, id, RANDOM_RADIUS);
  a->speed[i] = said_or_drawn(row->speed, &of->speed, d, id, RANDOM_SPEED);
  max_speed_set(d, of, id, a, i);
  a->yield[i] = said_or_drawn(row->yield, &of->yield, d, id, RANDOM_YIELD);
  a->max_acceleration[i] =
      said_or_drawn(row->max_acceleration, &of->max_acceleration, d, id, RANDOM_ACCELERATION);
  a->horizon[i] = said_or_drawn(row->horizon, &of->horizon, d, id, RANDOM_HORIZON);
  a->neighbour_distance[i] = said_or_drawn(row->neighbour_distance, &of->neighbour_distance, d, id,
                                           RANDOM_NEIGHBOUR_DISTANCE);
  a->neighbours[i] = row->neighbours > 0
                         ? row->neighbours
                         : distribution_draw_whole(&of->neighbours, d->seed, id, RANDOM_NEIGHBOURS);
}

// ------------------------------------------------------------------------------------ ways

struct way {
  struct point start, goal;
  int32_t destination; // a field's number, or -1: straight to the goal
  int32_t target;      // number of the destination, or -1: just a point
};

// From there to a destination, or, when it is -1, nowhere.
static struct way way_to(const struct demand *d, struct point start, int32_t destination)
{
  if (destination < 0)
    return (struct way){start, start, -1, -1};
  if (world_leads(d->world))
    return (struct way){start, start, destination, destination};
  return (struct way){start, outlines_nearest(&d->destinations[destination], start), -1,
                      destination};
}

static struct way row_way(const struct demand *d, const struct roster_row *row)
{
  const struct frame *frame = &d->world->frame;
  const struct point at = frame_point(frame, row->x, row->y);
  if (row->has_goal)
    return (struct way){at, frame_point(frame, row->goal_x, row->goal_y), -1, -1};
  const bool one = row->destination < 0 && d->config->destinations.count == 1;
  return way_to(d, at, one ? 0 : row->destination);
}

static struct way source_way(const struct demand *d, const struct source *s, int64_t id,
                             struct point at)
{
  if (s->goal != GOAL_DESTINATION)
    return (struct way){at, source_goal(d, s, id, at), -1, -1};
  const double unit = (double)random_words(d->seed, id, 0, RANDOM_DESTINATION).word[0] * 0x1p-32;
  const struct leg *to = &s->destinations;
  return way_to(d, at, to->places[bounds_find(to->bounds, to->count, unit)]);
}

static const struct source *source_of(const struct demand *d, int64_t k)
{
  int low = 0, high = d->source_count - 1; // the last that begins at k or before
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    if (d->sources[middle].first <= k)
      low = middle;
    else
      high = middle - 1;
  }
  while (d->sources[low].count == 0) // later sources begin where the next one does
    low--;
  return &d->sources[low];
}

static int64_t id_of(const struct demand *d, int64_t k) // of sources
{
  return d->first_id + k - d->roster.count;
}

// The id of the first of the group of somebody of a source: what all of it draws alike is its.
static int64_t head_of(const struct demand *d, int64_t k)
{
  const struct source *s = source_of(d, k);
  return id_of(d, s->first + group_of(d, s, k - s->first).first);
}

// Whose place among all has that id.
static int64_t place_of(const struct demand *d, int64_t id)
{
  int64_t low = 0, high = d->roster.count;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (d->roster.rows[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < d->roster.count ? low : id - d->first_id + d->roster.count;
}

struct point demand_turn_back(const struct demand *d, int64_t id, struct point goal)
{
  const int64_t k = place_of(d, id);
  const struct way way = k < d->roster.count ? row_way(d, &d->roster.rows[k])
                                             : source_way(d, source_of(d, k), head_of(d, k),
                                                          d->places[k - d->roster.count]);
  return goal.x == way.start.x && goal.y == way.start.y ? way.goal : way.start;
}

// ---------------------------------------------------------------------------------- agents

static int64_t way_append(const struct way *way, int64_t id, struct agents *a)
{
  const int64_t i = agents_append(a);
  a->id[i] = id;
  a->x[i] = way->start.x;
  a->y[i] = way->start.y;
  a->goal_x[i] = way->goal.x;
  a->goal_y[i] = way->goal.y;
  a->destination[i] = way->destination;
  a->stage[i] = -1;
  a->target[i] = way->target;
  a->group[i] = -1;
  a->aim[i] = ROADMAP_NONE;
  return i;
}

static void row_append(const struct demand *d, const struct roster_row *row, struct agents *a)
{
  const struct way way = row_way(d, row);
  const int64_t i = way_append(&way, row->id, a);
  a->vx[i] = row->vx;
  a->vy[i] = row->vy;
  a->source[i] = -1;
  body_set(d, row, 0, row->id, a, i);
  reaction_set(d, &d->config->profiles.records[0], row->id, a, i);
}

// They walk as fast as the slowest of them.
static void group_set(const struct demand *d, const struct source *s, struct group g, int64_t id,
                      struct agents *a, int64_t i)
{
  const struct profile_config *of = &d->config->profiles.records[a->profile[i]];
  if (g.count <= 1)
    return;
  for (int32_t m = 0; m < g.count; m++) {
    const int64_t other = id_of(d, s->first + g.first + m);
    const float speed = (float)distribution_draw(&of->speed, d->seed, other, RANDOM_SPEED);
    a->speed[i] = speed < a->speed[i] ? speed : a->speed[i];
  }
  max_speed_set(d, of, id, a, i);
  a->group[i] = id_of(d, s->first + g.first);
}

// number: among the source's people at the start; -1: one who comes later.
static void person_append(const struct demand *d, const struct source *s, int64_t number,
                          int64_t id, struct point at, int64_t step, struct agents *a)
{
  // What all of a group draw alike is drawn by the first of it.
  const bool alone = number < 0;
  const struct group group = alone ? (struct group){0, 1} : group_of(d, s, number);
  const int64_t head = alone ? id : id_of(d, s->first + group.first);
  const struct way way = source_way(d, s, head, at);
  const int64_t i = way_append(&way, id, a);
  a->source[i] = s->number;
  a->born[i] = (int32_t)step;
  body_set(d, &unsaid, profile_of(d, s, head), id, a, i);
  reaction_set(d, &d->config->profiles.records[a->profile[i]], head, a, i);
  group_set(d, s, group, id, a, i);
  if (s->journey >= 0)
    a->stage[i] = d->itinerary.journeys[s->journey];
}

void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a)
{
  agents_reserve(a, a->count + end - first);
  for (int64_t k = first; k < end; k++)
    if (k < d->roster.count)
      row_append(d, &d->roster.rows[k], a);
    else
      person_append(d, source_of(d, k), k - source_of(d, k)->first, id_of(d, k),
                    d->places[k - d->roster.count], 0, a);
}

void demand_newcomer(const struct demand *d, int inlet, int64_t id, struct point at, int64_t step,
                     struct agents *a)
{
  person_append(d, d->inlets[inlet], -1, id, at, step, a);
}

void demand_send(const struct demand *d, int32_t place, struct agents *a, int64_t i)
{
  const struct way way = way_to(d, (struct point){a->x[i], a->y[i]}, place);
  a->goal_x[i] = way.goal.x;
  a->goal_y[i] = way.goal.y;
  a->destination[i] = way.destination;
  a->target[i] = place;
  a->aim[i] = ROADMAP_NONE;
  a->doing[i] = DOING_WALK;
}

void demand_extremes(const struct demand *d, double *radius, double *speed)
{
  *radius = profiles_largest_radius(d->config);
  *speed = 0;
  for (int i = 0; i < d->config->profiles.count; i++) {
    const struct profile_config *of = &d->config->profiles.records[i];
    *speed = fmax(*speed, fmax(HASTE * of->speed.hi, of->max_speed.hi));
  }
  for (int64_t i = 0; i < d->roster.count; i++) {
    *radius = fmax(*radius, (double)d->roster.rows[i].radius);
    *speed = fmax(*speed, HASTE * (double)d->roster.rows[i].speed);
  }
}
