#include "wall_lists.h"

#include "base.h"
#include <string.h>

void wall_lists_reserve(struct wall_lists *l, int64_t leaves)
{
  if (leaves <= l->leaf_count)
    return;
  const int64_t more = leaves + leaves / 8;
  l->of_leaf = memory_grow(l->of_leaf, (size_t)l->leaf_count, (size_t)more, sizeof *l->of_leaf);
  l->leaf_count = more;
}

void wall_lists_follow(struct wall_lists *l, uint64_t version)
{
  for (int64_t k = 0; l->version != version && k < l->leaf_count; k++)
    l->of_leaf[k].reach = 0;
  l->version = version;
}

void wall_lists_destroy(struct wall_lists *l)
{
  memory_destroy(l->of_leaf);
  *l = (struct wall_lists){0};
}
