// What of the world snapshots hold.
#pragma once
#include "config.h"
#include "position.h"
#include "problems.h"
#include "selection.h"

struct selection selection_of(const struct config *c, const struct frame *frame,
                              struct problems *p);
