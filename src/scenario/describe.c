// The output of `throng check`: a summary that fits a screen.
#include "build_measure.h"
#include "build_walking.h"
#include "build_zones.h"
#include "config.h"
#include "demand.h"
#include "kept_corners.h"
#include "plugin.h"
#include "scenario.h"
#include "shape.h"
#include "utf8.h"
#include <math.h>
#include <string.h>

static void walls_describe(const struct scenario *s, FILE *out)
{
  const struct obstacles *o = &s->world.obstacles;
  const double quantum = frame_quantum(&s->world.frame);
  fprintf(out, "walls         %lld in %lld outlines", (long long)o->count,
          (long long)s->walls.count);
  if (o->count)
    fprintf(out, ", %s %.4g km^2", o->outside_solid ? "around walkable ground of" : "solid",
            fabs(outlines_area(&s->walls, quantum)) * 1e-6);
  fprintf(out, "\n");
}

static void extent_describe(const struct scenario *s, FILE *out)
{
  const struct world *w = &s->world;
  const double quantum = frame_quantum(&w->frame);
  const double width = ((double)w->bounds.hi.x - w->bounds.lo.x) * quantum;
  const double height = ((double)w->bounds.hi.y - w->bounds.lo.y) * quantum;
  fprintf(out, "extent        (%.2f, %.2f) to (%.2f, %.2f) m: %.6g x %.6g m, %.4g km^2\n",
          frame_x(&w->frame, w->bounds.lo.x), frame_y(&w->frame, w->bounds.lo.y),
          frame_x(&w->frame, w->bounds.hi.x), frame_y(&w->frame, w->bounds.hi.y), width, height,
          width * height * 1e-6);
  if (s->projected)
    projection_describe(&s->projection, s->extent.lo, s->extent.hi, out);
  if (s->crs)
    fprintf(out, "%s\n", s->crs);
  fprintf(out, "quantum       2^-%d m = %.3g mm\n", w->frame.exponent, quantum * 1e3);
}

static void places_describe(const struct scenario *s, FILE *out)
{
  for (const char *line = s->places; line && *line; line += strcspn(line, "\n") + 1) {
    char *copy = text_copy(line, strcspn(line, "\n"));
    fprintf(out, "%s\n", printable(copy).text);
    memory_destroy(copy);
  }
}

static void roadmap_describe(const struct scenario *s, FILE *out)
{
  const struct roadmap *r = &s->world.roadmap;
  fprintf(out, "navigation    roadmap of %lld nodes and %lld edges, %s in %.2f s\n",
          (long long)r->node_count, (long long)(r->first[r->node_count] / 2),
          s->roadmap.cached ? "read from the cache" : "built", s->roadmap.seconds);
  for (int32_t t = 0; t < r->destination_count; t++) {
    int64_t reached = 0;
    for (int64_t u = 0; u < r->node_count; u++)
      reached += r->trees[t].cost_to_go.of[u] != WAYPOINTS_UNREACHED;
    fprintf(out, "  %-16s reached from %.1f %% of the nodes\n",
            printable(s->destination_names[t]).text,
            r->node_count ? 100.0 * (double)reached / (double)r->node_count : 100.0);
  }
}

static void fields_describe(const struct scenario *s, FILE *out)
{
  const struct nav_grid *g = &s->world.nav_grid;
  const int64_t cells = nav_grid_cell_count(g);
  int64_t open = 0;
  if (s->world.roadmap.destination_count) {
    roadmap_describe(s, out);
    return;
  }
  if (!s->world.destination_count) {
    fprintf(out, "navigation    %s\n", navigation_models[s->world.navigation].name);
    return;
  }
  for (int64_t i = 0; i < cells; i++)
    open += !(g->bits[i] & NAV_GRID_SOLID);
  const double side = g->cell * (double)frame_quantum(&s->world.frame);
  fprintf(out, "navigation    field of %d x %d = %lld cells of %.4g m, %.4g km^2 of them free\n",
          g->columns, g->rows, (long long)g->columns * g->rows, side,
          (double)open * side * side * 1e-6);
  if (g->lost_passages > 0) {
    const struct frame *frame = &s->world.frame;
    fprintf(out,
            "  %lld passages are closed, one near (%.2f, %.2f): two pass through one cell there; "
            "take a smaller navigation.cell\n",
            (long long)g->lost_passages, frame_x(frame, g->lost_at.x),
            frame_y(frame, g->lost_at.y));
  }
  if (s->world.route_count > 1)
    fprintf(out, "  %d fields for each destination, costs up to %.0f %% higher\n",
            s->world.route_count, 100 * s->environment.noise.share);
  for (int f = 0; f < s->world.destination_count; f++) {
    int64_t reached = 0;
    for (int64_t i = 0; i < cells; i++)
      reached += world_field(&s->world, f, 0)->time[i] != FIELD_UNREACHED &&
                 !(g->bits[i] & NAV_GRID_SOLID);
    fprintf(out, "  %-16s reached from %.1f %% of the free ground\n",
            printable(s->destination_names[f]).text,
            open ? 100.0 * (double)reached / (double)open : 0.0);
  }
}

static void plugin_describe(const struct scenario *s, FILE *out)
{
  const struct plugin *plugin = s->plugin;
  if (!plugin)
    return;
  if (!plugin->code[0]) {
    fprintf(out, "avoidance     plug-in: %s, which is not loaded (--load-plugin)\n",
            printable(s->config->avoidance.plugin.file).text);
    return;
  }
  const struct plugin_parameter *all = plugin->code[0]->parameters;
  fprintf(out, "avoidance     plug-in: %s", printable(plugin->name).text);
  for (int k = 0; all[k].name; k++)
    fprintf(out, "%s%s %.6g", k ? ", " : " (", printable(all[k].name).text,
            (double)plugin->parameters[k]);
  fprintf(out, "%s\n", all[0].name ? ")" : "");
}

static void measure_describe(const struct scenario *s, FILE *out)
{
  const struct measure *m = &s->measure;
  if (m->line_count + m->area_count + m->grid.cell == 0)
    return;
  fprintf(out, "measured      %d lines, %d areas", m->line_count, m->area_count);
  if (m->grid.cell)
    fprintf(out, ", a grid of %d x %d cells of %.4g m", m->grid.columns, m->grid.rows,
            m->grid.cell * (double)frame_quantum(&s->world.frame));
  fprintf(out, "\n");
  for (int k = 0; k < m->area_count; k++)
    fprintf(out, "  %-16s %.6g m^2 without walls\n", printable(m->areas[k].name).text,
            m->areas[k].walkable_area);
}

#define PROGRAM_BYTES 50e6

struct memory_estimate {
  double agents, ghosts, world, demand, measure; // bytes per rank
  double gathered;                               // bytes of rank 0, besides
  double fields;                                 // bytes per node
};

// Bits, costs, blocked directions and gaps of the cells, the costs of live travel times, and the
// marks of the wavefront while a field is solved.
static double nav_grid_bytes(const struct scenario *s)
{
  const struct nav_grid *g = &s->world.nav_grid;
  const double marks = 1.0 + (g->cost ? sizeof *g->cost : 0) + (g->blocked_directions ? 1 : 0) +
                       (g->gap ? 1 : 0) + (s->live.period > 0 ? sizeof *g->cost : 0);
  return (double)nav_grid_cell_count(g) * (marks + 3.0);
}

// A field takes memory only where agents have it: agents.h.
static bool field_is_used(const struct scenario *s, const struct agent_field *field)
{
  const bool walks = s->headway.on, turns = s->headway.spreads, goes = s->destination_count > 0;
  const struct {
    const char *name;
    bool used;
  } features[] = {{"group", s->has_groups}, {"facing_x", walks}, {"facing_y", walks},
                  {"passing", walks},       {"choice", walks},   {"turn", turns},
                  {"destination", goes},    {"aim", goes},       {"stage", goes},
                  {"target", goes},         {"doing", goes},     {"until", goes}};
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if (strcmp(features[i].name, field->name) == 0)
      return features[i].used;
  return true;
}

// Bytes per agent of the trees, marks of agents that arrive, and rows of a snapshot. The sort uses
// the fields of a step.
#define SEARCH_BYTES 8.0
#define COPY_BYTES   36.0 // per agent of a snapshot: SNAPSHOT_COPIED_MAX

// Assumes that each rank has a square share of the extent, surrounded by a halo as wide as the
// neighbour distance.
static struct memory_estimate memory_estimate_create(const struct scenario *s, int ranks)
{
  const struct world *w = &s->world;
  const double quantum = frame_quantum(&w->frame);
  const double area = ((double)w->bounds.hi.x - w->bounds.lo.x) * quantum *
                      (((double)w->bounds.hi.y - w->bounds.lo.y) * quantum);
  const double agents = (double)s->agent_count / ranks, side = sqrt(area / ranks);
  const double ring = ranks > 1 ? 4.0 * (double)s->avoidance.neighbour_distance / side : 0.0;
  double each = SEARCH_BYTES;
  for (int i = 0; i < agent_field_count; i++)
    each += field_is_used(s, &agent_fields[i]) ? (double)agent_fields[i].size : 0.0;
  if (w->navigation == NAVIGATION_field)
    each += 1.125 * (double)(sizeof(struct kept_corners_block) + sizeof(uint16_t)) /
            KEPT_BLOCK; // with spare room
  const double others = (double)s->agent_count - agents;
  const double ghosts = agents * ring < others ? agents * ring : others;
  const struct roadmap *r = &w->roadmap;
  const double edges = r->first ? (double)r->first[r->node_count] : 0.0;
  const double node_bytes =
      64.0 + r->destination_count * (double)(sizeof *r->last_edges + sizeof(int64_t) +
                                             sizeof(int32_t) + sizeof(struct tangent_wedge) +
                                             (s->environment.spreads ? sizeof(struct passage) : 0));
  const double roadmap = (double)r->node_count * node_bytes + 12.0 * edges +
                         (double)r->inflated.walls.count * sizeof(struct wall);
  return (struct memory_estimate){
      agents * each + (ranks == 1 ? 2 * COPY_BYTES * fmin(agents, SNAPSHOT_COPIED_MAX) : 0.0),
      ghosts * (each + (double)agents_packed_size(SCOPE_GHOST)),
      roadmap + nav_grid_bytes(s) +
          (double)w->obstacles.count * (sizeof(struct wall) + 2.0 * sizeof(struct box)),
      (double)demand_bytes(s->demand),
      measure_bytes(&s->measure, s->config, ranks),
      measure_gathered_bytes(&s->measure, s->config, ranks),
      (w->destination_count * w->route_count + w->spare_count) * (double)field_bytes(&w->nav_grid)};
}

static double rank_bytes(const struct memory_estimate *m)
{
  return m->agents + m->ghosts + m->world + m->demand + m->measure + PROGRAM_BYTES;
}

double scenario_memory_bytes(const struct scenario *s, int ranks, int ranks_here)
{
  const struct memory_estimate m = memory_estimate_create(s, ranks);
  return ranks_here * rank_bytes(&m) + m.fields + m.gathered;
}

static void memory_describe(const struct scenario *s, int ranks, FILE *out)
{
  const struct memory_estimate m = memory_estimate_create(s, ranks);
  fprintf(out,
          "memory        about %.0f MB per rank on %d: agents %.1f, ghosts %.1f, walls and grid "
          "%.1f, starts %.1f, measuring %.1f; and %.0f MB for the program\n",
          ceil(rank_bytes(&m) * 1e-6), ranks, m.agents * 1e-6, m.ghosts * 1e-6, m.world * 1e-6,
          m.demand * 1e-6, m.measure * 1e-6, PROGRAM_BYTES * 1e-6);
  if (m.gathered > 0)
    fprintf(out, "              and up to %.1f MB at the end for the totals, on rank 0\n",
            m.gathered * 1e-6);
  if (m.fields > 0)
    fprintf(out, "              and %.1f MB of fields, shared by all ranks of a node\n",
            m.fields * 1e-6);
}

void scenario_describe(const struct scenario *s, int ranks, FILE *out)
{
  fprintf(out, "scenario      %s (%s), seed %llu\n", printable(s->name).text,
          printable(s->path).text, (unsigned long long)s->seed);
  fprintf(out, "agents        %lld\n", (long long)s->agent_count);
  demand_describe(s->demand, out);
  walking_describe(s->config, out);
  walls_describe(s, out);
  places_describe(s, out);
  extent_describe(s, out);
  fields_describe(s, out);
  zones_describe(s->config, out);
  events_describe(&s->events, s->config, out);
  if (s->live.period)
    fprintf(out, "live          travel times recomputed every %.6g s\n",
            (double)s->live.period * s->dt);
  plugin_describe(s, out);
  measure_describe(s, out);
  fprintf(out, "time          %.6g s in %lld steps of %.4g s\n", (double)s->steps * (double)s->dt,
          (long long)s->steps, (double)s->dt);
  memory_describe(s, ranks, out);
}
