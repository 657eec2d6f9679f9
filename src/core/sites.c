#include "sites.h"

#include "base.h"
#include "length.h"
#include <string.h>

struct point length_foot(struct point p, struct point a, struct point b)
{
  const double x = (double)b.x - a.x, y = (double)b.y - a.y;
  const double length2 = x * x + y * y;
  const double along = x * ((double)p.x - a.x) + y * ((double)p.y - a.y);
  if (!(along > 0))
    return a;
  if (along >= length2)
    return b;
  return (struct point){(int32_t)floor(a.x + x * (along / length2) + 0.5),
                        (int32_t)floor(a.y + y * (along / length2) + 0.5)};
}

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

struct point sites_point(const struct sites *s, int32_t place, struct point p)
{
  const struct piece *one = &s->pieces[place];
  return same_point(one->a, one->b) ? one->a : length_foot(p, one->a, one->b);
}

// ----------------------------------------------------------------------------- the search

struct search {
  const struct sites *sites;
  const struct remaining *remaining;
  struct point p;
  struct candidate_site after, *out;
  int64_t below;
  int32_t bend; // quanta; -1: wedges do not matter
  int count;
};

static bool comes_first(struct candidate_site a, struct candidate_site b)
{
  return a.length < b.length || (a.length == b.length && a.place < b.place);
}

// With a thousandth of a turn to spare: lengths are rounded, so equal ways may be told apart.
static bool on_left(struct point a, struct point b)
{
  const double spare =
      1e-3 * (fabs((double)a.x) + fabs((double)a.y)) * (fabs((double)b.x) + fabs((double)b.y));
  return (double)a.x * b.y - (double)a.y * b.x >= -spare;
}

bool wedge_holds(const struct wedge *w, struct point x)
{
  return on_left(w->a, x) && on_left(x, w->b);
}

static bool bends_at(const struct search *q, int32_t place)
{
  const struct point at = q->sites->pieces[place].a, x = {q->p.x - at.x, q->p.y - at.y};
  return wedge_holds(&q->remaining->wedges[place], x) || length_rounded(x.x, x.y) <= q->bend;
}

static void candidate_take(struct search *q, struct candidate_site c)
{
  if (!comes_first(q->after, c) || c.length >= q->below)
    return;
  if (q->count == SITES_BATCH && !comes_first(c, q->out[SITES_BATCH - 1]))
    return;
  if (q->bend >= 0 && !bends_at(q, c.place))
    return;
  int at = q->count < SITES_BATCH ? q->count++ : SITES_BATCH - 1;
  for (; at > 0 && comes_first(c, q->out[at - 1]); at--)
    q->out[at] = q->out[at - 1];
  q->out[at] = c;
}

static void leaf_search(struct search *q, int64_t leaf)
{
  const struct sites *s = q->sites;
  const int64_t last = (leaf + 1) * TREE_WIDTH, end = last < s->count ? last : s->count;
  for (int64_t k = leaf * TREE_WIDTH; k < end; k++) {
    const int32_t place = s->order[k];
    const int64_t rest = q->remaining ? q->remaining->of[place] : 0;
    if (rest != SITES_UNREACHED)
      candidate_take(q, (struct candidate_site){
                            length_between(q->p, sites_point(s, place, q->p)) + rest, place});
  }
}

// May something below the node be wanted? A foot is rounded to quanta: 2 are allowed for that.
static bool node_wanted(const struct search *q, int level, int64_t node)
{
  const struct tree_level *l = &q->sites->tree.level[level];
  const int64_t rest = q->remaining ? q->remaining->least[level][node] : 0;
  if (rest == SITES_UNREACHED)
    return false;
  const struct box box = {{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}};
  const int64_t least = length_to_box(q->p, box) + rest - 2;
  return least < q->below && (q->count < SITES_BATCH || least <= q->out[SITES_BATCH - 1].length);
}

static void children_search(struct search *q, int level, int64_t first)
{
  const struct tree_level *l = &q->sites->tree.level[level];
  const int64_t last = first + TREE_WIDTH, end = last < l->count ? last : l->count;
  for (int64_t i = first; i < end; i++)
    if (node_wanted(q, level, i)) {
      if (level == 0)
        leaf_search(q, i);
      else
        children_search(q, level - 1, i * TREE_WIDTH);
    }
}

int sites_next(const struct sites *s, const struct remaining *r, struct point p,
               struct candidate_site after, int64_t below, int32_t bend, struct candidate_site *out)
{
  struct search q = {s, r && r->of ? r : NULL, p, after, out, below, bend, 0};
  if (s->tree.level_count > 0)
    children_search(&q, s->tree.level_count - 1, 0);
  return q.count;
}
