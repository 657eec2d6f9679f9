// What somebody on the roadmap aims at: the place in sight with the least |p - place| + remaining.
#pragma once
#include "roadmap.h"
#include "segment_hidden.h"
#include "sites_search.h"

#define LOOK_EVERY  256 // steps: anew
#define CHECK_EVERY 8   // steps: is it still in sight?
#define EDGES_TRIED 8   // of the destination's edges; if they are hidden, nodes lead there

struct looker {
  const struct roadmap *r;
  int32_t target;
  struct point p;
  bool grown;     // the grown obstacles hide, not the walls alone
  bool bending;   // only nodes where the shortest way bends
  int64_t length; // of the best so far, quanta
  int32_t aim;
};

// Nobody but the walls, as they are or grown, is between p and q.
INLINE bool roadmap_sees(const struct roadmap *r, bool grown, struct point p, struct point q)
{
  return !segment_hidden(grown ? &r->grown.walls : r->walls, grown ? &r->grown : NULL, p, q);
}

// Is p outside all clearances? Then the grown obstacles hide.
INLINE bool roadmap_free(const struct roadmap *r, struct point p)
{
  return !r->given && !solid_at(&r->grown.walls, p);
}

// The place that an aim means: p, where it is none or nothing more.
ONE_TEXT struct point roadmap_aim_point(const struct roadmap *r, int32_t target, struct point p,
                                        int32_t aim)
{
  if (aim >= 0)
    return r->nodes[aim];
  if (aim > ROADMAP_EDGE)
    return p;
  return sites_point(&r->targets[target].edges, ROADMAP_EDGE - aim, p);
}

ONE_TEXT void edges_look(struct looker *l, int most)
{
  const struct sites *edges = &l->r->targets[l->target].edges;
  struct candidate_site batch[SITES_BATCH], after = {-1, -1};
  for (int count; (count = sites_next(edges, NULL, l->p, after, l->length, -1, batch)) > 0;) {
    for (int i = 0; i < count && most > 0; i++, most--)
      if (roadmap_sees(l->r, l->grown, l->p, sites_point(edges, batch[i].place, l->p))) {
        l->length = batch[i].length;
        l->aim = ROADMAP_EDGE - batch[i].place;
        return;
      }
    if (most <= 0)
      return;
    after = batch[count - 1];
  }
}

ONE_TEXT void nodes_look(struct looker *l)
{
  const struct remaining *rest = &l->r->trees[l->target].remaining;
  struct candidate_site batch[SITES_BATCH], after = {-1, -1};
  const int32_t bend = l->bending ? l->r->clearance : -1;
  for (int count;
       (count = sites_next(&l->r->sites, rest, l->p, after, l->length, bend, batch)) > 0;) {
    for (int i = 0; i < count; i++)
      if (roadmap_sees(l->r, l->grown, l->p, l->r->nodes[batch[i].place])) {
        l->length = batch[i].length;
        l->aim = batch[i].place;
        return;
      }
    after = batch[count - 1];
  }
}

ONE_TEXT bool aim_seen(const struct looker *l, int32_t aim)
{
  return aim != ROADMAP_NONE && aim != ROADMAP_THERE &&
         roadmap_sees(l->r, l->grown, l->p, roadmap_aim_point(l->r, l->target, l->p, aim));
}

// Where to walk to for it: a clearance past the edge of a destination, so that one steps inside.
ONE_TEXT struct point roadmap_ahead(const struct roadmap *r, int32_t target, struct point p,
                                    int32_t aim)
{
  struct point to = roadmap_aim_point(r, target, p, aim);
  if (aim > ROADMAP_EDGE)
    return to;
  const struct piece *e = &r->targets[target].edges.pieces[ROADMAP_EDGE - aim];
  const double x = (double)e->b.x - e->a.x, y = (double)e->b.y - e->a.y;
  const double scale = (r->clearance + 64) / sqrt(x * x + y * y), most = scale < 0.5 ? scale : 0.5;
  // Inside is on the left; off an end of the edge, which another edge may go on from.
  const double along = same_point(to, e->a) ? most : same_point(to, e->b) ? -most : 0;
  to.x = (int32_t)floor(to.x + along * x - y * scale + 0.5);
  to.y = (int32_t)floor(to.y + along * y + x * scale + 0.5);
  return to;
}

INLINE int64_t aim_length(const struct looker *l, int32_t aim)
{
  const int64_t rest = aim >= 0 ? l->r->trees[l->target].remaining.of[aim] : 0;
  return length_between(l->p, roadmap_aim_point(l->r, l->target, l->p, aim)) + rest;
}

INLINE void all_look(struct looker *l)
{
  edges_look(l, EDGES_TRIED);
  nodes_look(l);
}

// Whoever stands where nothing is in sight heads for the nearest place that leads there at all,
// and looks again: nobody stands still for want of an aim.
ONE_TEXT void nearest_take(struct looker *l)
{
  struct candidate_site batch[SITES_BATCH];
  const struct candidate_site none = {-1, -1};
  if (sites_next(&l->r->sites, &l->r->trees[l->target].remaining, l->p, none, SITES_UNREACHED, -1,
                 batch) > 0)
    l->aim = batch[0].place;
  else if (sites_next(&l->r->targets[l->target].edges, NULL, l->p, none, SITES_UNREACHED, -1,
                      batch) > 0)
    l->aim = ROADMAP_EDGE - batch[0].place;
}

ONE_TEXT int32_t aim_find(struct looker *l, int32_t aim)
{
  if (target_holds(&l->r->targets[l->target], l->p))
    return ROADMAP_THERE;
  l->bending = l->grown;
  if (aim_seen(l, aim)) { // whatever is better must be shorter
    l->aim = aim;
    l->length = aim_length(l, aim);
  }
  all_look(l);
  if (l->aim == ROADMAP_NONE) {
    l->grown = l->bending = false;
    all_look(l);
  }
  if (l->aim == ROADMAP_NONE)
    nearest_take(l);
  return l->aim;
}

INLINE bool sees_past(const struct roadmap *r, struct point p, struct point next)
{
  return roadmap_sees(r, false, p, next) || (roadmap_free(r, p) && roadmap_sees(r, true, p, next));
}

// A node within reach is as good as passed where the walls let one see what comes next: whoever
// is too wide to stand on it, or is pushed off it, goes on.
ONE_TEXT int32_t aim_advance(const struct roadmap *r, int32_t target, struct point p, int32_t aim,
                             int32_t reach)
{
  while (aim >= 0 && length_between(p, r->nodes[aim]) <= reach) {
    const int32_t next = r->trees[target].next[aim];
    if (next == ROADMAP_NONE || next == ROADMAP_THERE ||
        !sees_past(r, p, roadmap_aim_point(r, target, p, next)))
      break;
    aim = next;
  }
  return aim;
}

// What somebody at p aims at in this step, given what it was in the last one: anew every 256 steps
// of their own (turn: step + id), or when it is out of sight, and past a node within reach (quanta;
// the clearance at least).
ONE_TEXT int32_t roadmap_follow(const struct roadmap *r, int32_t target, struct point p,
                                int32_t aim, int32_t reach, uint64_t turn)
{
  const bool look = aim == ROADMAP_NONE || turn % LOOK_EVERY == 0;
  if (look || turn % CHECK_EVERY == 0) {
    struct looker l = {r, target, p, roadmap_free(r, p), false, SITES_UNREACHED, ROADMAP_NONE};
    if (look || !aim_seen(&l, aim))
      aim = aim_find(&l, aim);
  }
  return aim_advance(r, target, p, aim, reach > r->clearance ? reach : r->clearance);
}
