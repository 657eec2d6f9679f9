// Agents that spread along a roadmap: they pass its corners at a distance.
#include "random_town.h"

#include "base.h"
#include "extent.h"
#include "integer_length.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>

// A yard of thick walls with one open side, in a block of its own.
static void yard_add(struct town *t, uint64_t *r, struct point at)
{
  const int32_t a = oracle_whole(r, 3 * METRE, 9 * METRE),
                b = oracle_whole(r, 3 * METRE, 9 * METRE),
                thick = oracle_whole(r, METRE / 4, METRE);
  const int quarters = oracle_whole(r, 0, 4);
  struct point p[8] = {{-a, -b},
                       {a, -b},
                       {a, b},
                       {a - thick, b},
                       {a - thick, thick - b},
                       {thick - a, thick - b},
                       {thick - a, b},
                       {-a, b}};
  for (int i = 0; i < 8; i++) {
    const struct point to = turned(p[i], quarters);
    p[i] = (struct point){to.x + at.x, to.y + at.y};
  }
  ring_add(&t->lines, p, 8);
}

static void yards_create(struct town *t, uint64_t seed, int32_t half)
{
  struct outlines area;
  *t = (struct town){0};
  outlines_begin(&t->lines);
  outlines_begin(&area);
  for (int k = 0; k < TOWN_SIDE * TOWN_SIDE; k++)
    if (oracle_whole(&seed, 0, 2))
      yard_add(
          t, &seed,
          (struct point){
              (k % TOWN_SIDE * TOWN_BLOCK - TOWN_SIDE * TOWN_BLOCK / 2 + TOWN_BLOCK / 2) * METRE,
              (k / TOWN_SIDE * TOWN_BLOCK - TOWN_SIDE * TOWN_BLOCK / 2 + TOWN_BLOCK / 2) * METRE});
  square_add(&area, town_crossing.x, town_crossing.y, half);
  town_finish(t, &area, 1);
  outlines_end(&area);
}

// How much longer than the shortest way from p one walks that spreads to `side`.
static double excess_of(const struct town *t, struct point p, float side, uint64_t phase)
{
  const double said = (double)roadmap_path_length(&t->roadmap, 0, p);
  int32_t aim = ROADMAP_NONE;
  double walked = 0;
  for (int step = 0; !destination_holds(&t->roadmap.destinations[0], p); step++) {
    struct roadmap_agent walker = town_follower(t, p, phase + (uint64_t)step);
    walker.spreads = true, walker.side = side, walker.share = 1;
    aim = roadmap_next_aim(&walker, aim);
    const struct point to = roadmap_steer_point(&walker, aim);
    const double length = (double)length_between(p, to), stride = fmin(length, METRE / 8);
    cr_assert(length > 0 && step < 10000, "step %d", step);
    const struct point next = {p.x + (int32_t)lround(((double)to.x - p.x) * stride / length),
                               p.y + (int32_t)lround(((double)to.y - p.y) * stride / length)};
    walked += (double)length_between(p, next);
    p = next;
  }
  return (walked - METRE / 4) / said - 1; // it ends up to a clearance beyond the edge
}

// Every leg of a way may be ROADMAP_DETOUR longer; the last one, twice as much.
#define EXCESS_MOST 0.06

Test(roadmap_spreading, who_spreads_along_it_walks_hardly_farther)
{
  double most = 0, sum = 0;
  int64_t ways = 0;
  for (uint64_t seed = 1; seed <= (uint64_t)TRIAL_ROUNDS(6); seed++) {
    struct town t;
    uint64_t r = seed;
    if (seed % 2)
      yards_create(&t, seed, seed % 4 == 1 ? METRE / 2 : 6 * METRE);
    else
      town_create(&t, seed, town_crossing);
    roadmap_measure_passages(&t.roadmap, town_bounds, 0, 10 * METRE);
    for (int i = 0; i < TRIAL_ROUNDS(100); i++) {
      const struct point p = town_free_point(&t, &r);
      if (roadmap_path_length(&t.roadmap, 0, p) < 5 * METRE)
        continue;
      const double excess = excess_of(&t, p, (float)oracle_between(&r, -0.95, 0.95), (uint64_t)i);
      cr_expect(excess <= EXCESS_MOST, "%g of the way more", excess);
      most = fmax(most, excess), sum += excess, ways++;
    }
    town_destroy(&t);
  }
  cr_expect(sum > 0.005 * (double)ways, "all keep to the corners");
  cr_log_info("%d ways: at most %.4f longer, %.4f in the mean", (int)ways, most,
              sum / (double)ways);
}
