// The four cells around each agent, of the field that it follows, kept while it stays between their
// centres: most steps read no field, and fields are larger than any cache. The corners are
// copies, so they cannot affect a result.
#pragma once
#include <stdint.h>

#define KEPT_BLOCK 16 // agents

struct kept_corners_block {       // of agents next to each other in memory
  int32_t south_west[KEPT_BLOCK]; // cell; with the next line the key of what is kept:
  int32_t key[KEPT_BLOCK];        // the field's number and which cells are in memory; -1: nothing
  int32_t word[4][KEPT_BLOCK];    // struct field_corners (field_kernel.h)
};

struct kept_corners {
  uint64_t version; // of the fields: world_fields_version
  int64_t block_count;
  struct kept_corners_block *block; // [block_count]
  // [block_count] A bit for each agent: it may arrive in this step. Set with the preferred
  // velocities, for agents without a field and for those whose corners include a cell of the
  // destination or, where routes lead, one that a wall touches. An agent that moves less than half
  // a cell stays in one of its corners. Valid until the move of the same step: agents do not change
  // their index, destination or field before it.
  uint16_t *may_arrive;
  // [block_count] Likewise: no wall is near it. All its corners have a route, and no wall touches
  // them.
  uint16_t *on_free_ground;
};

void kept_corners_reserve(struct kept_corners *k, int64_t agents); // room for at least `agents`
// Forgets all corners if the fields have changed since the last call.
void kept_corners_follow(struct kept_corners *k, uint64_t version);
void kept_corners_destroy(struct kept_corners *k);
// Marks blocks as empty: block[count].
void kept_corners_forget(struct kept_corners_block *block, int64_t count);
