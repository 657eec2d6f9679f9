// Which world a run is of: what a scenario says, word for word, and what its files hold. A run goes
// on from a checkpoint only in the same world.
#pragma once
#include "scenario.h"

// Sorted lines "key: value\n" of all that shapes a result; how long a run lasts and what it writes
// are left out (name, time.end, output). memory_destroy it.
char *scenario_fingerprint(const struct scenario *s);

// Says in `difference` what differs between that of a checkpoint and the one here, as in
// "avoidance.method: orca in the checkpoint, hrvo here". False when nothing does.
bool fingerprint_differs(const char *stored, const char *current, char *difference, size_t size);
