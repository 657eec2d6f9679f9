#include "agent_table.h"

#include "agents.h"
#include "avoidance.h"
#include "csv.h"
#include "geometry.h"
#include "suggestion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 34) // bytes

enum column {
  ID,
  X,
  Y,
  VX,
  VY,
  RADIUS,
  SPEED,
  GOAL_X,
  GOAL_Y,
  DESTINATION,
  HORIZON,
  NEIGHBOURS,
  NEIGHBOUR_DISTANCE,
  ACCELERATION,
  YIELD,
  COLUMN_COUNT
};

static const struct column_info {
  const char *name;
  double min, max;
} columns[COLUMN_COUNT] = {
    [ID] = {"id", 0, 9.2e18},
    [X] = {"x", -1e8, 1e8},
    [Y] = {"y", -1e8, 1e8},
    [VX] = {"vx", -AGENT_SPEED_MAX, AGENT_SPEED_MAX},
    [VY] = {"vy", -AGENT_SPEED_MAX, AGENT_SPEED_MAX},
    [RADIUS] = {"radius", 0.01, AGENT_RADIUS_MAX},
    [SPEED] = {"speed", 0, AGENT_SPEED_MAX / 2},
    [GOAL_X] = {"goal_x", -1e8, 1e8},
    [GOAL_Y] = {"goal_y", -1e8, 1e8},
    [DESTINATION] = {"destination", 0, 0},
    [HORIZON] = {"horizon", 0.01, 60},
    [NEIGHBOURS] = {"neighbours", 1, NEIGHBOURS_MAX},
    [NEIGHBOUR_DISTANCE] = {"neighbour_distance", 0.01, 1000},
    [ACCELERATION] = {"max_acceleration", 0, 1e6},
    [YIELD] = {"yield", 0, 1000},
};

struct table {
  const struct config *config;
  struct diagnostics *diagnostics;
  struct csv csv;
  int cells;               // columns of the header
  int order[COLUMN_COUNT]; // enum column of each cell
  bool has[COLUMN_COUNT];
  bool is_foreign;            // the header begins with something else
  bool degrees[COLUMN_COUNT]; // the column is named lon, lat, goal_lon or goal_lat
};

static const char *const degree_names[COLUMN_COUNT] = {
    [X] = "lon", [Y] = "lat", [GOAL_X] = "goal_lon", [GOAL_Y] = "goal_lat"};

static bool header_cell(struct table *t, const char *cell)
{
  struct suggestion near = suggestion_create(cell);
  for (int k = 0; k < COLUMN_COUNT; k++) {
    const bool degrees = degree_names[k] && strcmp(cell, degree_names[k]) == 0;
    const bool named = degrees || strcmp(cell, columns[k].name) == 0;
    if (named && t->has[k]) {
      diagnostics_error(t->diagnostics, t->csv.at, "column %s: given twice", cell);
      return false;
    }
    if (named) {
      t->has[k] = true;
      t->degrees[k] = degrees;
      t->order[t->cells++] = k;
      return true;
    }
    suggestion_offer(&near, columns[k].name);
  }
  // A file that has no column of ours is not quoted: it may hold a secret.
  if (t->cells == 0 && !*near.text)
    diagnostics_error(
        t->diagnostics, t->csv.at,
        "not a table of agents: the first line names its columns (id,x,y," AGENT_CSV_OPTIONAL ")");
  else
    diagnostics_error(t->diagnostics, t->csv.at,
                      "\"%s\" is not a column (id,x,y," AGENT_CSV_OPTIONAL ")%s", cell, near.text);
  t->is_foreign = t->cells == 0 && !*near.text;
  return false;
}

static bool header_read(struct table *t)
{
  bool good = true;
  for (const char *cell; !t->is_foreign && (cell = csv_next_cell(&t->csv));)
    good = header_cell(t, cell) && good;
  good = good && !t->csv.failed;
  for (int k = ID; good && k <= Y; k++)
    if (!t->has[k]) {
      diagnostics_error(t->diagnostics, t->csv.row, "column %s is missing from the header",
                        columns[k].name);
      good = false;
    }
  if (good && t->has[GOAL_X] != t->has[GOAL_Y]) {
    diagnostics_error(t->diagnostics, t->csv.row,
                      "column %s is missing: goal_x and goal_y go together",
                      t->has[GOAL_X] ? "goal_y" : "goal_x");
    good = false;
  }
  if (good && (t->degrees[X] != t->degrees[Y] || t->degrees[GOAL_X] != t->degrees[GOAL_Y])) {
    diagnostics_error(t->diagnostics, t->csv.row,
                      "lon and lat go together, instead of x and y; so do goal_lon and goal_lat");
    good = false;
  }
  return good;
}

static bool id_read(struct table *t, const char *cell, int64_t *id)
{
  const size_t digits = strspn(cell, "0123456789");
  if (digits == 0 || cell[digits] || digits > 19 ||
      (digits == 19 && strcmp(cell, "9223372036854775807") > 0)) {
    diagnostics_error(t->diagnostics, t->csv.at,
                      "id: \"%s\" is not a whole number (0 to 9223372036854775807)", cell);
    return false;
  }
  *id = (int64_t)strtoull(cell, NULL, 10);
  return true;
}

static bool number_cell(struct table *t, const char *cell, int k, double *value)
{
  if (!csv_number(&t->csv, cell, value))
    diagnostics_error(t->diagnostics, t->csv.at, "%s: \"%s\" is not a number", columns[k].name,
                      cell);
  else if (*value < columns[k].min || *value > columns[k].max)
    diagnostics_error(t->diagnostics, t->csv.at, "%s: %s is out of range (%.10g to %.10g)",
                      columns[k].name, cell, columns[k].min, columns[k].max);
  else if (k == NEIGHBOURS && *value != floor(*value))
    diagnostics_error(t->diagnostics, t->csv.at, "%s: %s is not a whole number", columns[k].name,
                      cell);
  else
    return true;
  return false;
}

// An empty cell of an optional column means the default.
static bool row_cell(struct table *t, const char *cell, int k, struct agent_row *row,
                     double values[COLUMN_COUNT], bool given[COLUMN_COUNT])
{
  given[k] = *cell != 0;
  if (!given[k] && k <= Y)
    diagnostics_error(t->diagnostics, t->csv.at, "%s: a number is expected, but nothing is given",
                      columns[k].name);
  if (!given[k])
    return k > Y;
  if (k == ID)
    return id_read(t, cell, &row->id);
  if (k != DESTINATION)
    return number_cell(t, cell, k, &values[k]);
  row->destination =
      config_find_destination(t->config, cell, t->csv.at, "destination", t->diagnostics);
  return row->destination >= 0;
}

static bool row_read(struct table *t, struct agent_row *row)
{
  double values[COLUMN_COUNT] = {[RADIUS] = -1,
                                 [SPEED] = -1,
                                 [HORIZON] = -1,
                                 [NEIGHBOURS] = -1,
                                 [NEIGHBOUR_DISTANCE] = -1,
                                 [ACCELERATION] = -1,
                                 [YIELD] = -1};
  bool given[COLUMN_COUNT] = {false}, good = true;
  int cells = 0;
  *row = (struct agent_row){.destination = -1, .line = t->csv.row.line};
  for (const char *cell; (cell = csv_next_cell(&t->csv)); cells++)
    if (cells < t->cells)
      good = row_cell(t, cell, t->order[cells], row, values, given) && good;
  if (t->csv.failed)
    return false;
  if (cells != t->cells) {
    diagnostics_error(t->diagnostics, t->csv.row,
                      "%d columns are expected, as in the header, not %d", t->cells, cells);
    return false;
  }
  if (given[GOAL_X] != given[GOAL_Y]) {
    diagnostics_error(t->diagnostics, t->csv.row, "goal_x and goal_y go together");
    return false;
  }
  if (given[GOAL_X] && given[DESTINATION]) {
    diagnostics_error(t->diagnostics, t->csv.row,
                      "only one of destination and goal_x, goal_y is expected in a row");
    return false;
  }
  if (good && hypot(values[VX], values[VY]) > AGENT_SPEED_MAX) {
    diagnostics_error(t->diagnostics, t->csv.row, "vx, vy: faster than %g m/s",
                      (double)AGENT_SPEED_MAX);
    return false;
  }
  row->xy[0] = values[X];
  row->xy[1] = values[Y];
  row->vx = (float)values[VX];
  row->vy = (float)values[VY];
  row->radius = (float)values[RADIUS];
  row->speed = (float)values[SPEED];
  row->horizon = (float)values[HORIZON];
  row->neighbours = (int32_t)values[NEIGHBOURS];
  row->neighbour_distance = (float)values[NEIGHBOUR_DISTANCE];
  row->max_acceleration = (float)values[ACCELERATION];
  row->yield = (float)values[YIELD];
  row->has_goal = given[GOAL_X];
  row->goal[0] = values[GOAL_X];
  row->goal[1] = values[GOAL_Y];
  return good;
}

static int row_order(const void *a, const void *b)
{
  const struct agent_row *p = a, *q = b;
  if (p->id != q->id)
    return p->id < q->id ? -1 : 1;
  return (p->line > q->line) - (p->line < q->line);
}

static void ids_check(struct agent_table *r, struct table *t)
{
  if (r->count)
    qsort(r->rows, (size_t)r->count, sizeof *r->rows, row_order);
  for (int64_t i = 1; i < r->count; i++)
    if (r->rows[i].id == r->rows[i - 1].id) {
      t->csv.row.line = r->rows[i].line;
      diagnostics_error(t->diagnostics, t->csv.row, "id %lld is already used in line %d",
                        (long long)r->rows[i].id, r->rows[i - 1].line);
    }
}

static void rows_read(struct agent_table *r, struct table *t)
{
  int64_t capacity = 0;
  while (csv_next_row(&t->csv)) {
    r->rows = memory_reserve(r->rows, r->count, &capacity, sizeof *r->rows);
    r->count += row_read(t, &r->rows[r->count]);
  }
}

static void text_parse(struct agent_table *r, const struct config *c, const char *text,
                       struct diagnostics *p)
{
  const int before = p->count;
  struct table t = {.config = c, .diagnostics = p};
  csv_open(&t.csv, text, r->path, p);
  if (!csv_next_row(&t.csv))
    diagnostics_error(p, t.csv.row, "a header is expected: id,x,y[," AGENT_CSV_OPTIONAL "]");
  else if (header_read(&t)) {
    r->lonlat = t.degrees[X];
    r->goal_lonlat = t.degrees[GOAL_X];
    rows_read(r, &t);
    if (p->count == before)
      ids_check(r, &t);
  }
  csv_close(&t.csv);
}

bool agent_table_read(struct agent_table *r, const struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  *r = (struct agent_table){0};
  if (!c->agents)
    return true;
  r->path = path_resolve(c->path, c->agents);
  size_t length;
  char *text = file_read(r->path, FILE_LIMIT, "agents: ", origin_location(c, &c->from, "agents"),
                         &length, p);
  if (text)
    text_parse(r, c, text, p);
  memory_destroy(text);
  return p->count == before;
}

static int start_of(void *context, int64_t i, double **xy)
{
  const struct agent_table *r = context;
  *xy = r->rows[i].xy;
  return r->rows[i].line;
}

static int goal_of(void *context, int64_t i, double **xy)
{
  const struct agent_table *r = context;
  *xy = r->rows[i].has_goal ? r->rows[i].goal : NULL;
  return r->rows[i].line;
}

bool agent_table_place(struct agent_table *r, const struct geometry *g, struct config *c,
                       struct diagnostics *p)
{
  struct lonlat_points points = {
      "lon, lat", {r->path, NULL, 1, 1}, r->lonlat ? r->count : 0, start_of, r};
  const bool good = geometry_place_points(g, c, &points, p);
  points.name = "goal_lon, goal_lat";
  points.count = r->goal_lonlat ? r->count : 0;
  points.of = goal_of;
  return geometry_place_points(g, c, &points, p) && good;
}

void agent_table_destroy(struct agent_table *r)
{
  memory_destroy(r->path);
  memory_destroy(r->rows);
  *r = (struct agent_table){0};
}

bool agent_table_is_valid(const struct agent_table *r)
{
  for (int64_t i = 1; i < r->count; i++)
    if (r->rows[i].id <= r->rows[i - 1].id)
      return false;
  return r->count >= 0;
}
