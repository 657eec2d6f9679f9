// Parameters of the avoidance methods, from the options and the table of agents.
#pragma once
#include "agent_table.h"
#include "avoidance.h"

struct avoidance build_avoidance(const struct config *c, const struct agent_table *agent_table);
