#include "position.h"

#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>

static bool fit(struct frame *f, double west, double south, double east, double north)
{
  return frame_fit(f, (const double[2]){west, south}, (const double[2]){east, north});
}

Test(position, frame_fit_takes_the_finest_frame)
{
  for (int exponent = FRAME_EXPONENT; exponent >= FRAME_EXPONENT_MIN; exponent--) {
    struct frame f;
    const double reach = ldexp(POSITION_LIMIT / 16 * 15, -exponent);
    cr_assert(fit(&f, -reach, -1, reach, 1) && f.exponent == exponent);
    const bool fits = fit(&f, -reach - 2, -1, reach + 2, 1);
    cr_assert(exponent == FRAME_EXPONENT_MIN ? !fits : fits && f.exponent == exponent - 1);
    cr_assert_eq(fit(&f, -1, -reach - 2, 1, reach + 2), exponent > FRAME_EXPONENT_MIN);
  }
}

Test(position, frame_fit_refuses_what_is_not_finite)
{
  struct frame f;
  cr_assert_not(fit(&f, NAN, 0, 1, 1));
  cr_assert_not(fit(&f, 0, 0, INFINITY, 1));
  cr_assert_not(fit(&f, 0, -INFINITY, 1, 1));
  cr_assert_not(fit(&f, -1e308, 0, 1e308, 1));
  cr_assert(fit(&f, 5, 5, 5, 5));
}

Test(position, points_round_trip_within_half_a_quantum)
{
  uint64_t r = 1;
  struct frame f;
  cr_assert(fit(&f, 452000.25, 4810000.75, 457000, 4815000)); // UTM coordinates
  cr_assert(f.origin_x == floor(f.origin_x) && f.origin_y == floor(f.origin_y));
  cr_assert_eq(frame_quantum(&f), 0x1p-16f);
  for (int i = 0; i < 10000; i++) {
    const double x = oracle_between(&r, 452000.25, 457000),
                 y = oracle_between(&r, 4810000.75, 4815000);
    const struct point p = frame_point(&f, x, y);
    cr_assert(fabs(frame_x(&f, p.x) - x) <= 0x1p-17 + 1e-9 &&
              fabs(frame_y(&f, p.y) - y) <= 0x1p-17 + 1e-9);
    const struct point again = frame_point(&f, frame_x(&f, p.x), frame_y(&f, p.y));
    cr_assert(again.x == p.x && again.y == p.y);
  }
}

Test(position, position_rounded_ties_to_even)
{
  uint64_t r = 2;
  for (int i = 0; i < 200000; i++) {
    float value = (float)oracle_between(&r, -4194303, 4194303);
    if (i % 2)
      value = (float)oracle_whole(&r, -2000000, 2000000) * 0.5f;          // ties
    cr_assert_eq(position_rounded(value), (int32_t)lrint((double)value)); // ties to even
    cr_assert_eq(position_rounded(-value), -position_rounded(value));
  }
}

Test(position, displacement_is_independent_of_the_start)
{
  uint64_t r = 3;
  for (int i = 0; i < 10000; i++) {
    const float vx = (float)oracle_between(&r, -60, 60), vy = (float)oracle_between(&r, -60, 60);
    const struct point p = {oracle_whole(&r, -(1 << 29), 1 << 29),
                            oracle_whole(&r, -(1 << 29), 1 << 29)};
    const struct point a = position_after((struct point){0, 0}, vx, vy, 6553.6f);
    const struct point b = position_after(p, vx, vy, 6553.6f);
    cr_assert(b.x - p.x == a.x && b.y - p.y == a.y);
  }
}

Test(position, boxes_are_half_open)
{
  const struct box b = {{-5, 0}, {5, 10}};
  cr_assert(box_holds(b, (struct point){-5, 0}) && box_holds(b, (struct point){4, 9}));
  cr_assert_not(box_holds(b, (struct point){5, 0}));
  cr_assert_not(box_holds(b, (struct point){0, 10}));
  cr_assert_not(box_holds(b, (struct point){-6, 0}));
}

Test(position, boxes_overlap_if_they_share_a_position)
{
  uint64_t r = 4;
  for (int i = 0; i < 20000; i++) {
    struct box a, b;
    struct box *of[] = {&a, &b};
    for (int k = 0; k < 2; k++) {
      of[k]->lo = (struct point){oracle_whole(&r, 0, 5), oracle_whole(&r, 0, 5)};
      of[k]->hi = (struct point){of[k]->lo.x + oracle_whole(&r, 1, 3),
                                 of[k]->lo.y + oracle_whole(&r, 1, 3)};
    }
    bool shared = false;
    for (int32_t p = 0; p < 100; p++)
      shared |= box_holds(a, (struct point){p % 10, p / 10}) &&
                box_holds(b, (struct point){p % 10, p / 10});
    cr_assert_eq(box_overlaps(a, b), shared);
  }
}

Test(position, box_widened_saturates)
{
  const struct box plane = {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}};
  const struct box wide = box_widened(plane, 1000);
  cr_assert(wide.lo.x == INT32_MIN && wide.lo.y == INT32_MIN && wide.hi.x == INT32_MAX &&
            wide.hi.y == INT32_MAX);
  const struct box b = box_widened((struct box){{0, -1}, {1, 2}}, 3);
  cr_assert(b.lo.x == -3 && b.lo.y == -4 && b.hi.x == 4 && b.hi.y == 5);
}
