#include "crowds.h"
#include "partition.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <string.h>

#define PEOPLE 3000
#define RANKS  40

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
  partition_create(p, ranks, count, x, y, weighted ? weights : NULL, (struct partition_reduce){0});
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
      const struct cut *cut = &p.cuts[0];
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
  int64_t values[4][64 * RANKS];
  int ranks;
};
struct seat {
  struct meeting *meeting;
  int rank, ranks_cut, count;
  int32_t x[PEOPLE], y[PEOPLE], weights[PEOPLE];
  struct partition result;
};

static void gather(void *context, int64_t *values, int64_t count, bool greatest)
{
  struct seat *s = context;
  struct meeting *m = s->meeting;
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
  partition_create(&s->result, s->ranks_cut, s->count, s->x, s->y, s->weights,
                   (struct partition_reduce){sum, max, s});
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
      const int cut = 3 * ranks + kind;
      people(kind, 1000, 9);
      create(&whole, cut, 1000, true);
      meeting.ranks = ranks;
      pthread_barrier_init(&meeting.barrier, NULL, (unsigned)ranks);
      for (int s = 0; s < ranks; s++)
        seats[s] = (struct seat){.meeting = &meeting, .rank = s, .ranks_cut = cut};
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
