// Agents that move by up to the halo width are never lost, duplicated or changed.
#include "box_tree.h"
#include "halo.h"
#include "migrate.h"
#include "rank_crowd.h"

#define STEPS (SHORT ? 15 : 50)
#define WIDTH (1 << 17)

// The jump is a function of id and step, which every rank can compute.
static void jump(struct agents *a, int64_t step)
{
  for (int64_t i = 0; i < a->count; i++) {
    const struct random4 r = random_words(9, a->id[i], step, RANDOM_TEST);
    const int32_t dx = r.word[2] % 4 ? crowd_within(r.word[0], WIDTH) : WIDTH; // the limit, too
    const int32_t dy = r.word[3] % 4 ? crowd_within(r.word[1], WIDTH) : -WIDTH;
    const int64_t x = (int64_t)a->x[i] + dx, y = (int64_t)a->y[i] + dy;
    a->x[i] = x < POSITION_LIMIT ? (int32_t)x : POSITION_LIMIT;
    a->y[i] = y > -POSITION_LIMIT ? (int32_t)y : -POSITION_LIMIT;
  }
}

static void check_crowd(struct comm *c, const struct crowd *crowd)
{
  struct agents a, all; // all: the whole crowd on every rank
  struct partition p;
  struct halo h;
  struct migrate m;
  const struct comm self = comm_self();
  crowd_share(crowd, c, &a);
  crowd_share(crowd, &self, &all);
  crowd_partition(c, &a, &p);
  migrate_globally(c, &p, &a);
  halo_create(&h, c, &p, WIDTH, NULL);
  migrate_create(&m, c, &p, h.exchange.peers, h.exchange.peer_count);
  for (int64_t step = 0; step < STEPS; step++) {
    halo_begin(&h, &a);
    halo_end(&h, &a);
    jump(&a, step);
    jump(&all, step);
    int64_t border_layer = step % (a.count / BOX_TREE_NODE + 2) * BOX_TREE_NODE;
    migrate(&m, &a, &border_layer);
    crowd_check_ownership(c, &p, &a, step);
    crowd_check_whole(c, &a, &all, step);
  }
  migrate_destroy(&m);
  halo_destroy(&h);
  partition_destroy(&p);
  agents_destroy(&a);
  agents_destroy(&all);
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < CROWDS; k++)
    check_crowd(&c, &crowds[k]);
  comm_end(&c);
  return 0;
}
