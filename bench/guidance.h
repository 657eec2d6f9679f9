// How the benchmark's agents are guided: straight to their goals, or to four squares around the
// crowd by fields or by a roadmap, with a slow zone in the middle.
#pragma once
#include "agents.h"
#include "world.h"

enum guidance { GUIDANCE_STRAIGHT, GUIDANCE_FIELDS, GUIDANCE_ROADMAP, GUIDANCE_KINDS };
extern const char *const guidance_names[GUIDANCE_KINDS];

// Builds the fields or the roadmap in a world of pillars (pillars.h) and assigns destinations by
// id. half: half the side of the crowd's square, quanta. spreads: the agents will spread over the
// width of their route.
void guidance_create(struct world *w, enum guidance guidance, bool spreads, int32_t half,
                     struct agents *a);
