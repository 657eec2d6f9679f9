// The fingerprint of a scenario: everything in it that affects results. A run continues from a
// checkpoint only if the fingerprints agree.
#pragma once
#include "scenario.h"

// Sorted lines "key: value\n" of all options that affect results, and hashes of the files and
// walls. Left out: name, time.end, output, balance and ranks. Free with memory_destroy.
char *scenario_fingerprint(const struct scenario *s);

// Of the lines that agents depend on: without those of measure and alarms.
uint64_t fingerprint_hash(const char *fingerprint);

// Writes the first difference between two fingerprints to difference[size], such as
// "avoidance.method: orca in the checkpoint, hrvo here". False if there is none. unmeasured:
// options of measure and alarms, on which no agent depends, may differ.
bool fingerprint_differs(const char *stored, const char *current, bool unmeasured, char *difference,
                         size_t size);
