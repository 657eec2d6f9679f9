#include "field_squares.h"

#include "base.h"

void field_squares_forget(struct field_squares_block *block, int64_t count)
{
  for (int64_t b = 0; b < count; b++)
    for (int k = 0; k < FIELD_SQUARES; k++)
      block[b].key[k] = -1;
}

void field_squares_reserve(struct field_squares *s, int64_t agents)
{
  const int64_t blocks = (agents + FIELD_SQUARES - 1) / FIELD_SQUARES;
  if (blocks <= s->block_count)
    return;
  const int64_t more = blocks + blocks / 8;
  s->block = memory_grow(s->block, (size_t)s->block_count, (size_t)more, sizeof *s->block);
  field_squares_forget(s->block + s->block_count, more - s->block_count);
  s->block_count = more;
}

void field_squares_clear(struct field_squares *s)
{
  field_squares_forget(s->block, s->block_count);
}

void field_squares_destroy(struct field_squares *s)
{
  memory_destroy(s->block);
  *s = (struct field_squares){0};
}
