// Parameters of the avoidance methods, from the options and the table of agents.
#pragma once
#include "agent_table.h"
#include "avoidance.h"

struct avoidance build_avoidance(const struct config *c, const struct agent_table *agent_table);
// The share of the sum of two radii that agents keep.
double avoidance_contact_of(const struct config *c);
