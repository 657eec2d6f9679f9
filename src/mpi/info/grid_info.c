// `throng info` of a density file and of totals.vtkhdf: arrays over the cells of a grid.
#include "file_info.h"
#include "file_reader.h"
#include "message.h"
#include "utf8.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAYS_MAX     32
#define CHUNK_MAX      (1 << 20) // values: a damaged file may claim any size
#define CHUNKS_MAX     (1 << 22) // places for chunks, most of which may be empty
#define DIM_MAX        (1 << 30)
#define LEVELS_MAX     64
#define NAME_OF(array) ((array)->path + sizeof CELL_DATA - 1)

struct array {
  char path[96], unit[32];
  double most, sum;
  int64_t most_row, most_column; // of the cell
  int64_t cells;                 // with a value that is not 0
};

struct grid {
  int64_t rows, columns; // of the first array; all have them
  double cell;           // m
  struct array arrays[ARRAYS_MAX];
  int count;
};

struct chunks { // of an array [1][rows][columns] or [1][rows][columns][width]
  int rank;
  hsize_t dims[4], size[4];
};

// --------------------------------------------------------------------------------- reading

static bool chunks_of(hid_t dataset, struct chunks *c)
{
  const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset),
              list = H5Dget_create_plist(dataset);
  const H5T_class_t class = H5Tget_class(type);
  *c = (struct chunks){H5Sget_simple_extent_ndims(space), {1, 1, 1, 1}, {1, 1, 1, 1}};
  bool good = (c->rank == 3 || c->rank == 4) && (class == H5T_INTEGER || class == H5T_FLOAT) &&
              H5Pget_layout(list) == H5D_CHUNKED &&
              H5Sget_simple_extent_dims(space, c->dims, NULL) == c->rank &&
              H5Pget_chunk(list, c->rank, c->size) == c->rank;
  for (int k = 0; k < 4 && good; k++)
    good = c->dims[k] > 0 && c->dims[k] <= DIM_MAX && c->size[k] > 0 && c->size[k] <= CHUNK_MAX;
  good = good && c->dims[0] == 1 && c->size[0] == 1 && c->size[3] == c->dims[3] &&
         c->size[1] * c->size[2] <= CHUNK_MAX &&
         c->size[1] * c->size[2] * c->size[3] <= CHUNK_MAX &&
         (c->dims[1] / c->size[1] + 1) * (c->dims[2] / c->size[2] + 1) <= CHUNKS_MAX;
  H5Pclose(list);
  H5Tclose(type);
  H5Sclose(space);
  return good;
}

// values: [rows][columns][width], of the cells from start.
static void values_add(struct array *a, const struct chunks *c, const hsize_t start[4],
                       const hsize_t count[4], const double *values)
{
  for (hsize_t cell = 0; cell < count[1] * count[2]; cell++) {
    bool any = false;
    for (hsize_t k = 0; k < c->dims[3]; k++) {
      const double value = values[cell * c->dims[3] + k];
      any |= value != 0;
      a->sum += value;
      if (!(value > a->most))
        continue;
      a->most = value;
      a->most_row = (int64_t)(start[1] + cell / count[2]);
      a->most_column = (int64_t)(start[2] + cell % count[2]);
    }
    a->cells += any;
  }
}

// Chunks that are not in the file are of cells that nobody entered.
static void chunk_read(struct reader *r, hid_t dataset, struct array *a, const struct chunks *c,
                       const hsize_t start[4], double *values)
{
  haddr_t address = HADDR_UNDEF;
  hsize_t bytes = 0, count[4] = {1, 1, 1, c->dims[3]};
  unsigned mask = 0;
  if (H5Dget_chunk_info_by_coord(dataset, start, &mask, &address, &bytes) < 0)
    reader_fail(r, "%s cannot be read: the file is damaged", a->path);
  if (!r->good || address == HADDR_UNDEF)
    return;
  for (int k = 1; k < 3; k++)
    count[k] = c->dims[k] - start[k] < c->size[k] ? c->dims[k] - start[k] : c->size[k];
  const hid_t memory = H5Screate_simple(c->rank, count, NULL), space = H5Dget_space(dataset);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0)
    reader_fail(r, "%s cannot be read: the file is damaged", a->path);
  else
    values_add(a, c, start, count, values);
  H5Sclose(memory);
  H5Sclose(space);
}

void grid_array_read(struct reader *r, hid_t dataset, const char *name)
{
  struct grid *g = r->grid;
  struct chunks c;
  struct array *a = &g->arrays[g->count];
  if (g->count == ARRAYS_MAX || strlen(name) >= sizeof a->path || !chunks_of(dataset, &c)) {
    reader_fail(r, "%s has a shape that throng does not write", name);
    return;
  }
  if (g->count++ == 0) {
    g->rows = (int64_t)c.dims[1];
    g->columns = (int64_t)c.dims[2];
  }
  if (g->rows != (int64_t)c.dims[1] || g->columns != (int64_t)c.dims[2])
    reader_fail(r, "%s has %llu x %llu cells instead of %" PRId64 " x %" PRId64, name,
                (unsigned long long)c.dims[2], (unsigned long long)c.dims[1], g->columns, g->rows);
  memcpy(a->path, name, strlen(name) + 1);
  reader_text_of(r, name, "unit", a->unit, sizeof a->unit);
  double *values = memory_create((size_t)(c.size[1] * c.size[2] * c.size[3]), sizeof *values);
  hsize_t start[4] = {0};
  for (; start[1] < c.dims[1] && r->good; start[1] += c.size[1])
    for (start[2] = 0; start[2] < c.dims[2] && r->good; start[2] += c.size[2])
      chunk_read(r, dataset, a, &c, start, values);
  memory_destroy(values);
}

// -------------------------------------------------------------------------------- printing

static const struct array *array_find(const struct grid *g, const char *name)
{
  for (int k = 0; k < g->count; k++)
    if (strcmp(NAME_OF(&g->arrays[k]), name) == 0)
      return &g->arrays[k];
  return NULL;
}

static int by_path(const void *a, const void *b)
{
  return strcmp(((const struct array *)a)->path, ((const struct array *)b)->path);
}

static void samples_print(struct reader *r)
{
  const int64_t step = reader_int64(r, "step"), since = reader_int64(r, "since");
  const double time = reader_double(r, "time", 0);
  const double begin = step > 0 ? time * (double)since / (double)step : 0;
  printf("  %-11s%" PRId64 ", at %.6g s\n", "step", step, time);
  printf("  %-11s%" PRId64 ", later than %.6g s", "samples", reader_int64(r, "samples"), begin);
  if (reader_has_attribute(r, "sample"))
    printf(", every %.6g s", reader_double(r, "sample", 0));
  printf("\n");
}

static void levels_print(struct reader *r)
{
  double levels[LEVELS_MAX];
  if (!reader_has_attribute(r, "levels"))
    return;
  const int count = reader_doubles(r, "/throng", "levels", levels, LEVELS_MAX);
  printf("  %-11s", "levels");
  for (int k = 0; k < count; k++)
    printf("%s%.4g", k ? ", " : "", levels[k]);
  printf(" /m^2\n");
}

// r->lo: in the coordinates of the scenario.
static void array_print(const struct reader *r, const struct grid *g, const struct array *a)
{
  const double x = r->lo[0] + ((double)a->most_column + 0.5) * g->cell;
  const double y = r->lo[1] + ((double)a->most_row + 0.5) * g->cell;
  const bool sums = strcmp(a->unit, "1") == 0 || strcmp(a->unit, "s") == 0;
  printf("  %-17s%-7s", printable(NAME_OF(a)).text, printable(a->unit).text);
  if (a->cells == 0) {
    printf("0 everywhere\n");
    return;
  }
  printf("at most %.6g at (%.2f, %.2f) m", a->most, x, y);
  if (sums && strcmp(NAME_OF(a), "level") != 0 && strcmp(NAME_OF(a), "samples_above") != 0)
    printf(", all together %.12g", a->sum);
  printf("\n");
}

static void grid_print(struct reader *r, struct grid *g)
{
  const struct array *people = array_find(g, "people");
  printf("%s: %s of throng\n", printable(r->path).text,
         array_find(g, "samples_above") ? "totals of a run" : "densities");
  reader_print_texts(r);
  samples_print(r);
  printf("  %-11s%" PRId64 " x %" PRId64 " of %.6g m", "cells", g->columns, g->rows, g->cell);
  if (people)
    printf(", with people: %" PRId64, people->cells);
  printf("\n");
  reader_print_extent(r, false);
  levels_print(r);
  for (int k = 0; k < 2; k++) // from here on in the coordinates of the scenario
    r->lo[k] += reader_double(r, "origin", k);
  qsort(g->arrays, (size_t)g->count, sizeof *g->arrays, by_path); // a file may be in any order
  for (int k = 0; k < g->count; k++)
    array_print(r, g, &g->arrays[k]);
}

void grid_describe(struct reader *r)
{
  struct grid g = {0};
  double corner[3] = {0};
  r->grid = &g;
  reader_verify(r);
  if (r->good && reader_doubles(r, "/VTKHDF", "Origin", corner, 3) != 3)
    reader_fail(r, "/VTKHDF has no Origin");
  if (r->good && g.count == 0)
    reader_fail(r, "has no array over its cells");
  if (r->good)
    g.cell = reader_double(r, "cell", 0);
  const int64_t cells[2] = {g.columns, g.rows};
  for (int k = 0; k < 2; k++) {
    r->lo[k] = corner[k];
    r->hi[k] = corner[k] + (double)cells[k] * g.cell;
  }
  if (r->good)
    grid_print(r, &g);
  r->grid = NULL;
}
