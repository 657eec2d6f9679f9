// The fundamental diagram: in a corridor in which all agents walk the same way, speed falls with
// density as Weidmann 1993 measured it. tools/pace.py draws more of it.
#include "fixture.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <math.h>

#define M(metres)   ((int32_t)((metres)*METRE))
#define LENGTH      40.0 // m
#define WIDTH       6.0  // m
#define FIRST_STEPS 20   // until they have found their pace

static void corridor(struct fixture *s, double density)
{
  const double cell = sqrt(1 / density);
  uint64_t r = 1;
  for (int wall = 0; wall < 2; wall++) {
    const int32_t y = wall ? M(WIDTH) : 0;
    fixture_add_line(s, 2, (const int32_t[][2]){{M(-10), y}, {M(200), y}}, false);
  }
  fixture_build_walls(s);
  for (double y = cell / 2; y < WIDTH; y += cell)
    for (double x = cell / 2; x < LENGTH; x += cell) {
      const double jitter = fmax(0, cell / 2 - 0.21);
      const int64_t i = fixture_add_agent(s, M(x + oracle_between(&r, -jitter, jitter)),
                                          M(y + oracle_between(&r, -jitter, jitter)), 0, 0);
      s->agents.goal_x[i] = s->agents.x[i] + M(120);
      s->agents.goal_y[i] = s->agents.y[i];
      s->agents.radius[i] = 0.2f;
      s->agents.speed[i] = 1.34f;
      s->agents.max_speed[i] = 1.34f * 1.3f;
    }
}

// Of the middle, over the steps after the first.
static void measure(const struct fixture *s, double *people, double *speed)
{
  for (int64_t i = 0; i < s->agents.count; i++)
    if (s->agents.x[i] >= M(15) && s->agents.x[i] < M(25)) {
      *people += 1;
      *speed += (double)s->agents.vx[i];
    }
}

Test(pace_flow, is_weidmanns)
{
  static const double densities[] = {0.5, 1, 2, 3, 4};
  struct density_speed density_speed;
  density_speed_create(&density_speed, 1);
  density_speed_set(&density_speed, 0, &(struct density_speed_window){2.5, 2, 0.05}, NULL, 0);
  for (int k = 0; k < 5; k++) {
    struct fixture s;
    double people = 0, speed = 0;
    fixture_create(&s, "simd");
    s.density_speed = &density_speed;
    corridor(&s, densities[k]);
    for (int t = 0; t < FIRST_STEPS + 30; t++) {
      fixture_step(&s);
      if (t >= FIRST_STEPS)
        measure(&s, &people, &speed);
    }
    const double density = people / 30 / (10 * WIDTH), mean = speed / people;
    const double wanted = 1.34 * (1 - exp(-1.913 * (1 / density - 1 / 5.4)));
    cr_log_info("%.2f people/m^2: %.2f m/s, Weidmann %.2f m/s\n", density, mean, wanted);
    cr_assert_float_eq(mean, wanted, 0.2);
    fixture_destroy(&s);
  }
  density_speed_destroy(&density_speed);
}
