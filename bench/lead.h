// A crowd that is led: to four squares by fields or by a roadmap, more slowly in its middle.
#pragma once
#include "agents.h"
#include "world.h"

enum lead { LEAD_STRAIGHT, LEAD_FIELDS, LEAD_ROADMAP, LEAD_KINDS };
extern const char *const lead_names[LEAD_KINDS];

// The ways in a world of pillars (bench.h), and everybody's destination by id. half: of the crowd's
// square, quanta.
void lead_create(struct world *w, enum lead lead, int32_t half, struct agents *a);
