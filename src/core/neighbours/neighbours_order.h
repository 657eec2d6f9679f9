// The order of the agents in memory: within the room only.
#pragma once
#include "neighbours.h"

// Room for `agents` owned agents.
void neighbours_order_reserve(struct neighbours *n, int64_t agents);
// After the widths of all nodes were set.
void neighbours_order_note_widths(struct neighbours *n);
// Sorts the agents [first, first + count). memory: AGENTS_SPARE bytes for each of them, rounded up
// to AGENT_PADDING.
void neighbours_order_sort(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                           void *memory);
