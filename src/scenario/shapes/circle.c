#include "circle.h"

#include <math.h>

// Sine and cosine of t quarter turns, t in [0, 1/2], by power series truncated below 1e-17.
static void eighth_turn(double t, double *sine, double *cosine)
{
  const double a = t * 1.57079632679489661923;
  double term = a;
  *sine = 0;
  *cosine = 0;
  for (int k = 1; k < 24; k += 2) {
    *sine += term;
    term *= a / (k + 1);
    *cosine -= term;
    term *= -a / (k + 2);
  }
  *cosine = 1.0 + *cosine;
}

void quarter_turn(double t, double *sine, double *cosine)
{
  if (t <= 0.5)
    eighth_turn(t, sine, cosine);
  else
    eighth_turn(1.0 - t, cosine, sine);
}

void circle_point(int64_t i, int64_t n, double *x, double *y)
{
  // Fold the angle into half a quarter turn, so that symmetric points have mirrored coordinates.
  const int64_t q = 4 * i / n, rest = 4 * i - q * n; // rest / n of a quarter turn
  double sine, cosine;
  if (2 * rest == n)
    sine = cosine = sqrt(0.5); // the two series differ in the last bits
  else if (2 * rest < n)
    eighth_turn((double)rest / (double)n, &sine, &cosine);
  else
    eighth_turn((double)(n - rest) / (double)n, &cosine, &sine);
  const double c[4] = {cosine, -sine, -cosine, sine}, s[4] = {sine, cosine, -sine, -cosine};
  *x = c[q & 3];
  *y = s[q & 3];
}
