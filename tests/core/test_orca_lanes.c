// Compiled for every width: a lane's half-plane has the bits that one lane alone computes.
#include "orca.h"

#include "lane_width.h"
#include "oracle.h"
#include "reference.h"
#include <math.h>
#include <string.h>

TestSuite(orca_lanes, .init = skip_if_too_wide);

static float awkward(uint64_t *r) // often the same few values, so that cases touch and tie
{
  static const float some[] = {0, -0.0f, 0.25f, -0.25f, 0.5f, -0.5f, 1, -1, 3, 0x1p-16f};
  return oracle_whole(r, 0, 1) ? some[oracle_whole(r, 0, 9)] : (float)oracle_between(r, -3, 3);
}

static real column(const void *base, size_t stride, size_t offset)
{
  float x[LANES];
  for (int l = 0; l < LANES; l++)
    memcpy(&x[l], (const char *)base + (size_t)l * stride + offset, sizeof(float));
  return lanes_load(x);
}

static void assert_same(const struct scalar_half_plane *one, struct half_plane h)
{
  float nx[LANES], ny[LANES], b[LANES];
  lanes_store(nx, h.n.x);
  lanes_store(ny, h.n.y);
  lanes_store(b, h.b);
  for (int l = 0; l < LANES; l++) {
    const struct scalar_half_plane lane = {nx[l], ny[l], b[l]};
    cr_assert_eq(memcmp(&one[l], &lane, sizeof lane), 0, "lane %d: (%a %a) %a and (%a %a) %a", l,
                 (double)one[l].nx, (double)one[l].ny, (double)one[l].b, (double)lane.nx,
                 (double)lane.ny, (double)lane.b);
    cr_assert(isfinite(lane.nx) && isfinite(lane.ny) && isfinite(lane.b));
  }
}

#define OF(member) column(p, sizeof *p, offsetof(struct scalar_pair, member))

Test(orca_lanes, a_neighbours_half_plane_is_that_of_one_lane)
{
  uint64_t r = 1;
  for (int c = 0; c < 20000; c += LANES) {
    struct scalar_pair p[LANES];
    struct scalar_half_plane one[LANES];
    for (int l = 0; l < LANES; l++) {
      p[l] = (struct scalar_pair){.px = awkward(&r), .py = awkward(&r)};
      p[l].radius = fabsf(awkward(&r));
      p[l].own_x = awkward(&r), p[l].own_y = awkward(&r);
      p[l].other_x = awkward(&r), p[l].other_y = awkward(&r);
      p[l].far = 0.5f, p[l].near = 10, p[l].share = 0.5f, p[l].tie_x = 0.6f, p[l].tie_y = -0.8f;
      one[l] = scalar_orca_agent(&p[l]);
    }
    const struct inv_horizons inv_horizons = {OF(far), OF(near)};
    const vec2 at = {OF(px), OF(py)}, own = {OF(own_x), OF(own_y)};
    const vec2 other = {OF(other_x), OF(other_y)}, tie_direction = {OF(tie_x), OF(tie_y)};
    const struct neighbour neighbour = {not(mask_none()), at,          other,
                                        OF(radius),       splat(0.5f), tie_direction};
    assert_same(one, orca_agent(&neighbour, own, inv_horizons));
    const uint32_t open = mask_bits(tie_direction_needed(at, OF(radius), own, other, inv_horizons));
    for (int l = 0; l < LANES; l++)
      cr_assert_eq(open >> l & 1, scalar_orca_agent_open(&p[l]));
  }
}

#undef OF
#define OF(member) column(w, sizeof *w, offsetof(struct scalar_wall, member))

static struct scalar_wall random_wall(uint64_t *r)
{
  struct scalar_wall w = {.convex_a = oracle_whole(r, 0, 1), .convex_b = oracle_whole(r, 0, 1)};
  w.ax = awkward(r), w.ay = awkward(r);
  do
    w.bx = awkward(r), w.by = awkward(r);
  while (w.ax == w.bx && w.ay == w.by);
  float *direction[] = {&w.along_x, &w.before_x, &w.after_x};
  for (int i = 0; i < 3; i++) {
    const double angle = i ? 0.7853981633974483 * oracle_whole(r, 0, 7)
                           : atan2((double)w.by - w.ay, (double)w.bx - w.ax);
    direction[i][0] = (float)cos(angle);
    direction[i][1] = (float)sin(angle);
  }
  return w;
}

Test(orca_lanes, a_walls_half_plane_is_that_of_one_lane)
{
  uint64_t r = 2;
  for (int c = 0; c < 20000; c += LANES) {
    struct scalar_wall w[LANES];
    struct scalar_half_plane one[LANES], before[LANES];
    float v[LANES][2], radius[LANES];
    uint32_t a = 0, b = 0;
    for (int l = 0; l < LANES; l++) {
      w[l] = random_wall(&r);
      a |= (uint32_t)w[l].convex_a << l;
      b |= (uint32_t)w[l].convex_b << l;
      v[l][0] = awkward(&r), v[l][1] = awkward(&r);
      radius[l] = fabsf(awkward(&r));
      one[l] = scalar_wall(&w[l], radius[l], v[l][0], v[l][1], 2);
      before[l] = (struct scalar_half_plane){0.6f, 0.8f, awkward(&r)};
    }
    const struct perceived_wall wall = {not(mask_none()),
                                        {OF(ax), OF(ay)},
                                        {OF(bx), OF(by)},
                                        {OF(along_x), OF(along_y)},
                                        {OF(before_x), OF(before_y)},
                                        {OF(after_x), OF(after_y)},
                                        mask_from_bits(a),
                                        mask_from_bits(b)};
    const vec2 velocity = {column(v, sizeof *v, 0), column(v, sizeof *v, sizeof(float))};
    assert_same(one, orca_wall(&wall, lanes_load(radius), velocity, splat(2)));
    const struct half_plane h = {
        {splat(0.6f), splat(0.8f)},
        column(before, sizeof *before, offsetof(struct scalar_half_plane, b))};
    const uint32_t covered =
        mask_bits(orca_wall_covered(&wall, lanes_load(radius), splat(2), &h, 1));
    for (int l = 0; l < LANES; l++)
      cr_assert_eq(covered >> l & 1, scalar_wall_covered(&w[l], radius[l], 2, &before[l], 1));
  }
}
