// Combinations of options that are wrong although each option is valid by itself.
#pragma once
#include "config.h"
#include "diagnostics.h"

void config_check(const struct config *c, struct diagnostics *p);
