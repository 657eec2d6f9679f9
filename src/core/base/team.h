// The processes of one machine that hold one world together. What is large and the same for all of
// them lies in memory that they share, and each works out a part of it.
#pragma once
#include "base.h"

struct team {
  int32_t rank, size; // in the team
  void *context;
  bool (*agree)(void *context, bool mine);
  void *(*share)(void *context, size_t bytes);
  void (*part)(void *memory, size_t bytes);
};
extern const struct team team_alone; // a team of one, without functions

// Do all say so? Nobody goes on before all have come, and who goes on sees what the others have
// written into shared memory. Collective.
bool team_agree(const struct team *t, bool mine);
// Zeroed memory, one and the same for the whole team. NULL on all of them: the machine has no room
// for it, or they ask for different sizes; alone, and for 0 bytes. Collective.
void *team_share(const struct team *t, size_t bytes);
void team_part(const struct team *t, void *memory, size_t bytes); // not collective
