// Speed from density, from the options of the profiles.
#pragma once
#include "config.h"
#include "pace.h"

void pace_make(struct pace *p, const struct config *c, struct problems *problems);
