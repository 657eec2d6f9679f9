// Every record reaches the rank it is for, once, whoever sends to whom.
#include "sparse.h"

#include "rank_crowd.h"
#include <string.h>

#define ROUNDS 40
#define TAG    5

struct letter {
  int32_t from, to, round, number;
};

struct desk {
  const struct comm *comm;
  int32_t round;
  int64_t *had; // [ranks] letters from each
};

// Most pairs have nothing to say, some very much; in every fourth round nobody has.
static int64_t letters_of(int32_t round, int32_t from, int32_t to)
{
  const struct random4 r = random_words(3, (int64_t)from * 1000 + to, round, RANDOM_TEST);
  return round % 4 == 3 || r.word[0] % 3 ? 0 : r.word[1] % (r.word[2] % 5 ? 10 : 20000);
}

static void receive(void *context, const char *bytes, int64_t count)
{
  struct desk *desk = context;
  for (int64_t k = 0; k < count; k++) {
    struct letter l;
    memcpy(&l, bytes + (size_t)k * sizeof l, sizeof l);
    law(l.to == desk->comm->rank && l.round == desk->round, "round %d: to %d, of round %d",
        desk->round, l.to, l.round);
    law(l.number == desk->had[l.from]++, "round %d: letter %d of rank %d", desk->round, l.number,
        l.from);
  }
}

static int32_t write_letters(const struct comm *c, int32_t round, struct letter *letters,
                             struct sparse_parcel *parcels)
{
  int32_t count = 0;
  for (int32_t to = 0; to < c->size; to++) {
    const int64_t written = letters_of(round, c->rank, to);
    for (int32_t k = 0; k < written; k++)
      letters[k] = (struct letter){c->rank, to, round, k};
    if (written > 0)
      parcels[count++] = (struct sparse_parcel){to, (const char *)letters, written};
    letters += written;
  }
  return count;
}

static void check_round(const struct comm *c, int32_t round)
{
  struct letter *letters = memory_create((size_t)c->size * 20000, sizeof *letters);
  struct sparse_parcel *parcels = memory_create((size_t)c->size, sizeof *parcels);
  struct desk desk = {c, round, memory_create((size_t)c->size, sizeof *desk.had)};
  const int32_t count = write_letters(c, round, letters, parcels);
  sparse_exchange(c, TAG, sizeof *letters, parcels, count, receive, &desk);
  for (int32_t from = 0; from < c->size; from++)
    law(desk.had[from] == letters_of(round, from, c->rank), "round %d: %" PRId64 " from rank %d",
        round, desk.had[from], from);
  memory_destroy(letters);
  memory_destroy(parcels);
  memory_destroy(desk.had);
  int64_t met = 1;
  comm_sum(c, &met, 1);
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (int32_t round = 0; round < ROUNDS; round++)
    check_round(&c, round);
  comm_end(&c);
  return 0;
}
