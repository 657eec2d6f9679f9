// A crowd that is led: to four squares by fields or by a roadmap, more slowly in its middle.
#pragma once
#include "agents.h"
#include "world.h"

enum guidance { GUIDANCE_STRAIGHT, GUIDANCE_FIELDS, GUIDANCE_ROADMAP, GUIDANCE_KINDS };
extern const char *const guidance_names[GUIDANCE_KINDS];

// The ways in a world of pillars (bench.h), and everybody's destination by id. half: of the crowd's
// square, quanta.
void guidance_create(struct world *w, enum guidance guidance, int32_t half, struct agents *a);
