#include "sites.h"

#include "base.h"
#include <string.h>

static struct tree_key middle_of(const struct piece *s, int64_t i)
{
  const struct box b = piece_box(s->a, s->b);
  return (struct tree_key){{b.lo.x + (b.hi.x - b.lo.x) / 2, b.lo.y + (b.hi.y - b.lo.y) / 2},
                           (int32_t)i};
}

void sites_create(struct sites *s, const struct piece *pieces, int64_t count)
{
  *s = (struct sites){.count = count};
  s->pieces = memory_create((size_t)count, sizeof *s->pieces);
  s->order = memory_create((size_t)count, sizeof *s->order);
  if (count == 0)
    return;
  memcpy(s->pieces, pieces, (size_t)count * sizeof *pieces);
  struct tree_key *keys = memory_create((size_t)count, sizeof *keys);
  for (int64_t i = 0; i < count; i++)
    keys[i] = middle_of(&pieces[i], i);
  tree_order(keys, count);
  tree_reserve(&s->tree, count);
  for (int64_t k = 0; k < count; k++) {
    const struct piece *one = &pieces[s->order[k] = keys[k].item];
    const struct box b = piece_box(one->a, one->b);
    const int64_t leaf = k / TREE_WIDTH;
    tree_set_leaf(&s->tree, leaf, k % TREE_WIDTH ? box_union(tree_leaf_box(&s->tree, leaf), b) : b,
                  0);
  }
  tree_fit(&s->tree);
  memory_destroy(keys);
}

void sites_destroy(struct sites *s)
{
  memory_destroy(s->pieces);
  memory_destroy(s->order);
  tree_destroy(&s->tree);
  *s = (struct sites){0};
}

static void least_set(int64_t *least, int64_t node, int64_t value)
{
  if (value < least[node])
    least[node] = value;
}

void remaining_fit(struct remaining *r, const struct sites *s)
{
  for (int l = 0; l < s->tree.level_count; l++) {
    const int64_t nodes = s->tree.level[l].count;
    r->least[l] = memory_create((size_t)nodes, sizeof *r->least[l]);
    for (int64_t i = 0; i < nodes; i++)
      r->least[l][i] = SITES_UNREACHED;
  }
  for (int64_t k = 0; k < s->count; k++)
    for (int64_t l = 0, node = k / TREE_WIDTH; l < s->tree.level_count; l++, node /= TREE_WIDTH)
      least_set(r->least[l], node, r->of[s->order[k]]);
}

void remaining_destroy(struct remaining *r)
{
  memory_destroy(r->of);
  memory_destroy(r->wedges);
  for (int l = 0; l < TREE_LEVELS_MAX; l++)
    memory_destroy(r->least[l]);
  *r = (struct remaining){0};
}
