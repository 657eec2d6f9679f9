#include "build_navigation.h"

#include "build_avoidance.h"
#include "build_zones.h"
#include "demand_input.h"
#include "fields_update.h"
#include "radii.h"
#include "shape.h"
#include "steps.h"
#include <inttypes.h>
#include <math.h>

#define CELLS_MAX (1 << 29)

static int32_t clearance_quanta(const struct config *c, const struct frame *frame)
{
  const struct optional *given = &c->navigation.clearance;
  const double least = avoidance_contact_of(c) * profiles_largest_radius(c); // shoulders turn
  return frame_length(frame, given->given ? given->value : least);
}

#define ARRIVAL_REACH 1.0 // m: nobody in a larger body is expected later

// The largest radius of any agent, at least ARRIVAL_REACH.
static int32_t arrival_reach(const struct demand_input *in)
{
  double largest = fmax(profiles_largest_radius(in->config), ARRIVAL_REACH);
  for (int64_t i = 0; i < in->agent_table->count; i++)
    largest = fmax(largest, (double)in->agent_table->rows[i].radius);
  return frame_length(&in->world->frame, largest);
}

// ------------------------------------------------------------------------------------ fields

// A destination without a free cell could never be reached.
static void check_targets(const struct navigation_build *b, const struct config *c,
                          struct diagnostics *p)
{
  environment_find_targets(b->environment, b->world);
  for (int i = 0; i < c->destinations.count; i++)
    if (environment_is_walled_up(b->environment, &b->world->nav_grid, i))
      diagnostics_error(
          p, origin_location(c, &c->destinations.records[i].from, NULL),
          "destinations[%d]: unreachable destination: \"%s\" lies entirely inside walls", i,
          c->destinations.records[i].name);
}

static double whole_squares(double cells) // in cells
{
  return CELL_SQUARE * ceil(cells / CELL_SQUARE);
}

static bool nav_grid_fits(const struct config *c, const struct world *w, int32_t cell,
                          struct diagnostics *p)
{
  const struct box box = w->bounds;
  const double columns = ceil(((double)box.hi.x - box.lo.x) / cell);
  const double rows = ceil(((double)box.hi.y - box.lo.y) / cell);
  if (cell > NAV_GRID_CELL_LIMIT) {
    diagnostics_error(p, origin_location(c, &c->from, "navigation.cell"),
                      "navigation.cell: %g m is too large for a world of this size; the limit is "
                      "%g m",
                      c->navigation.cell, NAV_GRID_CELL_LIMIT * (double)frame_quantum(&w->frame));
    return false;
  }
  if (columns * rows <= CELLS_MAX &&
      whole_squares(columns) * whole_squares(rows) <= 2.0 * CELLS_MAX)
    return true;
  diagnostics_error(
      p, origin_location(c, &c->from, "navigation.cell"),
      "navigation.cell: %.0f x %.0f cells are too many; the limit is %d, that is, at least %.3g m",
      columns, rows, CELLS_MAX, c->navigation.cell * sqrt(columns * rows / CELLS_MAX) * 1.01);
  return false;
}

static int32_t cell_quanta(const struct config *c, const struct frame *frame)
{
  const int32_t cell =
      frame_length(frame, c->navigation.cell) & ~1; // even: the centres of cells are exact
  return cell < 2 ? 2 : cell;
}

static void build_nav_grid(const struct navigation_build *b, const struct demand_input *in,
                           struct diagnostics *p)
{
  struct world *w = b->world;
  const int32_t cell = cell_quanta(in->config, &w->frame);
  if (!nav_grid_fits(in->config, w, cell, p))
    return;
  memory_purpose("larger cells (navigation.cell) need less",
                 "a navigation grid of %" PRId64 " x %" PRId64 " cells",
                 ((int64_t)w->bounds.hi.x - w->bounds.lo.x) / cell,
                 ((int64_t)w->bounds.hi.y - w->bounds.lo.y) / cell);
  environment_create_nav_grid(b->environment, w, cell);
  if (build_zones(in, b->environment, w, p))
    check_targets(b, in->config, p);
}

// Travel times that follow the crowd are solved while agents still follow the last ones.
static int32_t spare_count(const struct navigation_build *b, int32_t destinations)
{
  int32_t live = 0;
  for (int32_t f = 0; b->live->period > 0 && f < destinations; f++)
    live += b->environment->live[f];
  return live * b->environment->route_count;
}

void build_navigation_fields(const struct navigation_build *b, const struct node_group *node_group,
                             struct diagnostics *p)
{
  struct world *w = b->world;
  const int32_t count = w->nav_grid.columns > 0 ? b->destination_count : 0;
  if (count)
    memory_purpose("larger cells (navigation.cell) or fewer destinations or routes need less",
                   "%d navigation field%s of %d x %d cells", count * b->environment->route_count,
                   count * b->environment->route_count > 1 ? "s" : "", w->nav_grid.columns,
                   w->nav_grid.rows);
  if (!world_create_fields(w, count, b->environment->route_count, spare_count(b, count),
                           node_group))
    diagnostics_warning(
        p, (struct location){b->path, NULL, 0, 0},
        "shared memory (/dev/shm) has no room for %.0f MB of fields; each of the %d ranks on "
        "this node keeps its own copy",
        1e-6 * (count * b->environment->route_count + w->spare_count) *
            (double)field_bytes(&w->nav_grid),
        node_group->size);
  int32_t *all = memory_create((size_t)count, sizeof *all);
  for (int32_t f = 0; f < count; f++)
    all[f] = f;
  struct fields_update *update = fields_update_create(b->environment, w, all, count, false);
  fields_update_solve(update, NULL);
  fields_update_destroy(update);
  memory_destroy(all);
}

// ----------------------------------------------------------------------------------- roadmap

static void build_cached_roadmap(const struct navigation_build *b, const struct demand_input *in,
                                 struct diagnostics *p)
{
  struct text by_name = {0};
  text_add(&by_name, "runs/%s", b->name);
  struct outlines walls = environment_outlines(b->environment);
  const struct roadmap_input input = {in, &walls, b->environment->clearance,
                                      b->directory ? b->directory : by_name.bytes};
  const int before = p->count;
  build_roadmap(b->world, &input, b->inflated, b->roadmap, p);
  if (p->count == before && b->environment->spreads)
    world_measure_passages(b->world);
  b->world->navigation = NAVIGATION_roadmap;
  outlines_destroy(&walls);
  memory_destroy(by_name.bytes);
}

// -------------------------------------------------------------------------------------- live

static void set_dynamic_travel_times(const struct navigation_build *b, const struct config *c,
                                     struct diagnostics *p)
{
  const double period = c->navigation.live.period;
  if (period > 0 && !navigation_models[c->navigation.model].uses_grid)
    diagnostics_error(p, origin_location(c, &c->from, "navigation.live.period"),
                      "navigation.live.period: needs navigation.model: field");
  if (period > 0 && c->navigation.live.time <= 0 && c->navigation.live.length <= 0)
    diagnostics_error(p, origin_location(c, &c->from, "navigation.live.time"),
                      "navigation.live: time or length must have a weight above 0");
  const int64_t steps = steps_at_least(period, c->time.step);
  *b->live = (struct live){.period = steps,
                           .delay = steps > 2 ? steps / 2 : 1,
                           .cell = frame_length(&b->world->frame, c->navigation.live.cell),
                           .time = (float)c->navigation.live.time,
                           .length = (float)c->navigation.live.length,
                           .discomfort = (float)c->navigation.live.discomfort};
}

// ------------------------------------------------------------------------------------ routes

static void set_routes(const struct navigation_build *b, const struct config *c,
                       struct diagnostics *p)
{
  const int count = (int)c->navigation.routes.count;
  if (count > 1 && !navigation_models[c->navigation.model].uses_grid)
    diagnostics_error(p, origin_location(c, &c->from, "navigation.routes.count"),
                      "navigation.routes.count: needs navigation.model: field");
  b->environment->route_count = count;
  b->environment->noise = (struct cost_noise){.seed = (uint64_t)c->seed,
                                              .share = c->navigation.routes.noise,
                                              .metre = frame_length(&b->world->frame, 1)};
}

// ------------------------------------------------------------------------------- every model

static void build_direct_navigation(const struct navigation_build *b, const struct demand_input *in,
                                    struct diagnostics *p)
{
  build_zones(in, b->environment, b->world, p);
}

static void build_field_navigation(const struct navigation_build *b, const struct demand_input *in,
                                   struct diagnostics *p)
{
  build_nav_grid(b, in, p);
}

static void build_roadmap_navigation(const struct navigation_build *b,
                                     const struct demand_input *in, struct diagnostics *p)
{
  const int before = p->count;
  memory_purpose("fewer corners of walls need less", "the roadmap");
  build_zones(in, b->environment, b->world, p);
  if (p->count == before)
    build_cached_roadmap(b, in, p);
}

typedef void navigation_builder(const struct navigation_build *b, const struct demand_input *in,
                                struct diagnostics *p);

static navigation_builder *const builders[NAVIGATION_COUNT] = {
#define X(name) build_##name##_navigation,
    NAVIGATION_MODELS(X)
#undef X
};

bool build_navigation(const struct navigation_build *b, const struct demand_input *in,
                      struct diagnostics *p)
{
  const int before = p->count;
  b->environment->clearance = clearance_quanta(in->config, &b->world->frame);
  environment_set_arrival_areas(b->environment, b->world);
  b->world->arrival_reach = arrival_reach(in);
  builders[in->config->navigation.model](b, in, p);
  set_dynamic_travel_times(b, in->config, p);
  set_routes(b, in->config, p);
  return p->count == before;
}
