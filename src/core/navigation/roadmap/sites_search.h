// The nearest places of an index, the way that remains from them included.
#pragma once
#include "sites.h"
#include "tree_descent.h"

#include <stddef.h>

struct candidate_site {
  int64_t length; // |p - place| + remaining, quanta
  int32_t place;
};
#define SITES_BATCH 64 // fewer, and more searches begin anew; more cost no less

struct sites_search {
  const struct sites *sites;
  const struct remaining *remaining;
  struct point p;
  struct candidate_site after, *out;
  int64_t below;
  int32_t bend; // quanta; -1: wedges do not matter
  int count;
};

INLINE bool comes_first(struct candidate_site a, struct candidate_site b)
{
  return a.length < b.length || (a.length == b.length && a.place < b.place);
}

// With a thousandth of a turn to spare: lengths are rounded, so equal ways may be told apart.
INLINE bool on_left(struct point a, struct point b)
{
  const double spare =
      1e-3 * (fabs((double)a.x) + fabs((double)a.y)) * (fabs((double)b.x) + fabs((double)b.y));
  return (double)a.x * b.y - (double)a.y * b.x >= -spare;
}

INLINE bool bends_at(const struct sites_search *q, int32_t place)
{
  const struct point at = q->sites->pieces[place].a, x = {q->p.x - at.x, q->p.y - at.y};
  const struct wedge *w = &q->remaining->wedges[place];
  return (on_left(w->a, x) && on_left(x, w->b)) || length_rounded(x.x, x.y) <= q->bend;
}

INLINE void candidate_take(struct sites_search *q, struct candidate_site c)
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

ONE_TEXT void leaf_search(struct sites_search *q, int64_t leaf)
{
  const struct sites *s = q->sites;
  const int64_t last = (leaf + 1) * TREE_WIDTH, end = last < s->count ? last : s->count;
  for (int64_t k = leaf * TREE_WIDTH; k < end; k++) {
    const int32_t place = s->order[k];
    const int64_t rest = q->remaining ? q->remaining->of[place] : 0;
    if (rest == SITES_UNREACHED)
      continue;
    const struct candidate_site c = {length_between(q->p, sites_point(s, place, q->p)) + rest,
                                     place};
    candidate_take(q, c);
  }
}

// May something below the node be wanted? A foot is rounded to quanta: 2 are allowed for that.
INLINE bool node_wanted(const struct sites_search *q, int level, int64_t node)
{
  const struct tree_level *l = &q->sites->tree.level[level];
  const int64_t rest = q->remaining ? q->remaining->least[level][node] : 0;
  if (rest == SITES_UNREACHED)
    return false;
  const struct box box = {{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}};
  const int64_t least = length_to_box(q->p, box) + rest - 2;
  return least < q->below && (q->count < SITES_BATCH || least <= q->out[SITES_BATCH - 1].length);
}

// Up to SITES_BATCH places in ascending (length, place), all of them behind `after` and shorter
// than `below`. How many. Nowhere that no way leads from; with bend >= 0 only where the wedge says
// so, or no farther than bend.
ONE_TEXT int sites_next(const struct sites *s, const struct remaining *r, struct point p,
                        struct candidate_site after, int64_t below, int32_t bend,
                        struct candidate_site *out)
{
  struct sites_search q = {s, r && r->of ? r : NULL, p, after, out, below, bend, 0};
  struct descent d;
  descent_begin(&d, &s->tree);
  while (!descent_over(&d)) {
    const bool wanted = node_wanted(&q, d.level, d.node);
    if (wanted && d.level > 0) {
      descent_into(&d);
      continue;
    }
    if (wanted)
      leaf_search(&q, d.node);
    descent_past(&d);
  }
  return q.count;
}
