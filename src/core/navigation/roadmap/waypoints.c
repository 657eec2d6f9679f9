#include "waypoints.h"

#include "base.h"
#include <string.h>

static struct box_tree_key middle_of(const struct segment *s, int64_t i)
{
  const struct box b = segment_box(s->a, s->b);
  return (struct box_tree_key){{b.lo.x + (b.hi.x - b.lo.x) / 2, b.lo.y + (b.hi.y - b.lo.y) / 2},
                               (int32_t)i};
}

void waypoints_create(struct waypoints *s, const struct segment *segments, int64_t count)
{
  *s = (struct waypoints){.count = count};
  s->segments = memory_create((size_t)count, sizeof *s->segments);
  s->order = memory_create((size_t)count, sizeof *s->order);
  if (count == 0)
    return;
  memcpy(s->segments, segments, (size_t)count * sizeof *segments);
  struct box_tree_key *keys = memory_create((size_t)count, sizeof *keys);
  for (int64_t i = 0; i < count; i++)
    keys[i] = middle_of(&segments[i], i);
  box_tree_sort(keys, count);
  box_tree_reserve(&s->tree, count);
  for (int64_t k = 0; k < count; k++) {
    const struct segment *one = &segments[s->order[k] = keys[k].item];
    const struct box b = segment_box(one->a, one->b);
    const int64_t leaf = k / BOX_TREE_WIDTH;
    box_tree_set_leaf(&s->tree, leaf,
                      k % BOX_TREE_WIDTH ? box_union(box_tree_leaf_box(&s->tree, leaf), b) : b, 0);
  }
  box_tree_refit(&s->tree);
  memory_destroy(keys);
}

void waypoints_destroy(struct waypoints *s)
{
  memory_destroy(s->segments);
  memory_destroy(s->order);
  box_tree_destroy(&s->tree);
  *s = (struct waypoints){0};
}

static void least_set(int64_t *least, int64_t node, int64_t value)
{
  if (value < least[node])
    least[node] = value;
}

void cost_to_go_refit(struct cost_to_go *r, const struct waypoints *s)
{
  for (int l = 0; l < s->tree.level_count; l++) {
    const int64_t nodes = s->tree.level[l].count;
    r->least[l] = memory_create((size_t)nodes, sizeof *r->least[l]);
    for (int64_t i = 0; i < nodes; i++)
      r->least[l][i] = WAYPOINTS_UNREACHED;
  }
  for (int64_t k = 0; k < s->count; k++)
    for (int64_t l = 0, node = k / BOX_TREE_WIDTH; l < s->tree.level_count;
         l++, node /= BOX_TREE_WIDTH)
      least_set(r->least[l], node, r->of[s->order[k]]);
}

void cost_to_go_destroy(struct cost_to_go *r)
{
  memory_destroy(r->of);
  memory_destroy(r->tangent_wedges);
  for (int l = 0; l < BOX_TREE_LEVELS_MAX; l++)
    memory_destroy(r->least[l]);
  *r = (struct cost_to_go){0};
}
