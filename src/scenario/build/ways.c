#include "ways.h"

#include "shape.h"
#include "zones_of.h"
#include <math.h>

#define CELLS_MAX (1 << 29)

enum model { MODEL_DIRECT, MODEL_FIELD, MODEL_ROADMAP }; // in the order of the option's words

static int32_t clearance_of(const struct config *c, const struct frame *frame) // quanta
{
  const struct optional *given = &c->navigation.clearance;
  return frame_length(frame, given->given ? given->value : profiles_largest_radius(c));
}

// ------------------------------------------------------------------------------------ fields

// No cell of a destination free: nobody could ever arrive.
static void targets_check(const struct navigation_build *b, const struct config *c,
                          struct problems *p)
{
  uint8_t *target = memory_create((size_t)ground_cell_count(&b->world->ground), 1);
  for (int i = 0; i < c->destinations.count; i++)
    if (!plan_target(b->plan, &b->world->ground, i, target))
      problem_add(p, origin_place(c, &c->destinations.records[i].from, NULL),
                  "destinations[%d]: unreachable destination: all of \"%s\" lies in walls", i,
                  c->destinations.records[i].name);
  memory_destroy(target);
}

static bool ground_fits(const struct config *c, struct box box, int32_t cell, struct problems *p)
{
  const double columns = ceil(((double)box.hi.x - box.lo.x) / cell);
  const double rows = ceil(((double)box.hi.y - box.lo.y) / cell);
  if (columns * rows <= CELLS_MAX)
    return true;
  problem_add(p, origin_place(c, &c->from, "navigation.cell"),
              "navigation.cell: %.0f x %.0f cells are too many (%d); at least %.3g m is needed",
              columns, rows, CELLS_MAX,
              c->navigation.cell * sqrt(columns * rows / CELLS_MAX) * 1.01);
  return false;
}

static int32_t cell_of(const struct config *c, const struct frame *frame)
{
  const int32_t cell = frame_length(frame, c->navigation.cell) & ~1; // even: centres are exact
  return cell < 2 ? 2 : cell > GROUND_CELL_LIMIT ? GROUND_CELL_LIMIT : cell;
}

static void ground_make(const struct navigation_build *b, const struct demand_input *in,
                        struct problems *p)
{
  struct world *w = b->world;
  const int32_t cell = cell_of(in->config, &w->frame);
  if (!ground_fits(in->config, w->bounds, cell, p))
    return;
  ground_create(&w->ground, w->bounds, cell, b->plan->clearance, &w->obstacles);
  if (zones_make(in, b->plan, w, p))
    targets_check(b, in->config, p);
}

void ways_solve(const struct navigation_build *b, const struct team *team, struct problems *p)
{
  struct world *w = b->world;
  const int32_t count = w->ground.columns > 0 ? b->destination_count : 0;
  if (!world_create_fields(w, count, team))
    warning_add(p, (struct place){b->path, NULL, 0, 0},
                "shared memory (/dev/shm) has no room for %.0f MB of fields: each of the %d ranks "
                "here keeps them for itself",
                1e-6 * count * (double)field_bytes(&w->ground), team->size);
  int32_t *all = memory_create((size_t)count, sizeof *all);
  for (int32_t f = 0; f < count; f++)
    all[f] = f;
  plan_solve(b->plan, w, all, count, NULL);
  memory_destroy(all);
}

// ----------------------------------------------------------------------------------- roadmap

static void roadmap_of(const struct navigation_build *b, const struct demand_input *in,
                       struct problems *p)
{
  struct text by_name = {0};
  text_add(&by_name, "runs/%s", b->name);
  struct outlines walls = plan_outlines(b->plan);
  const struct roadmap_input input = {in, &walls, b->plan->clearance,
                                      b->directory ? b->directory : by_name.bytes};
  roadmap_make(b->world, &input, b->grown, b->roadmap, p);
  outlines_destroy(&walls);
  memory_destroy(by_name.bytes);
}

// -------------------------------------------------------------------------------------- live

static void live_set(const struct navigation_build *b, const struct config *c, struct problems *p)
{
  const double period = c->navigation.live.period;
  if (period > 0 && c->navigation.model != MODEL_FIELD)
    problem_add(p, origin_place(c, &c->from, "navigation.live.period"),
                "navigation.live.period: needs navigation.model: field");
  if (period > 0 && c->navigation.live.time <= 0 && c->navigation.live.length <= 0)
    problem_add(p, origin_place(c, &c->from, "navigation.live.time"),
                "navigation.live: time or length must have a weight above 0");
  *b->live = (struct live){.period = llrint(fmin(ceil(period / c->time.step), STEP_LIMIT)),
                           .cell = frame_length(&b->world->frame, c->navigation.live.cell),
                           .time = (float)c->navigation.live.time,
                           .length = (float)c->navigation.live.length,
                           .discomfort = (float)c->navigation.live.discomfort};
}

bool ways_make(const struct navigation_build *b, const struct demand_input *in, struct problems *p)
{
  const int before = p->count;
  const int model = in->config->navigation.model;
  b->plan->clearance = clearance_of(in->config, &b->world->frame);
  if (model == MODEL_FIELD)
    ground_make(b, in, p);
  else
    zones_make(in, b->plan, b->world, p);
  if (model == MODEL_ROADMAP && p->count == before)
    roadmap_of(b, in, p);
  live_set(b, in->config, p);
  return p->count == before;
}
