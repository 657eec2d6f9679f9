#include "scenario.h"

#include "build_avoidance.h"
#include "build_measure.h"
#include "build_navigation.h"
#include "build_plugin.h"
#include "build_selection.h"
#include "build_walking.h"
#include "config_check.h"
#include "config_read.h"
#include "demand.h"
#include "extent.h"
#include "roadmap_cache.h"
#include "scenario_text.h"
#include "shape.h"
#include "steps.h"
#include <string.h>

#define SCENARIO_LIMIT ((size_t)1 << 24) // bytes of YAML
#define CLIP_MARGIN    10.0 // m of geometry kept outside the extent, so that cuts lie outside

struct scenario_builder {
  struct scenario *s;
  struct config *c;
  struct geometry *geometry;
  struct agent_table agent_table;
  bool writes_map;
  struct plugin_use plugin;
  struct diagnostics *diagnostics;
};

// ----------------------------------------------------------------------------------- extent

static struct rectangle clip_rectangle(const struct rectangle *extent)
{
  return (struct rectangle){{extent->lo[0] - CLIP_MARGIN, extent->lo[1] - CLIP_MARGIN},
                            {extent->hi[0] + CLIP_MARGIN, extent->hi[1] + CLIP_MARGIN}};
}

static bool build_frame(struct scenario_builder *m)
{
  const struct rectangle clip = clip_rectangle(&m->s->extent);
  struct frame *frame = &m->s->world.frame;
  if (!frame_fit(frame, clip.lo, clip.hi)) {
    const double most = ldexp(POSITION_LIMIT, 1 - FRAME_EXPONENT_MIN) * 15 / 16;
    diagnostics_error(
        m->diagnostics, origin_location(m->c, &m->c->from, "world.extent"),
        "world too large: %.6g x %.6g km; with a resolution of a millimetre, a side has at most "
        "%.6g km",
        (m->s->extent.hi[0] - m->s->extent.lo[0]) / 1000,
        (m->s->extent.hi[1] - m->s->extent.lo[1]) / 1000, most / 1000);
    return false;
  }
  m->s->world.bounds.lo = frame_point(frame, m->s->extent.lo[0], m->s->extent.lo[1]);
  m->s->world.bounds.hi = frame_point(frame, m->s->extent.hi[0], m->s->extent.hi[1]);
  const struct box b = m->s->world.bounds;
  if (b.lo.x < b.hi.x && b.lo.y < b.hi.y)
    return true;
  diagnostics_error(m->diagnostics, origin_location(m->c, &m->c->from, "world.extent"),
                    "world.extent: narrower than one quantum of %.3g m",
                    (double)frame_quantum(frame));
  return false;
}

static bool build_walls(struct scenario_builder *m, const struct demand_input *in)
{
  const int before = m->diagnostics->count;
  const struct rectangle clip = clip_rectangle(&m->s->extent);
  struct scenario *s = m->s;
  const struct geometry_context context = {m->geometry, m->c, &s->world.frame, &clip};
  if (!geometry_walls(&context, &s->walls, &s->environment.outside_solid, m->diagnostics))
    return false;
  if (s->output.trajectory.every > 0 &&
      !(s->output.trajectory.walkable = geometry_walkable(&context, &m->s->extent, m->diagnostics)))
    return false;
  s->environment.walls = s->walls;
  s->environment.spreads = s->headway.spreads;
  environment_create(&s->environment, in, m->diagnostics);
  environment_build_obstacles(&s->environment, &s->world);
  return m->diagnostics->count == before;
}

// ------------------------------------------------------------------------------- building

static void names_copy(struct scenario *s, const struct config *c)
{
  s->source_count = c->sources.count;
  s->profile_count = c->profiles.count;
  s->source_names = memory_create((size_t)s->source_count, sizeof(char *));
  s->profile_names = memory_create((size_t)s->profile_count, sizeof(char *));
  for (int i = 0; i < s->source_count; i++)
    s->source_names[i] = text_copy(c->sources.records[i].name, strlen(c->sources.records[i].name));
  for (int i = 0; i < s->profile_count; i++)
    s->profile_names[i] =
        text_copy(c->profiles.records[i].name, strlen(c->profiles.records[i].name));
}

static void options_copy(struct scenario_builder *m)
{
  struct scenario *s = m->s;
  const struct config *c = m->c;
  s->name = text_copy(c->name, strlen(c->name));
  s->seed = (uint64_t)c->seed;
  s->dt = c->time.step;
  s->steps = steps_nearest(c->time.end, c->time.step);
  s->leave_at_goal = c->goal.on_arrival == ARRIVAL_LEAVE;
  s->stay_at_goal = c->goal.on_arrival == ARRIVAL_STAY;
  s->goal_radius = (float)c->goal.radius;
  s->turn_back = c->goal.on_arrival == ARRIVAL_TURN_BACK;
  s->deadlock_timeout = c->avoidance.jam == JAM_REPORT // no agent steps aside
                            ? 0
                            : (int32_t)steps_at_least(c->avoidance.deadlock_timeout, s->dt);
  s->grid.every = c->measure.grid.every;
  s->grid.sample = c->measure.grid.sample;
  s->alarms.density = c->alarms.density;
  s->alarms.every = c->alarms.every;
  s->overlap = c->ranks.overlap;
  s->re_route = c->avoidance.jam == JAM_RE_ROUTE;
  s->alarms.jam = c->alarms.jam;
  names_copy(s, c);
  s->output = (struct output_options){.snapshot_every = c->output.snapshot_every,
                                      .series_every = c->output.series_every,
                                      .f64 = c->output.positions == 1,
                                      .compression = (int32_t)c->output.compression,
                                      .checkpoint_every = c->output.checkpoint_every,
                                      .checkpoint_wall = c->output.checkpoint_wall};
  s->output.checkpoint_keep = config_checkpoint_keep(c, m->diagnostics);
  s->output.trajectory.every = c->output.trajectory.every;
  s->output.trajectory.layout = (enum trajectory_layout)c->output.trajectory.layout;
  if (c->output.directory)
    s->output.directory = text_copy(c->output.directory, strlen(c->output.directory));
  s->balance = (struct balance_options){(enum balance_when)c->balance.when,
                                        (int64_t)c->balance.every, c->balance.threshold};
  s->destination_count = c->destinations.count;
  s->destination_names = memory_create((size_t)s->destination_count, sizeof(char *));
  for (int i = 0; i < s->destination_count; i++)
    s->destination_names[i] =
        text_copy(c->destinations.records[i].name, strlen(c->destinations.records[i].name));
}

// position_rounded is exact for displacements below 2^22 quanta per step.
static void check_step(struct scenario_builder *m)
{
  const double longest = 0x1p22 * (double)frame_quantum(&m->s->world.frame) / AGENT_SPEED_MAX;
  if (m->c->time.step > longest)
    diagnostics_error(m->diagnostics, origin_location(m->c, &m->c->from, "time.step"),
                      "time.step: at most %.10g s in a world of this size", longest);
}

static struct navigation_build navigation_parts(struct scenario *s)
{
  return (struct navigation_build){.path = s->path,
                                   .name = s->name,
                                   .directory = s->output.directory,
                                   .destination_count = s->destination_count,
                                   .world = &s->world,
                                   .environment = &s->environment,
                                   .inflated = &s->inflated,
                                   .roadmap = &s->roadmap,
                                   .live = &s->live};
}

#define FLOAT_REACH 4096.0 // m: up to here a float is within 0.13 mm

static bool is_far(const struct rectangle *r)
{
  return fmax(fmax(-r->lo[0], r->hi[0]), fmax(-r->lo[1], r->hi[1])) > FLOAT_REACH;
}

#define AREAS_HINT "outlines with fewer points need less"

// Builds the world except for its fields.
static void build_world(struct scenario_builder *m, struct demand_input *in)
{
  struct scenario *s = m->s;
  m->s->extent = extent_find(m->c, m->geometry, &m->agent_table, m->diagnostics);
  if (m->diagnostics->count || !build_frame(m))
    return;
  s->output.f64 |= is_far(&s->extent);
  check_step(m);
  s->output.selection = build_selection(m->c, &s->world.frame, m->diagnostics);
  s->output.trajectory.selection =
      build_trajectory_selection(m->c, &s->world.frame, m->diagnostics);
  memory_purpose(AREAS_HINT, "the walls");
  if (m->diagnostics->count || !build_walls(m, in))
    return;
  const struct navigation_build navigation = navigation_parts(s);
  build_navigation(&navigation, in, m->diagnostics);
  memory_purpose(AREAS_HINT, "the lines and areas that are measured");
  build_measure(&s->measure, in, m->diagnostics);
  s->world.facings = s->headway.on;
}

static void build_demand(struct scenario_builder *m, struct demand_input *in)
{
  struct scenario *s = m->s;
  memory_purpose("fewer agents need less", "the places of the agents at the start");
  events_create(&s->events, in, m->diagnostics);
  in->routes_change = events_open_routes(&s->events);
  s->demand = demand_create(in, m->diagnostics);
  s->agent_count = s->demand ? demand_count(s->demand) : 0;
  if (s->demand && s->stay_at_goal)
    s->world.meeting_reach = demand_meeting_reach(s->demand);
  const char *attribution = geometry_attribution(m->geometry);
  s->attribution = text_copy(attribution, strlen(attribution));
  s->places = geometry_describe_places(m->geometry, m->c);
  const struct projection *projection = geometry_projection(m->geometry);
  s->projected = projection != NULL;
  s->crs = geometry_describe_crs(m->geometry);
  if (projection)
    s->projection = *projection;
}

static void inputs_read(struct scenario_builder *m, struct demand_input *in, size_t length,
                        const char *const *overrides, int count)
{
  struct scenario *s = m->s;
  const struct config_source source = {s->path, s->yaml, length, overrides, count};
  if (!config_read(m->c, &source, m->diagnostics))
    return;
  config_choose_navigation(m->c);
  config_check(m->c, m->diagnostics);
  options_copy(m);
  const bool agent_table = agent_table_read(&m->agent_table, m->c, m->diagnostics);
  s->plugin = plugin_create(m->c, m->plugin, m->diagnostics);
  s->avoidance = build_avoidance(m->c, &m->agent_table);
  build_walking(&s->density_speed, &s->headway, m->c, m->diagnostics);
  for (int i = 0; i < m->c->sources.count; i++)
    s->has_groups = s->has_groups || m->c->sources.records[i].group.hi > 1;
  m->geometry = geometry_create(m->c, m->writes_map, m->diagnostics);
  in->geometry = m->geometry;
  if (m->geometry)
    geometry_place(m->geometry, m->c, m->diagnostics);
  if (m->geometry && agent_table)
    agent_table_place(&m->agent_table, m->geometry, m->c, m->diagnostics);
  if (agent_table && m->geometry && m->diagnostics->count == 0)
    build_world(m, in);
}

// Fields are built by all processes of node_group or, after an error in any of them, by none.
static bool scenario_build(struct scenario_builder *m, size_t length, const char *const *overrides,
                           int count, const struct node_group *node_group)
{
  struct scenario *s = m->s;
  const int before = m->diagnostics->count;
  struct demand_input in = {
      .config = m->c, .world = &s->world, .extent = &m->s->extent, .agent_table = &m->agent_table};
  if (s->yaml)
    inputs_read(m, &in, length, overrides, count);
  const bool good = node_group_all(node_group, s->yaml && m->diagnostics->count == before);
  if (good) {
    const struct navigation_build navigation = navigation_parts(s);
    build_navigation_fields(&navigation, node_group, m->diagnostics);
    build_demand(m, &in);
  }
  if (m->writes_map)
    s->geometry = m->geometry;
  else
    geometry_destroy(m->geometry);
  agent_table_destroy(&m->agent_table);
  return good && m->diagnostics->count == before;
}

static char *read_source(const struct scenario_source *source, size_t *length,
                         struct diagnostics *diagnostics)
{
  const char *path = source->path;
  memory_purpose("smaller files need less", "reading %s and the files that it names", path);
  if (!source->text)
    return file_read(path, SCENARIO_LIMIT, "", (struct location){path, NULL, 0, 0}, length,
                     diagnostics);
  *length = strlen(source->text);
  return text_copy(source->text, *length);
}

struct scenario *scenario_create_from(const struct scenario_source *source,
                                      const struct node_group *node_group,
                                      struct diagnostics *diagnostics)
{
  size_t length = 0;
  const char *const *overrides = source->overrides;
  const int count = source->override_count;
  char *text = read_source(source, &length, diagnostics);
  struct scenario_builder m = {.s = memory_create(1, sizeof(struct scenario)),
                               .c = memory_create(1, sizeof(struct config)),
                               .writes_map = source->writes_map,
                               .plugin = source->plugin,
                               .diagnostics = diagnostics};
  m.s->yaml = text;
  m.s->path = text_copy(source->path, strlen(source->path));
  m.s->config = m.c;
  if (scenario_build(&m, length, overrides, count, node_group ? node_group : &node_group_self)) {
    overrides_copy(m.s, overrides, count);
    m.s->text = scenario_text(m.s, false);
    return m.s;
  }
  scenario_destroy(m.s);
  return NULL;
}

struct scenario *scenario_create(const char *path, const char *const *overrides, int count,
                                 const struct node_group *node_group,
                                 struct diagnostics *diagnostics)
{
  const struct scenario_source source = {
      .path = path, .overrides = overrides, .override_count = count};
  return scenario_create_from(&source, node_group, diagnostics);
}

const char *scenario_journey_name(const struct scenario *s, int k)
{
  return k >= 0 && k < s->config->journeys.count ? s->config->journeys.records[k].name : NULL;
}

void scenario_destroy(struct scenario *s)
{
  if (!s)
    return;
  geometry_destroy(s->geometry);
  demand_destroy(s->demand);
  environment_destroy(&s->environment);
  events_destroy(&s->events);
  world_destroy(&s->world);
  density_speed_destroy(&s->density_speed);
  headway_options_destroy(&s->headway);
  outlines_destroy(&s->walls);
  outlines_destroy(&s->inflated);
  for (int i = 0; i < s->destination_count; i++)
    memory_destroy(s->destination_names[i]);
  memory_destroy(s->destination_names);
  for (int i = 0; i < s->source_count; i++)
    memory_destroy(s->source_names[i]);
  for (int i = 0; i < s->profile_count; i++)
    memory_destroy(s->profile_names[i]);
  memory_destroy(s->source_names);
  memory_destroy(s->profile_names);
  measure_destroy(&s->measure);
  memory_destroy(s->output.directory);
  memory_destroy(s->output.trajectory.walkable);
  memory_destroy(s->name);
  memory_destroy(s->attribution);
  memory_destroy(s->crs);
  memory_destroy(s->places);
  memory_destroy(s->path);
  memory_destroy(s->text);
  memory_destroy(s->yaml);
  plugin_destroy(s->plugin);
  overrides_destroy(s);
  config_destroy(s->config);
  memory_destroy(s->config);
  memory_destroy(s);
}

void scenario_turn_back(const struct scenario *s, struct agents *a, int64_t i)
{
  const struct point next =
      demand_turn_back_goal(s->demand, a->id[i], (struct point){a->goal_x[i], a->goal_y[i]});
  a->goal_x[i] = next.x;
  a->goal_y[i] = next.y;
}

const struct demand *scenario_demand(const struct scenario *s)
{
  return s->demand;
}

void scenario_agents(const struct scenario *s, int64_t first, int64_t end, struct agents *a)
{
  demand_agents(s->demand, first, end, a);
}

void scenario_forget_starts(struct scenario *s)
{
  if (!s->turn_back)
    demand_forget_places(s->demand);
}

bool scenario_cache_roadmap(const struct scenario *s, const char *directory)
{
  if (!s->world.roadmap.destination_count || s->roadmap.cached || !s->roadmap.hash)
    return true;
  char *path = roadmap_file_path(directory, s->roadmap.hash);
  const bool good = roadmap_file_write(path, s->roadmap.hash, &s->inflated, &s->world.roadmap);
  memory_destroy(path);
  return good;
}

bool scenario_write_map(struct scenario *s, FILE *out)
{
  const struct geometry_context context = {s->geometry, s->config, &s->world.frame, &s->extent};
  const bool good = scene_write(&context, out);
  geometry_destroy(s->geometry);
  s->geometry = NULL;
  return good;
}
