#include "node_group.h"

const struct node_group node_group_self = {.size = 1};

bool node_group_all(const struct node_group *t, bool mine)
{
  return t->size > 1 ? t->logical_and(t->context, mine) : mine;
}

void *node_group_allocate(const struct node_group *t, size_t bytes)
{
  return t->size > 1 ? t->allocate(t->context, bytes) : NULL;
}

void node_group_release(const struct node_group *t, void *memory, size_t bytes)
{
  if (memory)
    t->release(memory, bytes);
}
