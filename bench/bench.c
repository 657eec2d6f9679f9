#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct outlines bench_squares(int64_t count, const struct point *lo, int32_t side)
{
  struct outlines lines = {.count = count,
                           .start = memory_create((size_t)count + 1, sizeof(int64_t)),
                           .points = memory_create(4 * (size_t)count, sizeof(struct point)),
                           .closed = memory_create((size_t)count, 1)};
  for (int64_t k = 0; k < count; k++) {
    const int32_t x = lo[k].x, y = lo[k].y;
    const struct point corners[4] = {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    memcpy(lines.points + 4 * k, corners, sizeof corners);
    lines.start[k + 1] = 4 * (k + 1);
    lines.closed[k] = 1;
  }
  return lines;
}

void bench_outlines_destroy(struct outlines *lines)
{
  memory_destroy(lines->start);
  memory_destroy(lines->points);
  memory_destroy(lines->closed);
}

struct outlines bench_pillar_lines(const struct world *w, int32_t grown)
{
  const int32_t metre = frame_length(&w->frame, 1), apart = 12 * metre;
  const int64_t rows = ((int64_t)w->bounds.hi.x - w->bounds.lo.x) / apart;
  struct point *lo = memory_create((size_t)(rows * rows), sizeof *lo);
  for (int64_t k = 0; k < rows * rows; k++)
    lo[k] = (struct point){w->bounds.lo.x + (int32_t)(k % rows) * apart + apart / 2 - grown,
                           w->bounds.lo.y + (int32_t)(k / rows) * apart + apart / 2 - grown};
  const struct outlines lines = bench_squares(rows * rows, lo, metre + 2 * grown);
  memory_destroy(lo);
  return lines;
}

void bench_pillars(struct world *w)
{
  struct outlines lines = bench_pillar_lines(w, 0);
  obstacles_create(&w->obstacles, &lines, false);
  bench_outlines_destroy(&lines);
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, int64_t count)
{
  qsort(values, (size_t)count, sizeof *values, ascending);
  return count ? values[count / 2] : 0;
}

void bench_print_kernels(const struct backend *backend, int64_t times)
{
  const struct kernel_time *list;
  const int count = backend_gpu_kernel_times(backend, &list);
  if (count == 0)
    return;
  printf("\"kernels_ms\": {");
  for (int k = 0; k < count; k++)
    printf("%s\"%s\": %.4f", k ? ", " : "", list[k].name, 1e3 * list[k].seconds / (double)times);
  int64_t bus[2];
  backend_gpu_transfers(backend, bus);
  printf("}, \"bus_bytes\": {\"up\": %.1f, \"down\": %.1f}, ", (double)bus[0] / (double)times,
         (double)bus[1] / (double)times);
}
