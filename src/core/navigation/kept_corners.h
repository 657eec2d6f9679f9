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
  int64_t block_count;
  struct kept_corners_block *block; // [block_count]
  // [block_count] bits of agents around which a cell of their destination or of a wall was when
  // their preferred velocities were set, and of those without a field. Until an agent has moved by
  // half a cell, its own cell is one of the four. Valid until the move of the same step: agents
  // keep their indices, destinations and fields so long.
  uint16_t *may_arrive;
};

void kept_corners_reserve(struct kept_corners *k, int64_t agents); // room for at least `agents`
void kept_corners_clear(struct kept_corners *k);                   // the fields have changed
void kept_corners_destroy(struct kept_corners *k);
// Marks blocks as empty: block[count].
void kept_corners_forget(struct kept_corners_block *block, int64_t count);
