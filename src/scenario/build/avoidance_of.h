// What the avoidance methods are told, from the options and the rows of the CSV.
#pragma once
#include "avoidance.h"
#include "roster.h"

struct avoidance avoidance_of(const struct config *c, const struct roster *roster);
