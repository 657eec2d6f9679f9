// A device counts the people of cells and areas as the CPU code does, in any order of threads.
#include "device_crowd_fixture.h"

#include "cell_totals.h"
#include "oracle.h"

#define ORDERS 3

// Agents that walk, stand and stay, at every speed, some where others are.
static void spread(struct fixture *h, uint64_t *r)
{
  for (int64_t i = 0; i < h->a.count; i++) {
    if (i % 5 == 0) {
      h->a.x[i] = h->a.x[0];
      h->a.y[i] = h->a.y[0];
    }
    h->a.vx[i] = (float)oracle_between(r, -1, 1);
    h->a.vy[i] = (float)oracle_between(r, -1, 1);
    h->a.speed[i] = i % 11 == 3 ? 0 : (float)oracle_between(r, 0.1, 2);
    h->a.doing[i] = i % 7 == 2 ? ACTIVITY_STAY : ACTIVITY_WALK;
  }
  upload_agents(&h->device_state, &h->a);
}

struct sampled { // of a grid, on one side
  struct cell_totals totals;
  struct measure_sum *sums;
};

static void sampled_create(struct sampled *s, const struct measure_grid *grid)
{
  cell_totals_create(&s->totals, grid, 0x1p-16, true);
  s->sums = memory_create((size_t)measure_cell_count(grid), sizeof *s->sums);
}

static void sampled_judge(struct sampled *s, const struct measure_grid *grid)
{
  const struct cell_range all = {0, grid->columns, 0, grid->rows};
  cr_assert_eq(cell_totals_judge(&s->totals, all, s->sums), 0);
}

static void sampled_destroy(struct sampled *s)
{
  cell_totals_destroy(&s->totals);
  memory_destroy(s->sums);
}

static void assert_same_samples(const struct sampled *a, const struct sampled *b, int64_t cells)
{
  int64_t people = 0, speed = 0, delay = 0;
  cr_assert_eq(a->totals.densest, b->totals.densest);
  cr_assert_eq(a->totals.samples, b->totals.samples);
  cr_assert_arr_eq(a->totals.cells, b->totals.cells, (size_t)cells * sizeof *a->totals.cells);
  cr_assert_arr_eq(a->sums, b->sums, (size_t)cells * sizeof *a->sums);
  for (int64_t k = 0; k < cells; k++) {
    people += a->sums[k].people;
    speed += a->sums[k].speed;
    delay += a->totals.cells[k].delay;
  }
  cr_assert(people > 0 && speed > 0 && delay > 0);
}

Test(device_measures, samples_cells_as_the_host)
{
  const struct measure_grid *grid = &measures()->grid;
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct sampled host, device;
    uint64_t r = 23;
    fixture_create(&h, order, 600);
    sampled_create(&host, grid);
    sampled_create(&device, grid);
    for (int sample = 0; sample < 3; sample++) { // the device begins each from 0
      int64_t count;
      spread(&h, &r);
      const struct cell_people *people = count_cells(&h.device_state, &count);
      cr_assert(count > 100 && count < 600);
      cell_totals_add_people(&device.totals, people, count, device.sums);
      cell_totals_count(&host.totals, &h.a, host.sums);
      sampled_judge(&host, grid);
      sampled_judge(&device, grid);
      assert_same_samples(&host, &device, measure_cell_count(grid));
    }
    sampled_destroy(&host);
    sampled_destroy(&device);
    fixture_destroy(&h);
  }
}

// The cells are 0 between samples, whatever other grid was there.
Test(device_measures, begins_from_0_on_another_grid)
{
  struct fixture h;
  uint64_t r = 31;
  const struct walking none = {NULL, NULL};
  struct measure other = *measures();
  fixture_create(&h, FORWARD, 600);
  spread(&h, &r);
  for (int k = 0; k < 4; k++) {
    int64_t count, people = 0;
    other.grid.cell = k % 2 ? 1 << 20 : 70001;
    other.grid.columns = other.grid.rows = k == 3 ? 50 : 75; // of another size, at last
    upload_world(&h.device_state, &h.world, &none, &other);
    const struct cell_people *list = count_cells(&h.device_state, &count);
    for (int64_t c = 0; c < count; c++)
      people += list[c].agents;
    cr_assert_eq(people, 600);
  }
  fixture_destroy(&h);
}

Test(device_measures, sums_areas_as_the_host)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct measure_sum found[2];
    uint64_t r = 29;
    fixture_create(&h, order, 600);
    spread(&h, &r);
    sum_areas(&h.device_state, found);
    for (int k = 0; k < 2; k++) {
      const struct measure_sum right = measure_area_sum(&measures()->areas[k], &h.a);
      cr_assert(right.people > 20 && right.people < 500 && right.speed > 0);
      cr_assert_eq(found[k].people, right.people);
      cr_assert_eq(found[k].speed, right.speed);
    }
    fixture_destroy(&h);
  }
}

Test(device_measures, of_nobody_are_0)
{
  struct fixture h;
  struct measure_sum sums[2] = {{1, 1}, {1, 1}};
  int64_t count = 1;
  fixture_create(&h, PERMUTED, 1);
  h.a.count = 0;
  upload_agents(&h.device_state, &h.a);
  count_cells(&h.device_state, &count);
  sum_areas(&h.device_state, sums);
  cr_assert_eq(count, 0);
  cr_assert(sums[0].people == 0 && sums[0].speed == 0 && sums[1].people == 0);
  fixture_destroy(&h);
}
