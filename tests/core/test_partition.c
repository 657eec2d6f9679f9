#include "partition_points.h"

#include <pthread.h>
#include <stdlib.h>

#define SUM_MAX (1 << 18) // values of a sum over the ranks

Test(partition, every_position_has_one_owner)
{
  static const int counts[] = {0, 1, 2, 100, AGENTS};
  uint64_t r = 1;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 1; ranks <= RANKS; ranks++) {
      const int count = counts[(kind + ranks) % 5];
      struct partition p;
      place_agents(kind, count, 9);
      create(&p, ranks, count, ranks % 2);
      for (int i = 0; i < count; i += 7)
        assert_one_owner(&p, (struct point){x[i], y[i]});
      for (int i = 0; i < 50; i++)
        assert_one_owner(&p, (struct point){oracle_whole(&r, -(1 << 30), 1 << 30),
                                            oracle_whole(&r, -(1 << 30), 1 << 30)});
      for (int32_t b = 0; b < ranks; b++) { // the outermost positions of the boxes
        const struct box box = p.boxes[b];
        const int32_t xs[] = {box.lo.x, box.hi.x - 1}, ys[] = {box.lo.y, box.hi.y - 1};
        for (int e = 0; e < 4; e++)
          if (box.lo.x < box.hi.x && box.lo.y < box.hi.y)
            assert_one_owner(&p, (struct point){xs[e % 2], ys[e / 2]});
      }
      partition_destroy(&p);
    }
}

Test(partition, boxes_tile_the_plane)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 1; ranks <= RANKS; ranks++) {
      struct partition p;
      place_agents(kind, 500, 9);
      create(&p, ranks, ranks % 5 ? 500 : 0, true);
      __extension__ unsigned __int128 area = 0;
      for (int32_t a = 0; a < ranks; a++) {
        const struct box b = p.boxes[a];
        cr_assert(b.lo.x <= b.hi.x && b.lo.y <= b.hi.y);
        area += (uint64_t)((int64_t)b.hi.x - b.lo.x) * (uint64_t)((int64_t)b.hi.y - b.lo.y);
        for (int32_t c = 0; c < a; c++)
          cr_assert_not(box_overlaps(b, p.boxes[c]) && b.lo.x < b.hi.x && b.lo.y < b.hi.y &&
                        p.boxes[c].lo.x < p.boxes[c].hi.x && p.boxes[c].lo.y < p.boxes[c].hi.y);
      }
      cr_assert(area == (uint64_t)UINT32_MAX * UINT32_MAX);
      partition_destroy(&p);
    }
}

// Groups are the nodes of one level of the tree: they tile the ranks, and their sizes differ by
// one.
Test(partition, groups_tile_the_ranks)
{
  static const int32_t rank_counts[] = {1, 2, 3, 7, 48, 1023, 2049, 10001, 65537, 100000};
  static const int32_t group_ranks[] = {1, 2, 3, 64, 1024, 200000};
  for (size_t n = 0; n < sizeof rank_counts / sizeof *rank_counts; n++)
    for (size_t k = 0; k < sizeof group_ranks / sizeof *group_ranks; k++) {
      const int32_t ranks = rank_counts[n], most = group_ranks[k];
      const int32_t first_count = partition_group(ranks, 0, most).count;
      for (int32_t rank = 0; rank < ranks;) {
        const struct rank_span group = partition_group(ranks, rank, most);
        cr_assert(group.first == rank && group.count >= 1 && group.count <= most);
        cr_assert(abs(group.count - first_count) <= 1);
        const int32_t last = rank + group.count - 1;
        cr_assert_eq(partition_group(ranks, last, most).first, group.first);
        rank += group.count;
      }
    }
}

Test(partition, shares_are_equal_in_a_spread_crowd)
{
  for (int ranks = 1; ranks <= RANKS; ranks++)
    for (int32_t heaviest = 1; heaviest <= 20; heaviest += 19) {
      struct partition p;
      place_agents(SPREAD, AGENTS, heaviest);
      create(&p, ranks, AGENTS, true);
      int64_t total = 0, least = INT64_MAX, most = 0;
      for (int i = 0; i < AGENTS; i++)
        total += weights[i];
      for (int32_t b = 0; b < ranks; b++) {
        const int64_t share = weight_in(p.boxes[b], AGENTS);
        least = share < least ? share : least;
        most = share > most ? share : most;
      }
      // Six levels of cuts, each off by half of a coordinate with two agents, rarely more.
      const int64_t slack = 6 * heaviest;
      cr_assert(most <= total / ranks + slack && least >= total / ranks - slack,
                "%d ranks: %lld to %lld of %lld", ranks, (long long)least, (long long)most,
                (long long)total);
      partition_destroy(&p);
    }
}

// No cut can split the weight on one coordinate, so an optimal cut misses its target by at most
// half of the weight on a coordinate next to it.
Test(partition, a_cut_misses_by_at_most_half_a_coordinate)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 2; ranks <= 3; ranks++) {
      struct partition p;
      place_agents(kind, AGENTS, 5);
      create(&p, ranks, AGENTS, true);
      const struct partition_cut *cut = &p.cuts[0];
      const int32_t *at = cut->axis ? y : x;
      int64_t total = 0, below = 0, on = 0, under = 0; // on: first coordinate not below the cut;
                                                       // under: last one below it
      int32_t next = INT32_MIN;
      for (int i = 0; i < AGENTS; i++) {
        total += weights[i];
        below += at[i] < cut->at ? weights[i] : 0;
        next = at[i] < cut->at && at[i] > next ? at[i] : next;
      }
      int32_t first = INT32_MAX; // not below
      for (int i = 0; i < AGENTS; i++)
        first = at[i] >= cut->at && at[i] < first ? at[i] : first;
      for (int i = 0; i < AGENTS; i++) {
        on += at[i] == first ? weights[i] : 0;
        under += at[i] == next ? weights[i] : 0;
      }
      const double target = (double)total * (ranks / 2) / ranks;
      const double off = (double)below - target;
      cr_assert(off <= (double)under / 2 + 1 && -off <= (double)on / 2 + 1,
                "kind %d: %lld below, %g wanted", kind, (long long)below, target);
      partition_destroy(&p);
    }
}

// --- several ranks, each with a part of the agents ---

struct reduction { // among threads that act as ranks
  pthread_barrier_t barrier;
  int64_t values[4][SUM_MAX];
  int ranks;
};
struct rank {
  struct reduction *reduction;
  int rank, box_count, count;
  bool updates;
  int32_t x[AGENTS], y[AGENTS], weights[AGENTS];
  struct partition result;
};

static void reduce(void *context, int64_t *values, int64_t count, bool maximum)
{
  struct rank *s = context;
  struct reduction *m = s->reduction;
  cr_assert(count <= SUM_MAX);
  memcpy(m->values[s->rank], values, (size_t)count * sizeof *values);
  pthread_barrier_wait(&m->barrier);
  for (int64_t i = 0; i < count; i++) {
    int64_t all = m->values[0][i];
    for (int r = 1; r < m->ranks; r++)
      all = !maximum ? all + m->values[r][i] : m->values[r][i] > all ? m->values[r][i] : all;
    values[i] = all;
  }
  pthread_barrier_wait(&m->barrier);
}

static void sum(void *context, int64_t *values, int64_t count)
{
  reduce(context, values, count, false);
}

static void max(void *context, int64_t *values, int64_t count)
{
  reduce(context, values, count, true);
}

static void *run_rank(void *rank)
{
  struct rank *s = rank;
  const struct partition_points points = {s->count, s->x, s->y, s->weights};
  partition_create(&s->result, s->box_count, REACH, &points, (struct partition_reduce){sum, max, s},
                   NULL);
  if (s->updates) {
    const struct partition_points swapped_points = {s->count, s->y, s->x, s->weights};
    partition_update(&s->result, REACH, &swapped_points, (struct partition_reduce){sum, max, s},
                     NULL);
  }
  return NULL;
}

Test(partition, independent_of_the_distribution_of_points)
{
  static struct rank rank_data[4];
  static struct reduction reduction;
  uint64_t r = 1;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 2; ranks <= 4; ranks++) {
      pthread_t threads[4];
      struct partition whole;
      const int cut = kind == SPREAD ? 128 : 3 * ranks + kind;
      place_agents(kind, 1000, 9);
      create(&whole, cut, 1000, true);
      if (ranks > 2)
        update(&whole, 1000, y, x);
      reduction.ranks = ranks;
      pthread_barrier_init(&reduction.barrier, NULL, (unsigned)ranks);
      for (int s = 0; s < ranks; s++)
        rank_data[s] = (struct rank){
            .reduction = &reduction, .rank = s, .box_count = cut, .updates = ranks > 2};
      for (int i = 0; i < 1000; i++) { // of four ranks, rank 0 has no points
        struct rank *s = &rank_data[oracle_whole(&r, ranks == 4, ranks - 1)];
        s->x[s->count] = x[i];
        s->y[s->count] = y[i];
        s->weights[s->count++] = weights[i];
      }
      for (int s = 0; s < ranks; s++)
        pthread_create(&threads[s], NULL, run_rank, &rank_data[s]);
      for (int s = 0; s < ranks; s++) {
        pthread_join(threads[s], NULL);
        assert_same(&whole, &rank_data[s].result);
        partition_destroy(&rank_data[s].result);
      }
      pthread_barrier_destroy(&reduction.barrier);
      partition_destroy(&whole);
    }
}

// --- queries ---

Test(partition, overlapping_finds_all_boxes)
{
  static int32_t ranks[RANKS];
  uint64_t r = 3;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int count = 1; count <= RANKS; count++) {
      struct partition p;
      place_agents(kind, 200, 9);
      create(&p, count, count % 6 ? 200 : 3, true); // with few agents many boxes are empty
      for (int k = 0; k < 200; k++) {
        const int32_t wide = 1 << oracle_whole(&r, 0, 20);
        const struct point at = {x[k], y[k]};
        const struct box b = k % 2 ? box_widened(p.boxes[k % count], wide)
                                   : (struct box){at, {at.x + wide, at.y + wide}};
        const int32_t found = partition_overlapping(&p, b, ranks);
        int32_t wanted = 0;
        for (int32_t o = 0; o < count; o++)
          if (box_overlaps(b, p.boxes[o]))
            cr_assert(wanted < found && ranks[wanted++] == o, "kind %d, rank %d", kind, o);
        cr_assert_eq(wanted, found);
      }
      partition_destroy(&p);
    }
}

// --- many ranks ---

static void assert_tiles(const struct partition *p)
{
  __extension__ unsigned __int128 area = 0;
  for (int32_t r = 0; r < p->rank_count; r++) {
    const struct box b = p->boxes[r];
    const uint64_t high = (uint64_t)((int64_t)b.hi.y - b.lo.y);
    area += (uint64_t)((int64_t)b.hi.x - b.lo.x) * high;
    const struct point last = {b.hi.x - 1, b.hi.y - 1};
    if (b.lo.x < b.hi.x && b.lo.y < b.hi.y)
      cr_assert(partition_owner(p, b.lo) == r && partition_owner(p, last) == r, "box %d", r);
  }
  cr_assert(area == (uint64_t)UINT32_MAX * UINT32_MAX);
}

Test(partition, ten_thousand_ranks)
{
  static const int counts[] = {2, 3, 128, 10000};
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
      struct partition p;
      place_agents(kind, AGENTS, 9);
      create(&p, counts[k], AGENTS, true);
      for (int i = 0; i < AGENTS; i++)
        cr_assert(box_holds(p.boxes[partition_owner(&p, (struct point){x[i], y[i]})],
                            (struct point){x[i], y[i]}));
      for (int i = 0; i < AGENTS; i += 300)
        assert_one_owner(&p, (struct point){x[i], y[i]});
      assert_tiles(&p);
      partition_destroy(&p);
    }
}

Test(partition, zero_weights)
{
  for (int ranks = 1; ranks <= 7; ranks++) {
    struct partition p;
    place_agents(SPREAD, 100, 1);
    memset(weights, 0, sizeof weights);
    create(&p, ranks, 100, true);
    for (int i = 0; i < 100; i++)
      assert_one_owner(&p, (struct point){x[i], y[i]});
    partition_destroy(&p);
  }
}
