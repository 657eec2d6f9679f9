// Speed from density: how fast one likes to walk in a crowd, by who stands in a window ahead.
//
// Velocity obstacles alone do not slow people down before they touch; people do, long before. So
// the preferred speed is multiplied by a share that falls with the density seen ahead, as in PedVO
// (Curtis, Manocha 2014) and DenseSense (Best et al. 2014). The window is [0, ahead] m along the
// wish and `width` m wide; the density is the number of others whose centre one sees in it over its
// area that one sees. The share of a density is a table, so that a step needs no libm.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define DENSITY_SPEED_PER_UNIT 16  // entries of a table to one person/m^2
#define DENSITY_SPEED_ENTRIES  129 // the last is of 8 people/m^2 and all beyond

// The window's area is found by sampling, in so many rows ahead and columns across.
#define DENSITY_WINDOW_ROWS    5
#define DENSITY_WINDOW_COLUMNS 4
#define DENSITY_WINDOW_VISIBLE_MIN                                                                 \
  4 // samples that are free at least: a smaller area tells no density

struct density_speed {
  float range;   // m, how far the windows reach; 0: nobody has one
  int32_t count; // profiles
  float *ahead;  // [count] m; 0: no window
  float *half;   // [count] m, half the width
  float *share;  // [count * DENSITY_SPEED_ENTRIES] of the preferred speed, by density
};

void density_speed_create(struct density_speed *p, int32_t profiles); // nobody has a window
void density_speed_destroy(struct density_speed *p);

// Of Weidmann 1993: v(rho) / v(0) with v(rho) = 1.34 m/s (1 - exp(-1.913 (1/rho - 1/5.4))), rho in
// people/m^2; exp made of + - * / alone. May be below 0.
double density_speed_weidmann(double density);
// Between the rows (density, share) on a line, beyond them as at the ends; rows[2 * count].
double density_speed_of_rows(const double *rows, int64_t count, double density);

struct density_speed_window {
  double ahead, width; // m
  double least;        // share that is always left, so that jams dissolve
};
// Gives a profile a window: shares by the rows, or, when count is 0, by Weidmann.
void density_speed_set(struct density_speed *p, int32_t profile,
                       const struct density_speed_window *window, const double *rows,
                       int64_t count);
