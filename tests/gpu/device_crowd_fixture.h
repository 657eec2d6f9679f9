// A crowd around a square obstacle, on the host and on an emulated device.
#pragma once
#include "device_crowd_gpu.h"
#include "standard_crowds.h"

#include <criterion/criterion.h>

static const float dt = 0.1f; // s

struct fixture { // the same agents on the host and on the device
  struct world world;
  struct agents a;
  struct device_state device_state;
};

static struct outlines square_outline(int32_t half, int64_t *start, struct point *points,
                                      uint8_t *closed)
{
  start[0] = 0;
  start[1] = 4;
  closed[0] = 1;
  points[0] = (struct point){-half, -half};
  points[1] = (struct point){half, -half};
  points[2] = (struct point){half, half};
  points[3] = (struct point){-half, half};
  return (struct outlines){1, start, points, closed};
}

// Two lines, two areas (a gable with a hole, and a square that overlaps it) and a grid of cells.
static const struct measure *measures(void)
{
  static struct point gable[3] = {{-(8 << 16), -(5 << 16)}, {0, 4 << 16}, {8 << 16, -(5 << 16)}};
  static struct point across[2] = {{-(9 << 16), 77}, {9 << 16, 77}};
  static struct measure_line lines[2] = {{NULL, 3, gable}, {NULL, 2, across}};
  static struct point corners[10] = {
      {-(8 << 16), -(5 << 16)}, {8 << 16, -(5 << 16)}, {0, 4 << 16},    // gable
      {-(1 << 16), -(4 << 16)}, {1 << 16, -(4 << 16)}, {0, -(1 << 16)}, // its hole
      {-(2 << 16), -(2 << 16)}, {9 << 16, -(2 << 16)}, {9 << 16, 9 << 16}, {-(2 << 16), 9 << 16}};
  static int64_t house_start[3] = {0, 3, 6}, square_start[2] = {0, 4};
  static struct measure_area areas[2] = {{.outlines = {2, house_start, corners, NULL},
                                          .box = {{-(8 << 16), -(5 << 16)}, {8 << 16, 4 << 16}}},
                                         {.outlines = {1, square_start, corners + 6, NULL},
                                          .box = {{-(2 << 16), -(2 << 16)}, {9 << 16, 9 << 16}}}};
  static const struct measure measure = {.line_count = 2,
                                         .lines = lines,
                                         .area_count = 2,
                                         .areas = areas,
                                         .grid = {{-(40 << 16), -(40 << 16)}, 70001, 75, 75}};
  return &measure;
}

static void fixture_create(struct fixture *h, int order, int64_t count)
{
  int64_t start[2];
  struct point points[4];
  uint8_t closed[1];
  *h = (struct fixture){.world.frame.exponent = 16,
                        .device_state.device.order = (enum thread_order)order};
  h->world.bounds = standard_crowds_square_bounds(&h->world.frame, count, 1);
  const struct outlines square = square_outline(3 << 16, start, points, closed);
  obstacles_create(&h->world.obstacles, &square, false);
  agents_create(&h->a, count);
  standard_crowds_square(&h->a, &h->world.frame, &(struct square_crowd){7, count, 1, 0, count});
  standard_crowds_mix(&h->a, 7);
  const struct walking none = {NULL, NULL};
  upload_world(&h->device_state, &h->world, &none, measures());
  upload_agents(&h->device_state, &h->a);
}

static void device_state_destroy(struct device_state *g)
{
  for (int b = 0; b < BUFFERS; b++)
    device_free(g->buffers[b].memory);
  for (int b = 0; b < g->arena.capacity; b++)
    device_free(g->arena.list[b].memory);
  memory_destroy(g->arena.list);
}

static void fixture_destroy(struct fixture *h)
{
  obstacles_destroy(&h->world.obstacles);
  agents_destroy(&h->a);
  device_state_destroy(&h->device_state);
}

static uint64_t device_checksum(struct fixture *h)
{
  struct agents copy = {0};
  download_agents(&h->device_state, &copy);
  const uint64_t sum = agents_checksum(&copy);
  agents_destroy(&copy);
  return sum;
}

static struct next_velocity_input input(const struct fixture *h, const struct avoidance *avoidance)
{
  return (struct next_velocity_input){.world = &h->world, .avoidance = avoidance, .dt = dt};
}
