#include "demand.h"

#include "draw.h"
#include "shape.h"
#include <math.h>
#include <string.h>

enum goal_kind { GOAL_FIELD, GOAL_NEAREST, GOAL_POINT, GOAL_AREA, GOAL_OPPOSITE };

struct source {
  int64_t first, count; // of its people among all
  const struct source_config *config;
  int *profiles;  // [config->profiles.count] numbers of the shares
  double *bounds; // [same] upper ends of the shares within [0, 1]
  enum goal_kind goal;
  int32_t destination;        // number, or -1
  struct point point;         // the goal, or the mirror's centre
  struct obstacles goal_area; // the inside of GOAL_AREA
  struct box goal_box;
  double cut_off; // share of its ground that no way leads from
};

struct demand {
  const struct config *config;
  const struct world *world;
  uint64_t seed;
  struct roster roster;
  int64_t count, first_id; // first_id: of the sources' people
  int source_count;
  struct source *sources;
  struct point *places;          // [count - roster.count]
  struct outlines *destinations; // [config->destinations.count] for the nearest point; m
};

// -------------------------------------------------------------------------------- sources

double profiles_largest_radius(const struct config *c)
{
  double largest = 0;
  for (int i = 0; i < c->profiles.count; i++)
    largest =
        c->profiles.records[i].radius.hi > largest ? c->profiles.records[i].radius.hi : largest;
  return largest;
}

static double source_largest_radius(const struct config *c, const struct source *s)
{
  double largest = 0;
  for (int i = 0; i < s->config->profiles.count || i == 0; i++) {
    const double radius = c->profiles.records[s->profiles[i]].radius.hi;
    largest = radius > largest ? radius : largest;
  }
  return largest;
}

static int profile_find(const struct config *c, const struct source *s, const struct share *share,
                        struct problems *p)
{
  const char *near = NULL;
  int best = 100;
  for (int i = 0; i < c->profiles.count; i++) {
    if (strcmp(share->name, c->profiles.records[i].name) == 0)
      return i;
    if (edit_is_near(share->name, c->profiles.records[i].name, &best))
      near = c->profiles.records[i].name;
  }
  const struct node *n = share->node;
  problem_add(
      p, n->kind == NODE_SCALAR && n->key && strcmp(n->key, "profile") != 0 ? n->key_at : n->at,
      "%s.profile: \"%.80s\" is not a profile%s%s%s", s->config->from.path, share->name,
      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  return 0;
}

static void profiles_resolve(struct source *s, const struct config *c, struct problems *p)
{
  const struct shares *shares = &s->config->profiles;
  s->profiles = memory_create((size_t)shares->count + 1, sizeof *s->profiles);
  s->bounds = memory_create((size_t)shares->count + 1, sizeof *s->bounds);
  double total = 0, below = 0;
  for (int i = 0; i < shares->count; i++)
    total += shares->shares[i].weight;
  for (int i = 0; i < shares->count; i++) {
    s->profiles[i] = profile_find(c, s, &shares->shares[i], p);
    below += shares->shares[i].weight;
    s->bounds[i] = below / total;
  }
}

static bool goal_point(const struct demand_input *in, const struct source *s, const char *key,
                       const double *values, struct point *point, struct problems *p)
{
  const struct place at = origin_place(in->config, &s->config->from, key);
  if (!frame_holds(&in->world->frame, values[0], values[1])) {
    problem_add(p, at, "%s.%s: (%.10g, %.10g) lies outside the world", s->config->from.path, key,
                values[0], values[1]);
    return false;
  }
  *point = frame_point(&in->world->frame, values[0], values[1]);
  return true;
}

static struct box outlines_box(const struct outlines *o)
{
  struct box box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < o->start[o->count]; i++) {
    const struct point q = o->points[i];
    box.lo.x = q.x < box.lo.x ? q.x : box.lo.x;
    box.lo.y = q.y < box.lo.y ? q.y : box.lo.y;
    box.hi.x = q.x > box.hi.x ? q.x : box.hi.x;
    box.hi.y = q.y > box.hi.y ? q.y : box.hi.y;
  }
  return box;
}

static bool goal_area(const struct demand_input *in, struct source *s, struct problems *p)
{
  struct outlines outlines;
  outlines_create(&outlines);
  const bool good = area_outlines(in->geometry, in->config, &s->config->goal_area,
                                  &in->world->frame, in->extent, &outlines, p);
  if (good) {
    s->goal_box = outlines_box(&outlines);
    obstacles_create(&s->goal_area, &outlines, false);
  }
  outlines_destroy(&outlines);
  return good;
}

static void goal_resolve(struct source *s, const struct demand_input *in, struct problems *p)
{
  const struct source_config *c = s->config;
  const int given = (c->destination != NULL) + c->goal.given + c->opposite.given +
                    (c->goal_area.kind != AREA_NONE);
  s->destination = -1;
  if (given != 1) {
    problem_add(p, origin_place(in->config, &c->from, NULL),
                "%s: %s of destination, goal, goal_area and opposite is expected", c->from.path,
                given ? "only one" : "one");
  } else if (c->destination) {
    char what[80];
    snprintf(what, sizeof what, "%s.destination", c->from.path);
    s->destination = destination_find(in->config, c->destination,
                                      origin_place(in->config, &c->from, "destination"), what, p);
    s->goal = in->world->field_count ? GOAL_FIELD : GOAL_NEAREST;
  } else if (c->goal.given) {
    s->goal = GOAL_POINT;
    goal_point(in, s, "goal", c->goal.values, &s->point, p);
  } else if (c->opposite.given) {
    s->goal = GOAL_OPPOSITE;
    goal_point(in, s, "opposite", c->opposite.values, &s->point, p);
  } else {
    s->goal = GOAL_AREA;
    goal_area(in, s, p);
  }
}

static void numbers_check(const struct source *s, const struct config *c, struct problems *p)
{
  const struct source_config *config = s->config;
  const struct place at = origin_place(c, &config->from, NULL);
  if (config->count.given == config->density.given)
    problem_add(p, at, "%s: %s of count and density is expected", config->from.path,
                config->count.given ? "only one" : "one");
  if (config->layout == LAYOUT_CIRCLE && config->area.kind != AREA_CIRCLE)
    problem_add(p, origin_place(c, &config->from, "layout"),
                "%s.layout: circle needs an area {circle: [x, y, radius]}", config->from.path);
  else if (config->layout == LAYOUT_CIRCLE && !config->count.given)
    problem_add(p, at, "%s.layout: circle needs a count", config->from.path);
}

// ------------------------------------------------------------------------------- placement

static void fit_tell(const struct demand_input *in, const struct source *s, int64_t wanted,
                     int64_t fit, struct problems *p)
{
  problem_add(
      p, origin_place(in->config, &s->config->from, s->config->count.given ? "count" : "density"),
      "%s: %lld people do not fit: at most %lld do (radius %.4g m)", s->config->from.path,
      (long long)wanted, (long long)fit, source_largest_radius(in->config, s));
}

static void unreachable_tell(const struct demand_input *in, const struct source *s,
                             struct problems *p)
{
  problem_add(p, origin_place(in->config, &s->config->from, "destination"),
              "%s: unreachable destination: no way leads from its area to \"%s\"",
              s->config->from.path, s->config->destination);
}

static struct places circle_places(const struct demand_input *in, const struct source *s,
                                   const struct ground_check *check, struct problems *p)
{
  const double *circle = s->config->area.numbers;
  const int64_t count = (int64_t)s->config->count.value;
  const double chord =
      2.0 * source_largest_radius(in->config, s) + 4.0 * (double)frame_quantum(&in->world->frame);
  struct places out = {.wanted = count};
  // As many as chords on the circle's line; a full turn is 4 quarters of pi / 2.
  const double most = floor(6.28318530717958647692 * circle[2] / chord);
  if ((double)count > most) {
    fit_tell(in, s, count, (int64_t)most, p);
    return out;
  }
  out.points = memory_create((size_t)count, sizeof *out.points);
  for (int64_t i = 0; i < count; i++) {
    double x, y;
    circle_point(i, count, &x, &y);
    x = circle[0] + circle[2] * x;
    y = circle[1] + circle[2] * y;
    if (!frame_holds(&in->world->frame, x, y))
      continue;
    const struct point q = frame_point(&in->world->frame, x, y);
    if (site_of(check, q) == SITE_FREE)
      out.points[out.count++] = q;
  }
  if (out.count < count)
    problem_add(p, origin_place(in->config, &s->config->area.from, NULL),
                "%s: %lld of the %lld places on the circle lie in walls, in others, outside the "
                "world or where no way leads from",
                s->config->from.path, (long long)(count - out.count), (long long)count);
  return out;
}

static struct places area_places(const struct demand_input *in, const struct source *s,
                                 struct ground_check *check, uint64_t seed, int number,
                                 struct problems *p)
{
  struct outlines outlines;
  struct obstacles area;
  struct places out = {0};
  outlines_create(&outlines);
  if (!area_outlines(in->geometry, in->config, &s->config->area, &in->world->frame, in->extent,
                     &outlines, p)) {
    outlines_destroy(&outlines);
    return out;
  }
  obstacles_create(&area, &outlines, false);
  check->area = &area;
  const struct placement placement = {
      .check = *check,
      .box = outlines_box(&outlines),
      .area = outlines_area(&outlines, frame_quantum(&in->world->frame)),
      .count = s->config->count.given ? (int64_t)s->config->count.value : 0,
      .density = s->config->density.value,
      .grid = s->config->layout == LAYOUT_GRID,
      .seed = seed,
      .number = number};
  out = places_find(&placement);
  if (out.count == 0 && out.cut_off > 0)
    unreachable_tell(in, s, p);
  else if (out.count < out.wanted)
    fit_tell(in, s, out.wanted, out.count, p);
  obstacles_destroy(&area);
  outlines_destroy(&outlines);
  return out;
}

static void mirror_check(const struct demand_input *in, const struct source *s,
                         const struct places *places, struct problems *p)
{
  for (int64_t i = 0; i < places->count; i++) {
    const int64_t x = 2 * (int64_t)s->point.x - places->points[i].x;
    const int64_t y = 2 * (int64_t)s->point.y - places->points[i].y;
    const struct box b = in->world->bounds;
    if (x < b.lo.x || x >= b.hi.x || y < b.lo.y || y >= b.hi.y) {
      problem_add(p, origin_place(in->config, &s->config->from, "opposite"),
                  "%s.opposite: mirrored places lie outside world.extent", s->config->from.path);
      return;
    }
  }
}

static void cut_off_tell(const struct demand_input *in, const struct source *s, struct problems *p)
{
  if (s->cut_off > 0)
    warning_add(p, origin_place(in->config, &s->config->area.from, NULL),
                "%s: %.2g %% of the area cannot reach \"%s\" and stays empty", s->config->from.path,
                100.0 * s->cut_off, s->config->destination);
}

static void source_place(struct demand *d, struct source *s, const struct demand_input *in,
                         struct discs *taken, struct problems *p)
{
  const int before = p->count, number = (int)(s - d->sources);
  const int32_t radius = frame_length(&in->world->frame, source_largest_radius(in->config, s)) + 1;
  struct ground_check check = {in->world, NULL,
                               s->goal == GOAL_FIELD ? &in->world->fields[s->destination] : NULL,
                               taken, radius};
  struct places places = s->config->layout == LAYOUT_CIRCLE
                             ? circle_places(in, s, &check, p)
                             : area_places(in, s, &check, d->seed, number, p);
  if (s->goal == GOAL_OPPOSITE && p->count == before)
    mirror_check(in, s, &places, p);
  if (p->count == before) {
    s->first = d->count;
    s->count = places.count;
    s->cut_off = places.cut_off;
    cut_off_tell(in, s, p);
    if (taken && number + 1 < d->source_count)
      for (int64_t i = 0; i < places.count; i++)
        discs_add(taken, places.points[i], radius);
    const int64_t old = d->count - d->roster.count;
    if (old == 0) { // the one source of a large scene: no copy
      memory_destroy(d->places);
      d->places = places.points;
      places.points = NULL;
    } else {
      d->places =
          memory_grow(d->places, (size_t)old, (size_t)(old + places.count), sizeof *d->places);
      memcpy(d->places + old, places.points, (size_t)places.count * sizeof *d->places);
    }
    d->count += places.count;
  }
  memory_destroy(places.points);
}

// -------------------------------------------------------------------------------- CSV agents

// What is wrong with how many agents, and with whom first.
struct offence {
  int64_t count;
  const struct roster_row *first; // in the order of lines
};

static void offence_add(struct offence *o, const struct roster_row *row)
{
  o->count++;
  if (!o->first || row->line < o->first->line)
    o->first = row;
}

static void offence_tell(const struct offence *o, const struct roster *r, const char *what,
                         bool warning, struct problems *p)
{
  if (!o->count)
    return;
  char more[60] = "";
  if (o->count > 1)
    snprintf(more, sizeof more, " (and %lld more)", (long long)(o->count - 1));
  const struct place at = {r->path, NULL, o->first->line, 1};
  (warning ? warning_add : problem_add)(p, at, "agent %lld %s%s", (long long)o->first->id, what,
                                        more);
}

static double row_radius(const struct demand *d, const struct roster_row *row)
{
  return row->radius > 0 ? (double)row->radius
                         : distribution_draw(&d->config->profiles.records[0].radius, d->seed,
                                             row->id, RANDOM_RADIUS);
}

static void roster_check(struct demand *d, const struct demand_input *in, struct discs *taken,
                         struct problems *p)
{
  struct offence outside = {0}, inside = {0}, near = {0}, cut_off = {0}, over = {0}, idle = {0};
  const struct world *w = in->world;
  for (int64_t i = 0; i < d->roster.count; i++) {
    const struct roster_row *row = &d->roster.rows[i];
    const bool held = frame_holds(&w->frame, row->x, row->y) &&
                      (!row->has_goal || frame_holds(&w->frame, row->goal_x, row->goal_y));
    const struct point q =
        held ? frame_point(&w->frame, row->x, row->y) : (struct point){INT32_MAX, INT32_MAX};
    if (!held || !box_holds(w->bounds, q)) {
      offence_add(&outside, row);
      continue;
    }
    const int32_t radius = frame_length(&w->frame, row_radius(d, row));
    if (obstacles_solid(&w->obstacles, q))
      offence_add(&inside, row);
    else if (obstacles_near(&w->obstacles, q, radius))
      offence_add(&near, row);
    if (w->field_count && row->destination >= 0 && !field_reaches(&w->fields[row->destination], q))
      offence_add(&cut_off, row);
    if (row->destination < 0 && !row->has_goal && in->config->destinations.count != 1)
      offence_add(&idle, row);
    if (discs_touch(taken, q, radius))
      offence_add(&over, row);
    discs_add(taken, q, radius);
  }
  offence_tell(&outside, &d->roster, "or its goal lies outside world.extent", false, p);
  offence_tell(&inside, &d->roster, "stands inside a wall", false, p);
  offence_tell(&cut_off, &d->roster, "cannot reach its destination", false, p);
  offence_tell(&near, &d->roster, "touches a wall", true, p);
  offence_tell(&over, &d->roster, "overlaps another agent", true, p);
  offence_tell(&idle, &d->roster, "has neither goal nor destination and stays", true, p);
}

// --------------------------------------------------------------------------------- creation

bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct problems *p)
{
  const struct area_list *areas = &in->config->destinations.records[number].areas;
  const int before = p->count;
  outlines_create(out);
  for (int i = 0; i < areas->count; i++)
    area_outlines(in->geometry, in->config, &areas->areas[i], &in->world->frame, in->extent, out,
                  p);
  return p->count == before;
}

static void destinations_keep(struct demand *d, const struct demand_input *in, struct problems *p)
{
  const int count = d->config->destinations.count;
  d->destinations = memory_create((size_t)count, sizeof *d->destinations);
  for (int i = 0; i < count; i++)
    destination_outlines(in, i, &d->destinations[i], p);
}

static int32_t largest_radius(const struct demand *d)
{
  double largest = profiles_largest_radius(d->config);
  for (int64_t i = 0; i < d->roster.count; i++)
    if ((double)d->roster.rows[i].radius > largest)
      largest = (double)d->roster.rows[i].radius;
  return frame_length(&d->world->frame, largest) + 1;
}

// Places are told apart only where there is more than one party.
static void everybody_place(struct demand *d, const struct demand_input *in, struct problems *p)
{
  struct discs taken = {0};
  const bool several = d->roster.count > 0 || d->source_count > 1;
  if (several)
    discs_create(&taken, d->roster.count + 1024, largest_radius(d));
  if (d->roster.count)
    roster_check(d, in, &taken, p);
  for (int i = 0; i < d->source_count; i++)
    source_place(d, &d->sources[i], in, several ? &taken : NULL, p);
  discs_destroy(&taken);
}

struct demand *demand_create(const struct demand_input *in, struct problems *p)
{
  const int before = p->count;
  const struct config *c = in->config;
  struct demand *d = memory_create(1, sizeof *d);
  *d = (struct demand){.config = c,
                       .world = in->world,
                       .seed = (uint64_t)c->seed,
                       .roster = *in->roster,
                       .source_count = c->sources.count};
  *in->roster = (struct roster){0};
  d->count = d->roster.count;
  if (d->count && d->roster.rows[d->count - 1].id > INT64_MAX - ((int64_t)1 << 40))
    problem_add(p, (struct place){d->roster.path, NULL, d->roster.rows[d->count - 1].line, 1},
                "id %lld leaves no room for the ids of sources",
                (long long)d->roster.rows[d->count - 1].id);
  else
    d->first_id = d->count ? d->roster.rows[d->count - 1].id + 1 : 0;
  d->sources = memory_create((size_t)d->source_count, sizeof *d->sources);
  for (int i = 0; i < d->source_count; i++) {
    d->sources[i].config = &c->sources.records[i];
    profiles_resolve(&d->sources[i], c, p);
    numbers_check(&d->sources[i], c, p);
    goal_resolve(&d->sources[i], in, p);
  }
  if (!in->world->field_count)
    destinations_keep(d, in, p);
  if (p->count == before)
    everybody_place(d, in, p);
  if (p->count == before && d->count == 0)
    problem_add(p, (struct place){c->path, NULL, 0, 0},
                "no agents: sources and agents give nobody");
  if (p->count == before)
    return d;
  demand_destroy(d);
  return NULL;
}

void demand_destroy(struct demand *d)
{
  if (!d)
    return;
  for (int i = 0; i < d->source_count; i++) {
    memory_destroy(d->sources[i].profiles);
    memory_destroy(d->sources[i].bounds);
    obstacles_destroy(&d->sources[i].goal_area);
  }
  for (int i = 0; d->destinations && i < d->config->destinations.count; i++)
    outlines_destroy(&d->destinations[i]);
  memory_destroy(d->destinations);
  memory_destroy(d->sources);
  memory_destroy(d->places);
  roster_destroy(&d->roster);
  memory_destroy(d);
}

int64_t demand_count(const struct demand *d)
{
  return d->count;
}

size_t demand_bytes(const struct demand *d)
{
  return (size_t)(d->count - d->roster.count) * sizeof *d->places +
         (size_t)d->roster.count * sizeof *d->roster.rows;
}

// ------------------------------------------------------------------------------------ people

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

#define GOAL_TRIES 64

// A random free point of the goal area; where nearly all of it is walls, the last one tried.
static struct point area_goal(const struct demand *d, const struct source *s, int64_t id)
{
  const int64_t width = (int64_t)s->goal_box.hi.x - s->goal_box.lo.x;
  const int64_t height = (int64_t)s->goal_box.hi.y - s->goal_box.lo.y;
  struct point q = s->goal_box.lo;
  for (int try = 0; try < GOAL_TRIES; try++) {
    const struct random4 r = random_words(d->seed, id, try, RANDOM_GOAL);
    q.x = (int32_t)(s->goal_box.lo.x + (int64_t)(((uint64_t)r.word[0] * (uint64_t)width) >> 32));
    q.y = (int32_t)(s->goal_box.lo.y + (int64_t)(((uint64_t)r.word[1] * (uint64_t)height) >> 32));
    if (obstacles_solid(&s->goal_area, q) && !obstacles_solid(&d->world->obstacles, q))
      break;
  }
  return q;
}

static struct point source_goal(const struct demand *d, const struct source *s, int64_t id,
                                struct point at)
{
  switch (s->goal) {
  case GOAL_FIELD:
    return at;
  case GOAL_NEAREST:
    return outlines_nearest(&d->destinations[s->destination], at);
  case GOAL_AREA:
    return area_goal(d, s, id);
  case GOAL_OPPOSITE:
    return (struct point){2 * s->point.x - at.x, 2 * s->point.y - at.y};
  case GOAL_POINT:
    break;
  }
  return s->point;
}

static const struct profile_config *profile_of(const struct demand *d, const struct source *s,
                                               int64_t id)
{
  const int count = s->config->profiles.count;
  if (count <= 1)
    return &d->config->profiles.records[s->profiles[0]];
  const double unit = (double)random_words(d->seed, id, 0, RANDOM_PROFILE).word[0] * 0x1p-32;
  int k = 0;
  while (k + 1 < count && unit >= s->bounds[k])
    k++;
  return &d->config->profiles.records[s->profiles[k]];
}

// Everybody may walk faster than they like to, to get out of somebody's way.
#define HASTE 1.3

static void body_set(const struct demand *d, const struct profile_config *profile, int64_t id,
                     struct agents *a, int64_t i)
{
  if (a->radius[i] <= 0)
    a->radius[i] = (float)distribution_draw(&profile->radius, d->seed, id, RANDOM_RADIUS);
  if (a->speed[i] < 0)
    a->speed[i] = (float)distribution_draw(&profile->speed, d->seed, id, RANDOM_SPEED);
  double most = HASTE * (double)a->speed[i];
  if (profile->max_speed.hi > 0)
    most = distribution_draw(&profile->max_speed, d->seed, ~id, RANDOM_SPEED);
  a->max_speed[i] = (float)most > a->speed[i] ? (float)most : a->speed[i];
}

static void row_append(const struct demand *d, const struct roster_row *row, struct agents *a)
{
  const struct frame *frame = &d->world->frame;
  const int64_t i = agents_append(a);
  const struct point at = frame_point(frame, row->x, row->y);
  int destination = row->destination;
  if (destination < 0 && !row->has_goal && d->config->destinations.count == 1)
    destination = 0;
  struct point goal = at;
  if (row->has_goal)
    goal = frame_point(frame, row->goal_x, row->goal_y);
  else if (destination >= 0 && !d->world->field_count)
    goal = outlines_nearest(&d->destinations[destination], at);
  a->id[i] = row->id;
  a->x[i] = at.x;
  a->y[i] = at.y;
  a->vx[i] = row->vx;
  a->vy[i] = row->vy;
  a->radius[i] = row->radius;
  a->speed[i] = row->speed;
  a->destination[i] = d->world->field_count && !row->has_goal ? destination : -1;
  a->goal_x[i] = goal.x;
  a->goal_y[i] = goal.y;
  body_set(d, &d->config->profiles.records[0], row->id, a, i);
}

static const struct source *source_of(const struct demand *d, int64_t k)
{
  const struct source *s = d->sources;
  while (k >= s->first + s->count)
    s++;
  return s;
}

static void person_append(const struct demand *d, int64_t k, struct agents *a)
{
  const struct source *s = source_of(d, k);
  const struct point at = d->places[k - d->roster.count];
  const int64_t id = d->first_id + k - d->roster.count, i = agents_append(a);
  const struct point goal = source_goal(d, s, id, at);
  a->id[i] = id;
  a->x[i] = at.x;
  a->y[i] = at.y;
  a->speed[i] = -1;
  a->destination[i] = s->goal == GOAL_FIELD ? s->destination : -1;
  a->goal_x[i] = goal.x;
  a->goal_y[i] = goal.y;
  body_set(d, profile_of(d, s, id), id, a, i);
}

void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a)
{
  agents_reserve(a, a->count + end - first);
  for (int64_t k = first; k < end; k++)
    if (k < d->roster.count)
      row_append(d, &d->roster.rows[k], a);
    else
      person_append(d, k, a);
}

// ------------------------------------------------------------------------------- in words

static void area_describe(const struct area *area, FILE *out)
{
  const double *x = area->numbers;
  switch (area->kind) {
  case AREA_NONE:
    break;
  case AREA_RECTANGLE:
    fprintf(out, "the rectangle (%.6g, %.6g) to (%.6g, %.6g)", x[0], x[1], x[2], x[3]);
    break;
  case AREA_CIRCLE:
    fprintf(out, "the circle of %.6g m about (%.6g, %.6g)", x[2], x[0], x[1]);
    break;
  case AREA_POLYGON:
    fprintf(out, "a polygon of %lld corners", (long long)area->point_count);
    break;
  case AREA_WKT:
    fprintf(out, "a WKT area");
    break;
  case AREA_BORDER:
    fprintf(out, "the border, %.6g m wide", x[0]);
    break;
  case AREA_FEATURE:
    fprintf(out, "\"%s\" of the map", area->text);
    break;
  }
}

static void source_describe(const struct demand *d, const struct source *s, FILE *out)
{
  const struct source_config *c = s->config;
  fprintf(out, "  %-16s %lld from ", c->name, (long long)s->count);
  area_describe(&c->area, out);
  if (s->destination >= 0)
    fprintf(out, " to \"%s\"", c->destination);
  else if (s->goal == GOAL_POINT)
    fprintf(out, " to (%.6g, %.6g)", c->goal.values[0], c->goal.values[1]);
  else if (s->goal == GOAL_OPPOSITE)
    fprintf(out, " to the opposite side of (%.6g, %.6g)", c->opposite.values[0],
            c->opposite.values[1]);
  else {
    fprintf(out, " to random points of ");
    area_describe(&c->goal_area, out);
  }
  fprintf(out, "; ");
  for (int i = 0; i < c->profiles.count || i == 0; i++)
    fprintf(out, "%s%s", i ? ", " : "", d->config->profiles.records[s->profiles[i]].name);
  fputc('\n', out);
}

void demand_describe(const struct demand *d, FILE *out)
{
  if (d->roster.count)
    fprintf(out, "  %-16s %lld, ids %lld to %lld\n", d->config->agents, (long long)d->roster.count,
            (long long)d->roster.rows[0].id, (long long)d->roster.rows[d->roster.count - 1].id);
  for (int i = 0; i < d->source_count; i++)
    source_describe(d, &d->sources[i], out);
}
