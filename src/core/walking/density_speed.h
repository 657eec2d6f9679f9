// Speed from density: the preferred speed falls with the number of agents in a window ahead.
//
// Velocity obstacles alone do not slow agents down before they touch; pedestrians slow down long
// before. Therefore the preferred speed is multiplied by a factor that falls with the density
// ahead, as in PedVO (Curtis, Manocha 2014) and DenseSense (Best et al. 2014). The window reaches
// `ahead` m along the preferred velocity and is `width` m wide. The density is the number of other
// agents whose centre is visible in it, over its visible area. A table holds the factor by density,
// so that a step needs no libm.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DENSITY_SPEED_PER_UNIT 16  // table entries per agent/m^2
#define DENSITY_SPEED_ENTRIES  129 // the last entry covers 8 agents/m^2 and more

// Samples for the visible area of the window, in rows ahead and columns across.
#define DENSITY_WINDOW_ROWS        5
#define DENSITY_WINDOW_COLUMNS     4
#define DENSITY_WINDOW_VISIBLE_MIN 4 // samples: fewer give no meaningful density

struct density_speed {
  float range;   // m, the longest reach of a window; 0: no windows
  int32_t count; // profiles
  float *ahead;  // [count] m; 0: no window
  float *half;   // [count] m, half the width
  float *share;  // [count * DENSITY_SPEED_ENTRIES] of the preferred speed, by density
};

void density_speed_create(struct density_speed *p, int32_t profiles); // no profile has a window yet
void density_speed_destroy(struct density_speed *p);

// Weidmann 1993: v(rho) / v(0) with v(rho) = 1.34 m/s (1 - exp(-1.913 (1/rho - 1/5.4))), rho in
// agents/m^2. Uses + - * / only; may be negative.
double density_speed_weidmann(double density);
// Linear between the rows (density, share), constant beyond them; rows[2 * count].
double density_speed_of_rows(const double *rows, int64_t count, double density);

struct density_speed_window {
  double ahead, width; // m
  double least;        // minimum share, so that jams dissolve
};
// Sets the window of a profile: shares from the rows or, with count 0, from Weidmann.
void density_speed_set(struct density_speed *p, int32_t profile,
                       const struct density_speed_window *window, const double *rows,
                       int64_t count);
