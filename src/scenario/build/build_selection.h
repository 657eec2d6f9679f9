// What snapshots hold, from the options of output.
#pragma once
#include "config.h"
#include "diagnostics.h"
#include "position.h"
#include "selection.h"

struct selection build_selection(const struct config *c, const struct frame *frame,
                                 struct diagnostics *p);
