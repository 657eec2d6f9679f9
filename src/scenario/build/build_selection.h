// What snapshots and the trajectory hold, from the options of output.
#pragma once
#include "config.h"
#include "diagnostics.h"
#include "position.h"
#include "selection.h"

// Of snapshots: all fields by default.
struct selection build_selection(const struct config *c, const struct frame *frame,
                                 struct diagnostics *p);
// Of the trajectory: id and position, and the fields that are asked for. Errors where its layout
// has no room for them; a warning where its period is no whole number of steps.
struct selection build_trajectory_selection(const struct config *c, const struct frame *frame,
                                            struct diagnostics *p);
