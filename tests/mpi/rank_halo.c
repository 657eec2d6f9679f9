// The ghosts of a rank are exactly the agents of other ranks within the halo width of its box.
#include "halo.h"
#include "migrate.h"
#include "rank_crowd.h"

// Sets seen[id] for every ghost; each must come once and unchanged.
static void mark_ghosts(const struct crowd *crowd, const struct agents *a, uint8_t *seen)
{
  for (int64_t g = a->count; g < a->count + a->ghost_count; g++) {
    const int64_t id = a->id[g];
    law(id >= 0 && id < crowd->count, "%s: agent %" PRId64, crowd->name, id);
    law(!seen[id], "%s: agent %" PRId64 " came twice", crowd->name, id);
    seen[id] = 1;
    const struct point at = {a->x[g], a->y[g]}, made = crowd_place(crowd, id);
    law(at.x == made.x && at.y == made.y, "%s: ghost %" PRId64, crowd->name, id);
    law(a->vx[g] == (float)id && a->vy[g] == (float)-id && a->radius[g] == (float)id + 0.25f,
        "%s: ghost %" PRId64, crowd->name, id);
  }
}

// Agents are a function of their ids, so each rank knows which ghosts it must have.
static void check_ghosts(const struct crowd *crowd, const struct comm *c, const struct partition *p,
                         int32_t width, const struct agents *a)
{
  uint8_t *seen = memory_create((size_t)crowd->count, 1);
  const struct box wide = box_widened(p->boxes[c->rank], width);
  mark_ghosts(crowd, a, seen);
  for (int64_t id = 0; id < crowd->count; id++) {
    const struct point at = crowd_place(crowd, id);
    const bool wanted = partition_owner(p, at) != c->rank && box_holds(wide, at);
    law(seen[id] == wanted, "%s: width %d, rank %d, agent %" PRId64 ": %s", crowd->name, width,
        c->rank, id, wanted ? "is missing" : "is too far away");
  }
  memory_destroy(seen);
}

static void check_sums(const struct comm *c, const struct halo *h, const struct agents *a)
{
  int64_t sums[] = {h->sent, a->ghost_count};
  comm_sum(c, sums, 2);
  law(sums[0] == sums[1], "%" PRId64 " sent, %" PRId64 " came", sums[0], sums[1]);
}

static void check_width(const struct crowd *crowd, const struct comm *c, const struct partition *p,
                        int32_t width, struct agents *a)
{
  struct halo h;
  halo_create(&h, c, p, width, NULL);
  law(halo_is_valid(&h), "%s: width %d", crowd->name, width);
  for (int again = 0; again < 2; again++) {
    const int64_t count = a->count;
    halo_begin(&h, a);
    halo_end(&h, a);
    law(a->count == count, "%s: owned agents stay", crowd->name);
    check_ghosts(crowd, c, p, width, a);
    check_sums(c, &h, a);
  }
  halo_destroy(&h);
}

int main(int argc, char **argv)
{
  static const int32_t widths[] = {1, 1 << 12, 1 << 18, 1 << 21, POSITION_LIMIT};
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < CROWDS; k++) {
    struct agents a;
    struct partition p;
    crowd_share(&crowds[k], &c, &a);
    crowd_partition(&c, &a, &p);
    migrate_globally(&c, &p, &a);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
      check_width(&crowds[k], &c, &p, widths[w], &a);
    partition_destroy(&p);
    agents_destroy(&a);
  }
  comm_end(&c);
  return 0;
}
