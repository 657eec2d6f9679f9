#include "build_measure.h"

#include "cell_totals.h"
#include "diagnostics.h"
#include "name_table.h"
#include "shape.h"
#include <math.h>
#include <string.h>

#define CELLS_MAX ((int64_t)1 << 26) // 9 GB on every rank, if there are people in each

// ------------------------------------------------------------------------------------ lines

static void check_name(struct name_table *names, const struct demand_input *in,
                       const struct origin *from, const char *name, struct diagnostics *p)
{
  if (name_table_add(names, name, 0) != NAME_UNKNOWN)
    diagnostics_error(p, origin_location(in->config, from, "name"),
                      "%s.name: another record already has this name", from->path);
}

static bool line_from_ends(struct measure_line *line, const struct demand_input *in,
                           const struct line_config *c, struct diagnostics *p)
{
  const struct frame *frame = &in->world->frame;
  const double *a = c->start.values, *b = c->end.values;
  if (!c->start.given || !c->end.given || !frame_holds(frame, a[0], a[1]) ||
      !frame_holds(frame, b[0], b[1])) {
    diagnostics_error(p, origin_location(in->config, &c->from, NULL), "%s: %s", c->from.path,
                      c->start.given && c->end.given ? "the line lies outside world.extent"
                                                     : "from and to are expected, or line or wkt");
    return false;
  }
  line->points = memory_create(2, sizeof *line->points);
  line->points[0] = frame_point(frame, a[0], a[1]);
  line->points[1] = frame_point(frame, b[0], b[1]);
  line->count = line->points[0].x == line->points[1].x && line->points[0].y == line->points[1].y
                    ? 1
                    : 2; // line_outline does the same with a line without length
  return true;
}

// Of `line` or `wkt`.
static bool line_from_points(struct measure_line *line, const struct demand_input *in,
                             const struct line_config *c, struct diagnostics *p)
{
  struct outlines o;
  const struct geometry_context context = demand_geometry(in);
  const struct location at = origin_location(in->config, &c->from, c->wkt ? "wkt" : "line");
  const bool good = c->wkt ? line_outline(&context, c->wkt, at, c->from.path, &o, p)
                           : points_outline(&context, &c->line, at, c->from.path, &o, p);
  line->count = o.count ? o.start[1] : 0;
  line->points = memory_create((size_t)line->count, sizeof *line->points);
  if (line->count)
    memcpy(line->points, o.points, (size_t)line->count * sizeof *line->points);
  outlines_destroy(&o);
  return good;
}

static bool line_touches(const struct measure_line *line, struct box bounds)
{
  for (int64_t k = 0; k + 1 < line->count; k++) {
    const struct point a = line->points[k], b = line->points[k + 1];
    const struct box box = {{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y},
                            {(a.x > b.x ? a.x : b.x) + 1, (a.y > b.y ? a.y : b.y) + 1}};
    if (box_overlaps(box, bounds))
      return true;
  }
  return false;
}

static void build_line(struct measure_line *line, const struct demand_input *in,
                       const struct line_config *c, struct diagnostics *p)
{
  const struct location at = origin_location(in->config, &c->from, NULL);
  line->name = text_copy(c->name, strlen(c->name));
  const bool ends = c->start.given || c->end.given, points = c->line.count > 0;
  if (ends + points + (c->wkt != NULL) > 1) {
    diagnostics_error(p, at, "%s: %s cannot be combined with %s", c->from.path,
                      ends ? "from and to" : "line", c->wkt ? "wkt" : "line");
    return;
  }
  if (!(c->wkt || points ? line_from_points : line_from_ends)(line, in, c, p))
    return;
  if (line->count < 2)
    diagnostics_error(p, at, "%s: the line has no length", c->from.path);
  else if (!line_touches(line, in->world->bounds))
    diagnostics_error(p, at, "%s: the line lies outside world.extent", c->from.path);
}

// ------------------------------------------------------------------------------------ areas

// The smallest half-open box that holds all vertices.
static struct box outlines_bounds(const struct outlines *o)
{
  struct box box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < o->start[o->count]; i++) {
    const struct point q = o->points[i];
    box = box_union(box, (struct box){q, {q.x + 1, q.y + 1}});
  }
  return box;
}

static void build_area(struct measure_area *area, const struct demand_input *in,
                       const struct measured_config *c, struct diagnostics *p)
{
  const struct area_list *list = &c->areas;
  area->name = text_copy(c->name, strlen(c->name));
  const struct geometry_context context = demand_geometry(in);
  if (!areas_outlines(&context, list->areas, list->count, &area->outlines, p))
    return;
  area->box = outlines_bounds(&area->outlines);
  area->walkable_area = areas_free_area(&context, list->areas, list->count, p);
  if (!(area->walkable_area > 0))
    diagnostics_error(p, origin_location(in->config, &c->from, NULL),
                      "%s: the area lies entirely inside walls", c->from.path);
}

// ------------------------------------------------------------------------------------ exits

// What is wrong with an area is said where the destination is built: here it has no outlines.
static void build_exit(struct measure_area *exit, const struct demand_input *in,
                       const struct area *area)
{
  struct diagnostics ignored = {0};
  const struct geometry_context context = demand_geometry(in);
  if (areas_outlines(&context, area, 1, &exit->outlines, &ignored))
    exit->box = outlines_bounds(&exit->outlines);
  diagnostics_destroy(&ignored);
}

static void build_exits(struct measure *m, const struct demand_input *in)
{
  const struct destination_list *list = &in->config->destinations;
  int32_t count = 0;
  m->lists_people = true;
  m->destination_count = list->count;
  m->first_exit = memory_create((size_t)list->count + 1, sizeof *m->first_exit);
  for (int k = 0; k < list->count; k++) {
    m->first_exit[k] = count;
    count += list->records[k].areas.count;
  }
  m->first_exit[list->count] = count;
  m->exits = memory_create((size_t)count, sizeof *m->exits);
  for (int k = 0; k < list->count; k++)
    for (int i = 0; i < list->records[k].areas.count; i++)
      build_exit(&m->exits[m->first_exit[k] + i], in, &list->records[k].areas.areas[i]);
}

// ------------------------------------------------------------------------------------- grid

static bool wants_grid(const struct config *c)
{
  return c->measure.grid.every > 0 || c->alarms.density > 0;
}

static void build_grid(struct measure_grid *g, const struct demand_input *in, struct diagnostics *p)
{
  const struct box b = in->world->bounds;
  const double most = fmax((double)b.hi.x - b.lo.x, (double)b.hi.y - b.lo.y);
  const double side =
      in->config->measure.grid.cell / (double)frame_quantum(&in->world->frame); // quanta
  const int32_t cell = (int32_t)lrint(fmin(fmax(side, 1), most));
  const int64_t columns = ((int64_t)b.hi.x - b.lo.x + cell - 1) / cell;
  const int64_t rows = ((int64_t)b.hi.y - b.lo.y + cell - 1) / cell;
  if (columns > CELLS_MAX / rows)
    diagnostics_error(p, origin_location(in->config, &in->config->from, "measure.grid.cell"),
                      "measure.grid.cell: %lld x %lld cells are too many; the limit is %lld, that "
                      "is, at least %.3g m",
                      (long long)columns, (long long)rows, (long long)CELLS_MAX,
                      1.01 * in->config->measure.grid.cell *
                          sqrt((double)columns * (double)rows / (double)CELLS_MAX));
  else
    *g = (struct measure_grid){b.lo, cell, (int32_t)columns, (int32_t)rows};
}

bool build_measure(struct measure *m, const struct demand_input *in, struct diagnostics *p)
{
  const int before = p->count;
  const struct line_list *lines = &in->config->measure.lines;
  const struct measured_list *areas = &in->config->measure.areas;
  struct name_table line_names = {0}, area_names = {0};
  m->lines = memory_create((size_t)lines->count, sizeof *m->lines);
  m->areas = memory_create((size_t)areas->count, sizeof *m->areas);
  for (int i = 0; i < lines->count; i++) {
    build_line(&m->lines[m->line_count++], in, &lines->records[i], p);
    check_name(&line_names, in, &lines->records[i].from, lines->records[i].name, p);
  }
  for (int i = 0; i < areas->count; i++) {
    build_area(&m->areas[m->area_count++], in, &areas->records[i], p);
    check_name(&area_names, in, &areas->records[i].from, areas->records[i].name, p);
  }
  name_table_destroy(&line_names);
  name_table_destroy(&area_names);
  if (wants_grid(in->config))
    build_grid(&m->grid, in, p);
  m->counts_cells = in->config->measure.grid.every > 0;
  if (in->config->measure.people)
    build_exits(m, in);
  return p->count == before;
}

// Of the totals, memory is taken where people have been, and a place has one rank at a time.
double measure_bytes(const struct measure *m, const struct config *c, int ranks)
{
  // bytes per cell: sums of an interval and of the one that is written, totals; counts, and flags
  // of reported cells
  double each = 0;
  if (c->measure.grid.every > 0)
    each += 2 * sizeof(struct measure_sum) + (double)CELL_TOTALS_BYTES / ranks;
  if (c->alarms.density > 0)
    each += sizeof(int32_t) + 1;
  return (double)measure_cell_count(&m->grid) * each;
}

double measure_gathered_bytes(const struct measure *m, const struct config *c, int ranks)
{
  const bool gathers = ranks > 1 && c->measure.grid.every > 0;
  const double each = CELL_TOTALS_BYTES + sizeof(struct measure_sum);
  return gathers ? (double)measure_cell_count(&m->grid) * each : 0;
}
