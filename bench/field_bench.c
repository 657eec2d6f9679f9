#include "field_bench.h"

#include "backend_gpu.h"
#include "bench.h"
#include "hash.h"
#include "pillars.h"
#include "world.h"
#include <inttypes.h>
#include <stdio.h>

#define CELL 16384 // quanta: 0.25 m

static double solve_once(const struct field_task *tasks, int32_t count)
{
  const double start = clock_seconds();
  fields_solve(tasks, count);
  return clock_seconds() - start;
}

static struct field_task *tasks_create(const struct nav_grid *g, int32_t count)
{
  const int64_t cells = nav_grid_cell_count(g);
  struct field *fields = memory_create((size_t)count, sizeof *fields);
  struct field_task *tasks = memory_create((size_t)count, sizeof *tasks);
  struct cell_list *destinations = memory_create((size_t)count, sizeof *destinations);
  for (int32_t k = 0; k < count; k++) {
    int64_t at = k * (cells / count);
    while (at + 1 < cells && g->bits[at] & NAV_GRID_SOLID)
      at++;
    cell_list_append(&destinations[k], at);
    field_create(&fields[k], g, NULL);
    tasks[k] = (struct field_task){.field = &fields[k], .destination = &destinations[k]};
  }
  return tasks;
}

static void tasks_destroy(struct field_task *tasks, int32_t count)
{
  struct cell_list *destinations = (struct cell_list *)(uintptr_t)tasks[0].destination;
  for (int32_t k = 0; k < count; k++) {
    field_destroy(tasks[k].field);
    cell_list_destroy(&destinations[k]);
  }
  memory_destroy(tasks[0].field);
  memory_destroy(destinations);
  memory_destroy(tasks);
}

static uint64_t tasks_hash(const struct field_task *tasks, int32_t count)
{
  uint64_t hash = HASH_START;
  for (int32_t k = 0; k < count; k++) {
    const struct field *f = tasks[k].field;
    for (int64_t cell = 0; cell < nav_grid_cell_count(f->nav_grid); cell++) {
      const uint32_t time = field_time_of(f, cell);
      hash = hash_bytes(hash, &time, sizeof time);
    }
  }
  return hash;
}

void field_bench(int64_t side, int32_t fields, int64_t repetitions, const char *backend)
{
  const char *why;
  const struct backend *b = backend_named(backend, &why);
  require(b, "--backend %s: %s", backend, why);
  const int32_t half = (int32_t)(side * CELL / 2);
  struct world w = {.bounds = {{-half, -half}, {half, half}}, .frame = {0, 0, FRAME_EXPONENT}};
  struct nav_grid g;
  pillars_create(&w);
  nav_grid_create(&g, w.bounds, CELL, CELL, &w.obstacles);
  nav_grid_set_upwind(&g);
  struct field_task *tasks = tasks_create(&g, fields);
  double *seconds = memory_create((size_t)repetitions, sizeof *seconds);
  backend_gpu_solve_fields(b);
  solve_once(tasks, fields);
  backend_gpu_time_kernels(b, true);
  for (int64_t k = 0; k < repetitions; k++)
    seconds[k] = solve_once(tasks, fields);
  printf("{\"cells\": %" PRId64 ", \"fields\": %d, \"backend\": \"%s\", \"median_ms\": %.1f, ",
         nav_grid_cell_count(&g), fields, b->name, 1e3 * bench_median(seconds, repetitions));
  bench_print_kernels(b, repetitions);
  printf("\"hash\": \"%016" PRIx64 "\"}\n", tasks_hash(tasks, fields));
  memory_destroy(seconds);
  tasks_destroy(tasks, fields);
  nav_grid_destroy(&g);
  obstacles_destroy(&w.obstacles);
}
