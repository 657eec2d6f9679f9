#include "field_bench.h"

#include "backend_gpu.h"
#include "bench.h"
#include "hash.h"
#include "world.h"
#include <inttypes.h>
#include <stdio.h>

#define CELL 16384 // quanta: 0.25 m

static double solve_once(struct field *f, const uint8_t *target)
{
  const double start = clock_seconds();
  field_solve(f, target, NULL);
  return clock_seconds() - start;
}

void field_bench(int64_t side, int64_t times, const char *backend)
{
  const char *why;
  const struct backend *b = backend_named(backend, &why);
  require(b, "--backend %s: %s", backend, why);
  const int32_t half = (int32_t)(side * CELL / 2);
  struct world w = {.bounds = {{-half, -half}, {half, half}}, .frame = {0, 0, FRAME_EXPONENT}};
  struct ground g;
  struct field f;
  bench_pillars(&w);
  ground_create(&g, w.bounds, CELL, CELL, &w.obstacles);
  uint8_t *target = memory_create((size_t)ground_cell_count(&g), 1);
  double *took = memory_create((size_t)times, sizeof *took);
  target[0] = 1;
  field_create(&f, &g, NULL);
  backend_gpu_fields(b);
  solve_once(&f, target);
  backend_gpu_time(b, true);
  for (int64_t k = 0; k < times; k++)
    took[k] = solve_once(&f, target);
  printf("{\"cells\": %" PRId64 ", \"backend\": \"%s\", \"median_ms\": %.1f, ",
         ground_cell_count(&g), b->name, 1e3 * bench_median(took, times));
  bench_print_kernels(b, times);
  printf("\"hash\": \"%016" PRIx64 "\"}\n",
         hash_bytes(HASH_START, f.time, (size_t)ground_cell_count(&g) * sizeof *f.time));
  memory_destroy(took);
  memory_destroy(target);
  field_destroy(&f);
  ground_destroy(&g);
  obstacles_destroy(&w.obstacles);
}
