#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outlines bench_squares(int64_t count, const struct point *lo, int32_t side)
{
  struct outlines squares = {.count = count,
                             .start = memory_create((size_t)count + 1, sizeof(int64_t)),
                             .points = memory_create(4 * (size_t)count, sizeof(struct point)),
                             .closed = memory_create((size_t)count, 1)};
  for (int64_t k = 0; k < count; k++) {
    const int32_t x = lo[k].x, y = lo[k].y;
    const struct point corners[4] = {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    memcpy(squares.points + 4 * k, corners, sizeof corners);
    squares.start[k + 1] = 4 * (k + 1);
    squares.closed[k] = 1;
  }
  return squares;
}

void bench_outlines_destroy(struct outlines *outlines)
{
  memory_destroy(outlines->start);
  memory_destroy(outlines->points);
  memory_destroy(outlines->closed);
}

struct outlines bench_pillar_outlines(const struct world *w, int32_t margin)
{
  const int32_t metre = frame_length(&w->frame, 1), spacing = 12 * metre;
  const int64_t rows = ((int64_t)w->bounds.hi.x - w->bounds.lo.x) / spacing;
  struct point *lo = memory_create((size_t)(rows * rows), sizeof *lo);
  for (int64_t k = 0; k < rows * rows; k++)
    lo[k] = (struct point){w->bounds.lo.x + (int32_t)(k % rows) * spacing + spacing / 2 - margin,
                           w->bounds.lo.y + (int32_t)(k / rows) * spacing + spacing / 2 - margin};
  const struct outlines pillars = bench_squares(rows * rows, lo, metre + 2 * margin);
  memory_destroy(lo);
  return pillars;
}

void bench_pillars(struct world *w)
{
  struct outlines pillars = bench_pillar_outlines(w, 0);
  obstacles_create(&w->obstacles, &pillars, false);
  bench_outlines_destroy(&pillars);
}

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, int64_t count)
{
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return count ? values[count / 2] : 0;
}

double bench_number(const char *option, const char *text, double least, double most)
{
  char *end;
  const double value = strtod(text, &end);
  require(end != text && *end == 0 && value >= least && value <= most,
          "%s %s: must be a number from %g to %g", option, text, least, most);
  return value;
}

void bench_print_kernels(const struct backend *backend, int64_t repetitions)
{
  const struct kernel_time *list;
  const int count = backend_gpu_kernel_times(backend, &list);
  if (count == 0)
    return;
  printf("\"kernels_ms\": {");
  for (int k = 0; k < count; k++)
    printf("%s\"%s\": %.4f", k ? ", " : "", list[k].name,
           1e3 * list[k].seconds / (double)repetitions);
  int64_t bytes[2];
  backend_gpu_transfers(backend, bytes);
  printf("}, \"bus_bytes\": {\"up\": %.1f, \"down\": %.1f}, ",
         (double)bytes[0] / (double)repetitions, (double)bytes[1] / (double)repetitions);
}
