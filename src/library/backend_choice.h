// Chooses the backend of a run: the one that is named, or for `auto` the widest of the CPU or the
// GPU.
#pragma once
#include "backend.h"
#include "comm.h"
#include "scenario.h"

// The backend of that name; for `auto` the widest of the CPU. NULL on every rank if any rank lacks
// it; the lowest such rank says why. Collective.
const struct backend *backend_choose(const struct comm *c, const char *name);

// The GPU instead of the CPU's backend, if all of these hold, else `cpu`:
//   - every rank has a GPU, with enough memory for the shares of all ranks that use it;
//   - the crowd is large enough for a GPU to be faster, and no plug-in computes its velocities;
//   - a thousand agents, two steps long, have the same bits on both, and no call of the GPU fails.
// Where there is a GPU, rank 0 says in one line what was chosen and why, unless it is to be quiet.
// The scenario is complete. Collective.
const struct backend *backend_choose_gpu(const struct comm *c, const struct scenario *s,
                                         const struct backend *cpu, bool quiet);
