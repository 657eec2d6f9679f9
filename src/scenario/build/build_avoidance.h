// What the avoidance methods are told, from the options and the rows of the CSV.
#pragma once
#include "agent_table.h"
#include "avoidance.h"

struct avoidance build_avoidance(const struct config *c, const struct agent_table *agent_table);
