// Checks what a checkpoint says before it is used. Its seal shows that nothing has happened to the
// file, not who wrote it, and somebody else may have written anything.
#pragma once
#include "simulation.h"

// The agents of a checkpoint of this step, before a simulation takes them. False, with what is
// wrong in reason[size]. Local.
bool restored_agents_check(const struct scenario *s, const struct agents *a, int64_t step,
                           char *reason, size_t size);
// The simulation after simulation_visit has read it: its step, and its counts of agents. The same
// on every rank. Collective.
bool restored_simulation_check(const struct simulation *s, int64_t step, char *reason, size_t size);
// After simulation_restore, since the roadmap is that of the doors at the checkpoint's step. False,
// with what is wrong in reason[size]. Local.
bool restored_waypoints_check(const struct simulation *s, char *reason, size_t size);
