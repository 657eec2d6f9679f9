// What each option allows by itself, but not together.
#pragma once
#include "config.h"
#include "diagnostics.h"

void config_check(const struct config *c, struct diagnostics *p);
