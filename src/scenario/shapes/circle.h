// Sines, cosines and points on a circle without libm: the same bits everywhere.
#pragma once
#include <stdint.h>

void quarter_turn(double t, double *sine, double *cosine); // of t quarter turns, t in [0, 1]
// Vertex i of the regular n-gon on the unit circle. Vertices that are symmetric to the axes or the
// diagonals have exactly mirrored coordinates.
void circle_point(int64_t i, int64_t n, double *x, double *y);
