#include "node_group.h"

#include <assert.h>

const struct node_group node_group_self = {.size = 1};

bool node_group_is_valid(const struct node_group *g)
{
  const bool functions = g->logical_and && g->allocate && g->release;
  return g->rank >= 0 && g->rank < g->size && (g->size == 1 || functions);
}

bool node_group_all(const struct node_group *g, bool mine)
{
  assert(node_group_is_valid(g));
  return g->size > 1 ? g->logical_and(g->context, mine) : mine;
}

void *node_group_allocate(const struct node_group *g, size_t bytes)
{
  assert(node_group_is_valid(g));
  return g->size > 1 ? g->allocate(g->context, bytes) : NULL;
}

void node_group_release(const struct node_group *g, void *memory, size_t bytes)
{
  if (memory)
    g->release(memory, bytes);
}
