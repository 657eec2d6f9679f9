#include "od_matrix.h"

#include "csv.h"
#include "geometry.h"
#include "suggestion.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 30) // bytes

enum column { FROM, TO, PEOPLE, BEGIN, END, COLUMN_COUNT };
static const char *const names[COLUMN_COUNT] = {"from", "to", "people", "begin", "end"};

struct reader {
  const struct config *config;
  struct diagnostics *diagnostics;
  struct csv csv;
  int cells, order[COLUMN_COUNT];
  bool has[COLUMN_COUNT];
};

static bool header_cell(struct reader *r, const char *cell)
{
  for (int k = 0; k < COLUMN_COUNT; k++) {
    if (strcmp(cell, names[k]) != 0)
      continue;
    if (r->has[k]) {
      diagnostics_error(r->diagnostics, r->csv.at, "column %s: given twice", cell);
      return false;
    }
    r->has[k] = true;
    r->order[r->cells++] = k;
    return true;
  }
  diagnostics_error(r->diagnostics, r->csv.at, "\"%s\" is not a column (from,to,people,begin,end)",
                    cell);
  return false;
}

static bool header_read(struct reader *r)
{
  bool good = true;
  for (const char *cell; (cell = csv_next_cell(&r->csv));)
    good = header_cell(r, cell) && good;
  good = good && !r->csv.failed;
  for (int k = FROM; good && k <= PEOPLE; k++)
    if (!r->has[k]) {
      diagnostics_error(r->diagnostics, r->csv.row, "column %s is missing from the header",
                        names[k]);
      good = false;
    }
  return good;
}

static int source_find(struct reader *r, const char *name)
{
  const int found = name_table_find(&r->config->names.sources, name);
  if (found != NAME_UNKNOWN)
    return found;
  const struct source_list *list = &r->config->sources;
  struct suggestion near = suggestion_create(name);
  for (int i = 0; i < list->count && diagnostics_shows_more(r->diagnostics); i++)
    suggestion_offer(&near, list->records[i].name);
  diagnostics_error(r->diagnostics, r->csv.at, "from: \"%s\" is not a source%s", name, near.text);
  return -1;
}

static bool number_cell(struct reader *r, int column, const char *cell, double *value)
{
  const double most = column == PEOPLE ? 2e9 : 1e9;
  if (!csv_number(&r->csv, cell, value) || *value < 0 || *value > most ||
      (column == PEOPLE && *value != floor(*value))) {
    diagnostics_error(r->diagnostics, r->csv.at, "%s: \"%s\" is not a %snumber (0 to %.10g)",
                      names[column], cell, column == PEOPLE ? "whole " : "", most);
    return false;
  }
  return true;
}

static bool row_cell(struct reader *r, const char *cell, int column, struct od_flow *row,
                     double values[COLUMN_COUNT])
{
  if (column == FROM)
    return (row->source = source_find(r, cell)) >= 0;
  if (column == TO)
    return (row->destination =
                config_find_destination(r->config, cell, r->csv.at, "to", r->diagnostics)) >= 0;
  return (column > PEOPLE && !*cell) || number_cell(r, column, cell, &values[column]);
}

static bool row_read(struct reader *r, struct od_flow *row)
{
  double values[COLUMN_COUNT] = {[END] = -1};
  bool good = true;
  int cells = 0;
  for (const char *cell; (cell = csv_next_cell(&r->csv)); cells++)
    if (cells < r->cells)
      good = row_cell(r, cell, r->order[cells], row, values) && good;
  if (r->csv.failed)
    return false;
  if (cells != r->cells)
    diagnostics_error(r->diagnostics, r->csv.row,
                      "%d columns are expected, as in the header, not %d", r->cells, cells);
  else if (good && values[END] >= 0 && values[END] <= values[BEGIN])
    diagnostics_error(r->diagnostics, r->csv.row, "end: %.10g s must be later than begin, %.10g s",
                      values[END], values[BEGIN]);
  row->people = good ? (int64_t)values[PEOPLE] : 0;
  row->begin = values[BEGIN];
  row->end = values[END];
  row->line = r->csv.row.line;
  return good && row->people > 0;
}

static int row_order(const void *a, const void *b)
{
  const struct od_flow *p = a, *q = b;
  return p->source != q->source ? (p->source > q->source) - (p->source < q->source)
                                : (p->line > q->line) - (p->line < q->line);
}

static void rows_read(struct od_matrix *t, struct reader *r)
{
  int64_t capacity = 0;
  while (csv_next_row(&r->csv)) {
    t->rows = memory_reserve(t->rows, t->count, &capacity, sizeof *t->rows);
    t->count += row_read(r, &t->rows[t->count]);
  }
  if (t->count)
    qsort(t->rows, (size_t)t->count, sizeof *t->rows, row_order);
}

static void report_late_rows(const struct od_matrix *t, const struct config *c,
                             struct diagnostics *p)
{
  const struct od_flow *first = NULL;
  int64_t late = 0;
  for (int64_t i = 0; i < t->count; i++)
    if (t->rows[i].begin >= c->time.end) {
      first = first && first->line < t->rows[i].line ? first : &t->rows[i];
      late++;
    }
  char more[40] = "";
  if (late > 1)
    snprintf(more, sizeof more, " (and %lld more rows)", (long long)(late - 1));
  if (late)
    diagnostics_warning(
        p, (struct location){t->path, NULL, first->line, 1},
        "begin: %.10g s is not before time.end, %.10g s: these people never enter%s", first->begin,
        c->time.end, more);
}

bool od_matrix_read(struct od_matrix *t, const struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  *t = (struct od_matrix){0};
  if (!c->od_matrix)
    return true;
  t->path = path_resolve(c->path, c->od_matrix);
  struct reader reader = {.config = c, .diagnostics = p};
  size_t length;
  char *text =
      file_read(t->path, FILE_LIMIT, "trips: ", origin_location(c, &c->from, "trips"), &length, p);
  if (text) {
    csv_open(&reader.csv, text, t->path, p);
    if (!csv_next_row(&reader.csv))
      diagnostics_error(p, reader.csv.row, "a header is expected: from,to,people[,begin,end]");
    else if (header_read(&reader))
      rows_read(t, &reader);
    csv_close(&reader.csv);
  }
  memory_destroy(text);
  report_late_rows(t, c, p);
  return p->count == before;
}

void od_matrix_destroy(struct od_matrix *t)
{
  memory_destroy(t->path);
  memory_destroy(t->rows);
  *t = (struct od_matrix){0};
}
