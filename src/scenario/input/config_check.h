// What each option allows by itself, but not together.
#pragma once
#include "config.h"
#include "problems.h"

void config_check(const struct config *c, struct problems *p);
