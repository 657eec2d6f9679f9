#include "name_table.h"

#include "base.h"
#include "hash.h"
#include <string.h>

// The slot of the name, or the free one where it belongs.
static struct name_slot *slot_of(const struct name_table *t, const char *name)
{
  const uint64_t mask = (uint64_t)t->capacity - 1;
  uint64_t at = hash_mixed(hash_bytes(HASH_START, name, strlen(name))) & mask;
  while (t->slots[at].name && strcmp(t->slots[at].name, name) != 0)
    at = (at + 1) & mask;
  return &t->slots[at];
}

static void enlarge(struct name_table *t)
{
  const struct name_table old = *t;
  t->capacity = old.capacity ? 2 * old.capacity : 16;
  t->slots = memory_create((size_t)t->capacity, sizeof *t->slots);
  for (int64_t k = 0; k < old.capacity; k++)
    if (old.slots[k].name)
      *slot_of(t, old.slots[k].name) = old.slots[k];
  memory_destroy(old.slots);
}

int32_t name_table_find(const struct name_table *t, const char *name)
{
  const struct name_slot *slot = t->capacity ? slot_of(t, name) : NULL;
  return slot && slot->name ? slot->value : NAME_UNKNOWN;
}

int32_t name_table_add(struct name_table *t, const char *name, int32_t value)
{
  if (2 * t->count >= t->capacity)
    enlarge(t);
  struct name_slot *slot = slot_of(t, name);
  if (slot->name)
    return slot->value;
  *slot = (struct name_slot){name, value};
  t->count++;
  return NAME_UNKNOWN;
}

void name_table_destroy(struct name_table *t)
{
  memory_destroy(t->slots);
  *t = (struct name_table){0};
}
