#include "hard_crowds.h"
#include "partition.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE 3000
#define RANKS  40
#define REACH  5000
#define SUMMED (1 << 18) // most values of a sum over the ranks

static int32_t x[PEOPLE], y[PEOPLE], weights[PEOPLE];

static void people(int kind, int count, int32_t heaviest)
{
  uint64_t r = (uint64_t)kind + 1;
  for (int i = 0; i < count; i++) {
    crowd_place(&r, kind, i, count, &x[i], &y[i]);
    weights[i] = oracle_whole(&r, 1, heaviest);
  }
}

static void create(struct partition *p, int ranks, int count, bool weighted)
{
  const struct partition_points points = {count, x, y, weighted ? weights : NULL};
  partition_create(p, ranks, REACH, &points, (struct partition_reduce){0});
}

static void renew(struct partition *p, int count, const int32_t *as_x, const int32_t *as_y)
{
  const struct partition_points points = {count, as_x, as_y, weights};
  partition_update(p, REACH, &points, (struct partition_reduce){0});
}

static void assert_one_owner(const struct partition *p, struct point at)
{
  const int32_t owner = partition_owner(p, at);
  for (int32_t r = 0; r < p->rank_count; r++)
    cr_assert_eq(box_holds(p->boxes[r], at), r == owner, "(%d %d): rank %d, owner %d", at.x, at.y,
                 r, owner);
}

Test(partition, every_position_has_one_owner_whose_box_holds_it)
{
  static const int counts[] = {0, 1, 2, 100, PEOPLE};
  uint64_t r = 1;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 1; ranks <= RANKS; ranks++) {
      const int count = counts[(kind + ranks) % 5];
      struct partition p;
      people(kind, count, 9);
      create(&p, ranks, count, ranks % 2);
      for (int i = 0; i < count; i += 7)
        assert_one_owner(&p, (struct point){x[i], y[i]});
      for (int i = 0; i < 50; i++)
        assert_one_owner(&p, (struct point){oracle_whole(&r, -(1 << 30), 1 << 30),
                                            oracle_whole(&r, -(1 << 30), 1 << 30)});
      for (int32_t b = 0; b < ranks; b++) { // on the very edges
        const struct box box = p.boxes[b];
        const int32_t xs[] = {box.lo.x, box.hi.x - 1}, ys[] = {box.lo.y, box.hi.y - 1};
        for (int e = 0; e < 4; e++)
          if (box.lo.x < box.hi.x && box.lo.y < box.hi.y)
            assert_one_owner(&p, (struct point){xs[e % 2], ys[e / 2]});
      }
      partition_destroy(&p);
    }
}

Test(partition, the_boxes_tile_the_plane)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 1; ranks <= RANKS; ranks++) {
      struct partition p;
      people(kind, 500, 9);
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

// Of each cut: what should have gone below, and what did. No cut can split a coordinate, so a cut
// is as good as can be when it is off by no more than half of what stands on one.
static int64_t weight_in(struct box b, int count)
{
  int64_t sum = 0;
  for (int i = 0; i < count; i++)
    sum += box_holds(b, (struct point){x[i], y[i]}) ? weights[i] : 0;
  return sum;
}

Test(partition, shares_are_even_where_people_stand_apart)
{
  for (int ranks = 1; ranks <= RANKS; ranks++)
    for (int32_t heaviest = 1; heaviest <= 20; heaviest += 19) {
      struct partition p;
      people(SPREAD, PEOPLE, heaviest);
      create(&p, ranks, PEOPLE, true);
      int64_t total = 0, least = INT64_MAX, most = 0;
      for (int i = 0; i < PEOPLE; i++)
        total += weights[i];
      for (int32_t b = 0; b < ranks; b++) {
        const int64_t share = weight_in(p.boxes[b], PEOPLE);
        least = share < least ? share : least;
        most = share > most ? share : most;
      }
      // Six levels of cuts, each off by half a heavy coordinate: two people, seldom more.
      const int64_t slack = 6 * heaviest;
      cr_assert(most <= total / ranks + slack && least >= total / ranks - slack,
                "%d ranks: %lld to %lld of %lld", ranks, (long long)least, (long long)most,
                (long long)total);
      partition_destroy(&p);
    }
}

Test(partition, a_cut_is_off_by_no_more_than_half_of_one_coordinate)
{
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 2; ranks <= 3; ranks++) {
      struct partition p;
      people(kind, PEOPLE, 5);
      create(&p, ranks, PEOPLE, true);
      const struct partition_cut *cut = &p.cuts[0];
      const int32_t *at = cut->axis ? y : x;
      int64_t total = 0, below = 0, on = 0, under = 0; // on the cut, and next below it
      int32_t next = INT32_MIN;
      for (int i = 0; i < PEOPLE; i++) {
        total += weights[i];
        below += at[i] < cut->at ? weights[i] : 0;
        next = at[i] < cut->at && at[i] > next ? at[i] : next;
      }
      int32_t first = INT32_MAX; // not below
      for (int i = 0; i < PEOPLE; i++)
        first = at[i] >= cut->at && at[i] < first ? at[i] : first;
      for (int i = 0; i < PEOPLE; i++) {
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

// --- several ranks, each with a part of the people ---

struct meeting { // of threads that stand for ranks
  pthread_barrier_t barrier;
  int64_t values[4][SUMMED];
  int ranks;
};
struct seat {
  struct meeting *meeting;
  int rank, ranks_cut, count;
  bool again;
  int32_t x[PEOPLE], y[PEOPLE], weights[PEOPLE];
  struct partition result;
};

static void gather(void *context, int64_t *values, int64_t count, bool greatest)
{
  struct seat *s = context;
  struct meeting *m = s->meeting;
  cr_assert(count <= SUMMED);
  memcpy(m->values[s->rank], values, (size_t)count * sizeof *values);
  pthread_barrier_wait(&m->barrier);
  for (int64_t i = 0; i < count; i++) {
    int64_t all = m->values[0][i];
    for (int r = 1; r < m->ranks; r++)
      all = !greatest ? all + m->values[r][i] : m->values[r][i] > all ? m->values[r][i] : all;
    values[i] = all;
  }
  pthread_barrier_wait(&m->barrier);
}

static void sum(void *context, int64_t *values, int64_t count)
{
  gather(context, values, count, false);
}

static void max(void *context, int64_t *values, int64_t count)
{
  gather(context, values, count, true);
}

static void *take_part(void *seat)
{
  struct seat *s = seat;
  const struct partition_points points = {s->count, s->x, s->y, s->weights};
  partition_create(&s->result, s->ranks_cut, REACH, &points,
                   (struct partition_reduce){sum, max, s});
  if (s->again) {
    const struct partition_points turned_over = {s->count, s->y, s->x, s->weights};
    partition_update(&s->result, REACH, &turned_over, (struct partition_reduce){sum, max, s});
  }
  return NULL;
}

static void assert_same(const struct partition *a, const struct partition *b)
{
  cr_assert_eq(a->rank_count, b->rank_count);
  cr_assert_eq(memcmp(a->boxes, b->boxes, (size_t)a->rank_count * sizeof *a->boxes), 0);
  cr_assert_eq(memcmp(a->cuts, b->cuts, (size_t)(a->rank_count - 1) * sizeof *a->cuts), 0);
}

Test(partition, who_knows_whom_does_not_show)
{
  static struct seat seats[4];
  static struct meeting meeting;
  uint64_t r = 1;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int ranks = 2; ranks <= 4; ranks++) {
      pthread_t threads[4];
      struct partition whole;
      const int cut = kind == SPREAD ? 128 : 3 * ranks + kind;
      people(kind, 1000, 9);
      create(&whole, cut, 1000, true);
      if (ranks > 2)
        renew(&whole, 1000, y, x);
      meeting.ranks = ranks;
      pthread_barrier_init(&meeting.barrier, NULL, (unsigned)ranks);
      for (int s = 0; s < ranks; s++)
        seats[s] =
            (struct seat){.meeting = &meeting, .rank = s, .ranks_cut = cut, .again = ranks > 2};
      for (int i = 0; i < 1000; i++) { // rank 0 knows nobody when there are four
        struct seat *s = &seats[oracle_whole(&r, ranks == 4, ranks - 1)];
        s->x[s->count] = x[i];
        s->y[s->count] = y[i];
        s->weights[s->count++] = weights[i];
      }
      for (int s = 0; s < ranks; s++)
        pthread_create(&threads[s], NULL, take_part, &seats[s]);
      for (int s = 0; s < ranks; s++) {
        pthread_join(threads[s], NULL);
        assert_same(&whole, &seats[s].result);
        partition_destroy(&seats[s].result);
      }
      pthread_barrier_destroy(&meeting.barrier);
      partition_destroy(&whole);
    }
}

// --- which way to cut ---

// Nobody shares a coordinate, so every cut can be exact. Clusters: dense and thin places.
static void people_apart(int count)
{
  uint64_t r = (uint64_t)count;
  int32_t middle[9][2];
  for (int k = 0; k < 9; k++)
    for (int axis = 0; axis < 2; axis++)
      middle[k][axis] = oracle_whole(&r, -200000, 200000);
  for (int i = 0; i < count; i++) {
    const int32_t spread = 1000 << i % 9;
    x[i] = (middle[i % 9][0] + oracle_whole(&r, -spread, spread)) / PEOPLE * PEOPLE + i;
    y[i] = (middle[i % 9][1] + oracle_whole(&r, -spread, spread)) / PEOPLE * PEOPLE +
           i * 7919 % PEOPLE;
    weights[i] = 1;
  }
}

Test(partition, shares_differ_by_one_where_nobody_shares_a_coordinate)
{
  people_apart(PEOPLE);
  for (int ranks = 1; ranks <= 1024; ranks *= 2) {
    struct partition p;
    create(&p, ranks, PEOPLE, false);
    for (int32_t b = 0; b < ranks; b++) {
      const int64_t share = weight_in(p.boxes[b], PEOPLE);
      cr_assert(share == PEOPLE / ranks || share == (PEOPLE + ranks - 1) / ranks, "%d ranks: %lld",
                ranks, (long long)share);
    }
    partition_destroy(&p);
  }
}

static int by_value(const void *a, const void *b)
{
  return *(const int32_t *)a < *(const int32_t *)b ? -1 : 1;
}

static int near_median(const int32_t *at, int count) // how many stand within reach of it
{
  static int32_t sorted[PEOPLE];
  int near_by = 0;
  memcpy(sorted, at, (size_t)count * sizeof *at);
  qsort(sorted, (size_t)count, sizeof *sorted, by_value);
  for (int i = 0; i < count; i++)
    near_by += at[i] >= sorted[count / 2] - REACH && at[i] < sorted[count / 2] + REACH;
  return near_by;
}

Test(partition, the_cut_has_the_fewest_people_within_reach)
{
  int chosen[2] = {0, 0};
  for (int count = 40; count <= PEOPLE; count += 40) {
    struct partition p;
    people_apart(count);
    create(&p, 2, count, false);
    const int near_x = near_median(x, count), near_y = near_median(y, count);
    if (near_x != near_y)
      cr_assert_eq(p.cuts[0].axis, near_y < near_x, "%d people: %d or %d", count, near_x, near_y);
    chosen[p.cuts[0].axis]++;
    partition_destroy(&p);
  }
  cr_assert(chosen[0] && chosen[1], "%d and %d: the crowd decides nothing", chosen[0], chosen[1]);
}

// Across x fewer stand near, but most of them in one column that no cut can split.
Test(partition, an_even_share_comes_before_a_small_halo)
{
  struct partition p;
  for (int i = 0; i < PEOPLE; i++) {
    x[i] = i % 10 < 4 ? 0 : (i % 2 ? 2 : -2) * REACH + i;
    y[i] = 7 * i;
    weights[i] = 1;
  }
  create(&p, 2, PEOPLE, false);
  cr_assert_eq(weight_in(p.boxes[0], PEOPLE), weight_in(p.boxes[1], PEOPLE));
  partition_destroy(&p);
}

static int turned_cuts(const struct partition *p, const struct partition *q)
{
  int count = 0;
  for (int32_t c = 0; c < p->rank_count - 1; c++)
    count += p->cuts[c].axis != q->cuts[c].axis;
  return count;
}

static void shake(int count)
{
  uint64_t r = 2;
  for (int i = 0; i < count; i++) {
    x[i] += oracle_whole(&r, -REACH / 50, REACH / 50);
    y[i] += oracle_whole(&r, -REACH / 50, REACH / 50);
  }
}

// Cuts of nearly the same worth would turn to and fro, and half of everybody change ranks.
Test(partition, renewed_keeps_its_axes_while_they_are_good)
{
  int kept = 0, fresh = 0;
  for (int count = 400; count <= PEOPLE; count += 100) {
    struct partition was, renewed, anew;
    people_apart(count);
    create(&was, 64, count, true);
    create(&renewed, 64, count, true);
    renew(&renewed, count, x, y);
    assert_same(&was, &renewed); // nothing has changed
    shake(count);
    create(&anew, 64, count, true);
    renew(&renewed, count, x, y);
    for (int i = 0; i < count; i += 50)
      assert_one_owner(&renewed, (struct point){x[i], y[i]});
    kept += turned_cuts(&was, &renewed);
    fresh += turned_cuts(&was, &anew);
    partition_destroy(&was);
    partition_destroy(&renewed);
    partition_destroy(&anew);
  }
  cr_assert(4 * kept < fresh, "%d turned, %d anew", kept, fresh);
}

Test(partition, renewed_turns_with_the_crowd)
{
  for (int count = 400; count <= PEOPLE; count += 400) {
    struct partition p, q;
    people_apart(count);
    create(&p, 16, count, true);
    create(&q, 16, count, true);
    for (int i = 0; i < count; i++)
      y[i] /= 8; // cuts along y have many more near by now
    renew(&q, count, x, y);
    cr_assert(turned_cuts(&p, &q) > 0, "%d people", count);
    partition_destroy(&p);
    partition_destroy(&q);
  }
}

static struct box turned(struct box b)
{
  return (struct box){{b.lo.y, b.lo.x}, {b.hi.y, b.hi.x}};
}

Test(partition, of_a_turned_crowd_is_turned)
{
  for (int ranks = 2; ranks <= 3 * RANKS; ranks++) {
    struct partition p, q;
    people_apart(PEOPLE);
    create(&p, ranks, PEOPLE, true);
    for (int i = 0; i < PEOPLE; i++) {
      const int32_t was = x[i];
      x[i] = y[i];
      y[i] = was;
    }
    create(&q, ranks, PEOPLE, true);
    for (int32_t c = 0; c < ranks - 1; c++)
      cr_assert(p.cuts[c].axis != q.cuts[c].axis && p.cuts[c].at == q.cuts[c].at);
    for (int32_t b = 0; b < ranks; b++) {
      const struct box there = turned(q.boxes[b]);
      cr_assert_eq(memcmp(&p.boxes[b], &there, sizeof there), 0, "%d ranks, box %d", ranks, b);
    }
    partition_destroy(&p);
    partition_destroy(&q);
  }
}

// --- looking boxes up ---

Test(partition, the_tree_finds_the_boxes_that_share_a_place)
{
  static int32_t ranks[RANKS];
  uint64_t r = 3;
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int count = 1; count <= RANKS; count++) {
      struct partition p;
      people(kind, 200, 9);
      create(&p, count, count % 6 ? 200 : 3, true); // with few people, many boxes are empty
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

Test(partition, cuts_for_ten_thousand_ranks)
{
  static const int counts[] = {2, 3, 128, 10000};
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
      struct partition p;
      people(kind, PEOPLE, 9);
      create(&p, counts[k], PEOPLE, true);
      for (int i = 0; i < PEOPLE; i++)
        cr_assert(box_holds(p.boxes[partition_owner(&p, (struct point){x[i], y[i]})],
                            (struct point){x[i], y[i]}));
      for (int i = 0; i < PEOPLE; i += 300)
        assert_one_owner(&p, (struct point){x[i], y[i]});
      assert_tiles(&p);
      partition_destroy(&p);
    }
}

Test(partition, weights_of_nothing_do_no_harm)
{
  for (int ranks = 1; ranks <= 7; ranks++) {
    struct partition p;
    people(SPREAD, 100, 1);
    memset(weights, 0, sizeof weights);
    create(&p, ranks, 100, true);
    for (int i = 0; i < 100; i++)
      assert_one_owner(&p, (struct point){x[i], y[i]});
    partition_destroy(&p);
  }
}
