// Every agent has one owner: the rank whose box holds it.
#include "migrate.h"
#include "rank_crowd.h"

static void check_owners(const struct crowd *crowd, const struct comm *c, const struct partition *p,
                         const struct agents *a)
{
  int64_t *owners = memory_create((size_t)crowd->count, sizeof *owners);
  for (int64_t i = 0; i < a->count; i++) {
    const struct point at = {a->x[i], a->y[i]}, made = crowd_place(crowd, a->id[i]);
    law(at.x == made.x && at.y == made.y, "%s: agent %" PRId64, crowd->name, a->id[i]);
    law(partition_owner(p, at) == c->rank, "%s: agent %" PRId64, crowd->name, a->id[i]);
    law(box_holds(p->boxes[c->rank], at), "%s: agent %" PRId64, crowd->name, a->id[i]);
    crowd_check_fields(a, i);
    owners[a->id[i]]++;
  }
  comm_sum(c, owners, crowd->count);
  for (int64_t id = 0; id < crowd->count; id++)
    law(owners[id] == 1, "%s: agent %" PRId64 " has %" PRId64, crowd->name, id, owners[id]);
  memory_destroy(owners);
}

// All ranks have the same boxes, and no two boxes overlap.
static void check_boxes(const struct crowd *crowd, const struct comm *c, const struct partition *p)
{
  for (int32_t r = 0; r < c->size; r++) {
    const struct box b = p->boxes[r];
    int64_t extremes[] = {b.lo.x,           b.lo.y,           b.hi.x,           b.hi.y,
                          -(int64_t)b.lo.x, -(int64_t)b.lo.y, -(int64_t)b.hi.x, -(int64_t)b.hi.y};
    comm_max(c, extremes, 8);
    for (int k = 0; k < 4; k++)
      law(extremes[k] == -extremes[k + 4], "%s: box of rank %d", crowd->name, r);
    for (int32_t other = 0; other < r; other++) {
      const bool empty = b.lo.x >= b.hi.x || b.lo.y >= b.hi.y;
      const struct box o = p->boxes[other];
      const bool other_empty = o.lo.x >= o.hi.x || o.lo.y >= o.hi.y;
      law(empty || other_empty || !box_overlaps(b, o), "%s: ranks %d and %d", crowd->name, other,
          r);
    }
  }
}

static void check_shares(const struct crowd *crowd, const struct comm *c, const struct agents *a)
{
  int64_t extremes[] = {a->count, -a->count};
  comm_max(c, extremes, 2);
  law(extremes[0] + extremes[1] <= c->size + 3, "%s: %" PRId64 " to %" PRId64, crowd->name,
      -extremes[1], extremes[0]); // even if no two agents share a coordinate
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < CROWDS; k++) {
    struct agents a;
    struct partition p;
    crowd_share(&crowds[k], &c, &a);
    crowd_partition(&c, &a, &p);
    migrate_globally(&c, &p, &a);
    check_boxes(&crowds[k], &c, &p);
    check_owners(&crowds[k], &c, &p, &a);
    if (k == 0)
      check_shares(&crowds[k], &c, &a);
    migrate_globally(&c, &p, &a); // every agent is at home: no change
    check_owners(&crowds[k], &c, &p, &a);
    partition_destroy(&p);
    agents_destroy(&a);
  }
  comm_end(&c);
  return 0;
}
