// Zones: a factor where one is inside, exactly; fields that know of slow ground, closed ground and
// ground of one way.
#include "field_kernel.h"
#include "grid_cells.h"
#include "oracle.h"
#include "world.h"
#include "zones_kernel.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define METRE     65536
#define M(metres) ((int32_t)((metres)*METRE))

static bool field_ends(const struct field *f, struct point p) // in a cell of the destination
{
  return field_time(f, p) == 0;
}

struct corridor { // 20 x 6 m, the destination at its east end
  struct obstacles none;
  struct nav_grid nav_grid;
  struct field field;
  uint8_t *marks, *target;
};

static void corridor_create(struct corridor *c)
{
  *c = (struct corridor){.none = {0}};
  nav_grid_create(&c->nav_grid, (struct box){{0, 0}, {M(20), M(6)}}, M(0.5), 0, &c->none);
  c->marks = memory_create((size_t)nav_grid_cell_count(&c->nav_grid), 1);
  c->target = memory_create((size_t)nav_grid_cell_count(&c->nav_grid), 1);
}

static int64_t cell_at(const struct corridor *c, double x, double y)
{
  return nav_grid_cell_of(&c->nav_grid, (struct point){M(x), M(y)});
}

static void mark(uint8_t *marks, const struct corridor *c, double x0, double y0, double x1,
                 double y1)
{
  memset(marks, 0, (size_t)nav_grid_cell_count(&c->nav_grid));
  for (double y = y0 + 0.25; y < y1; y += 0.5)
    for (double x = x0 + 0.25; x < x1; x += 0.5)
      marks[cell_at(c, x, y)] = 1;
}

static void solve(struct corridor *c)
{
  mark(c->target, c, 19.5, 0, 20, 6);
  field_create(&c->field, &c->nav_grid, NULL);
  field_solve(&c->field, c->target, c->nav_grid.cost);
}

static void corridor_destroy(struct corridor *c)
{
  field_destroy(&c->field);
  nav_grid_destroy(&c->nav_grid);
  memory_destroy(c->marks);
  memory_destroy(c->target);
}

static uint32_t time_at(const struct corridor *c, double x, double y)
{
  return c->field.time[cell_at(c, x, y)];
}

Test(zones, slow_ground_takes_longer)
{
  struct corridor c;
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 6);
  zone_slow_nav_grid(&c.nav_grid, c.marks, 0.5);
  solve(&c);
  cr_assert_eq(time_at(&c, 12.2, 3) - time_at(&c, 14.2, 3), 4 * FIELD_UNIT);
  cr_assert_eq(time_at(&c, 8.2, 3) - time_at(&c, 10.2, 3), 4 * 2 * FIELD_UNIT);
  cr_assert_eq(time_at(&c, 2.2, 3) - time_at(&c, 4.2, 3), 4 * FIELD_UNIT);
  corridor_destroy(&c);
}

Test(zones, extreme_factors_are_within_what_a_field_holds)
{
  struct corridor c;
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 6);
  for (int k = 0; k < 6; k++) // they multiply, and stop at the greatest cost
    zone_slow_nav_grid(&c.nav_grid, c.marks, ZONE_SPEED_MIN);
  solve(&c);
  cr_assert_eq(time_at(&c, 8.2, 3) - time_at(&c, 10.2, 3), 4 * UINT16_MAX);
  corridor_destroy(&c);
}

Test(zones, nobody_is_led_through_closed_ground_and_all_out_of_it)
{
  struct corridor c;
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 4);
  zone_close_nav_grid(&c.nav_grid, c.marks);
  solve(&c);
  cr_assert_gt(time_at(&c, 7.2, 0.2), time_at(&c, 7.2, 5.2) + 5 * FIELD_UNIT);
  for (double y = 0.25; y < 6; y += 0.5)
    for (double x = 0.25; x < 20; x += 0.5) {
      struct point p = {M(x), M(y)};
      const bool began_inside = c.marks[cell_at(&c, x, y)];
      bool inside = began_inside;
      for (int t = 0; t < 2000 && !field_ends(&c.field, p); t++) {
        float dx, dy;
        field_direction(&c.field, p, &dx, &dy);
        p.x += (int32_t)(dx * 0.05f * METRE);
        p.y += (int32_t)(dy * 0.05f * METRE);
        const bool now = c.marks[nav_grid_cell_of(&c.nav_grid, p)];
        cr_assert(inside || !now, "into it from (%g, %g)", x, y);
        inside = now;
      }
      cr_assert(field_ends(&c.field, p), "from (%g, %g)", x, y);
    }
  corridor_destroy(&c);
}

Test(zones, no_way_leads_against_the_direction)
{
  struct corridor c;
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 4); // westward only: one goes round, by the north
  zone_direct_nav_grid(&c.nav_grid, c.marks, -1, 0);
  solve(&c);
  cr_assert_gt(time_at(&c, 7.2, 0.2), time_at(&c, 7.2, 5.2) + 5 * FIELD_UNIT);
  FOR_EACH_CELL(i, &c.nav_grid)
  {
    cr_assert_neq(field_time_of(&c.field, i), FIELD_UNREACHED);
    cr_assert(!c.marks[i] || c.field.cells[i].x <= 0, "eastward at cell %d", (int)i);
  }
  corridor_destroy(&c);
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 6); // all of it: nobody gets through
  zone_direct_nav_grid(&c.nav_grid, c.marks, -1, 0);
  solve(&c);
  cr_assert_eq(time_at(&c, 7.2, 3), FIELD_UNREACHED);
  corridor_destroy(&c);
  corridor_create(&c);
  mark(c.marks, &c, 8, 0, 12, 6); // with the direction it changes nothing
  zone_direct_nav_grid(&c.nav_grid, c.marks, 1, 0);
  solve(&c);
  cr_assert_eq(time_at(&c, 7.2, 3) - time_at(&c, 12.2, 3), 10 * FIELD_UNIT);
  corridor_destroy(&c);
}

static double side(struct point a, struct point b, struct point p)
{
  return ((double)b.x - a.x) * ((double)p.y - a.y) - ((double)b.y - a.y) * ((double)p.x - a.x);
}

Test(zones, factors_hold_exactly_inside)
{
  struct point corners[3][3];
  uint64_t r = 3;
  struct zones z;
  zones_create(&z, 3);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++)
      corners[k][i] = (struct point){oracle_whole(&r, -1000, 1000), oracle_whole(&r, -1000, 1000)};
    if (side(corners[k][0], corners[k][1], corners[k][2]) < 0) {
      const struct point swap = corners[k][1];
      corners[k][1] = corners[k][2];
      corners[k][2] = swap;
    }
    zones_add(&z, &(struct outlines){1, (int64_t[]){0, 3}, corners[k], (uint8_t[]){1}},
              1.0f + (float)k);
  }
  zones_finish(&z);
  for (int t = 0; t < 20000; t++) {
    const struct point p = {oracle_whole(&r, -1100, 1100), oracle_whole(&r, -1100, 1100)};
    float wanted = 1;
    for (int k = 0; k < 3; k++)
      if (side(corners[k][0], corners[k][1], p) > 0 && side(corners[k][1], corners[k][2], p) > 0 &&
          side(corners[k][2], corners[k][0], p) > 0)
        wanted *= 1.0f + (float)k;
    cr_assert_eq(zones_speed_at(&z, p), wanted);
  }
  zones_destroy(&z);
}
