// The cells of its field around each agent, kept while the agent stays between their centres: most
// steps read no field, and fields are larger than any cache. Copies only, so they cannot affect a
// result.
#pragma once
#include <stdint.h>

#define FIELD_SQUARES 16 // agents of a block

struct field_squares_block {         // of agents next to each other in memory
  int32_t south_west[FIELD_SQUARES]; // cell; with the next line the key of what is kept:
  int32_t key[FIELD_SQUARES];     // the field's number and which cells are in memory; -1: nothing
  int32_t word[4][FIELD_SQUARES]; // struct field_corners (field_kernel.h)
};

struct field_squares {
  int64_t block_count;
  struct field_squares_block *block; // [block_count]
};

void field_squares_reserve(struct field_squares *s, int64_t agents); // room for at least `agents`
void field_squares_clear(struct field_squares *s);                   // the fields have changed
void field_squares_destroy(struct field_squares *s);
void field_squares_forget(struct field_squares_block *block, int64_t count);
