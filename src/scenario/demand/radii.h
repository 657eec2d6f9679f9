// Radii of agents and their maxima, m.
#pragma once
#include "agent_table.h"

struct demand;
struct source;

double profiles_largest_radius(const struct config *c);
double source_largest_radius(const struct config *c, const struct source *s);
// The radius given in the row, else the one sampled from the first profile.
double agent_row_radius(const struct demand *d, const struct agent_row *row);
