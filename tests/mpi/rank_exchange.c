// Records arrive intact between all pairs of peers, in messages of any size, round after round.
#include "exchange.h"
#include "rank_crowd.h"

#define ROUNDS (SHORT ? 6 : 20)
#define LARGE  (SHORT ? 30000 : 150000) // records of 40 bytes, in the fourth round: 1.2 or 6 MB

struct record {
  int64_t from, to, round, number, check;
};

static int64_t message_length(int64_t from, int64_t to, int64_t round)
{
  const struct random4 r = random_words(11, from * 1000 + to, round, RANDOM_TEST);
  if (round == 3 && to == (from ? 0 : 1))
    return LARGE;
  return r.word[0] % 3 == 0 ? 0 : r.word[0] % 3 == 1 ? 1 : r.word[1] % 3000;
}

static struct record make_record(int64_t from, int64_t to, int64_t round, int64_t number)
{
  const struct random4 r = random_words(12, number, from * 1000 + to, RANDOM_TEST);
  return (struct record){from, to, round, number, r.word[0]};
}

static void send_round(struct exchange *x, int32_t rank, int64_t round)
{
  for (int32_t p = 0; p < x->peer_count; p++)
    for (int64_t n = 0; n < message_length(rank, x->peers[p], round); n++)
      *(struct record *)exchange_append(x, p) = make_record(rank, x->peers[p], round, n);
  exchange_begin(x);
}

static void check_round(struct exchange *x, int32_t rank, int64_t round)
{
  exchange_end(x);
  for (int32_t p = 0; p < x->peer_count; p++) {
    const struct message *in = &x->in[p];
    law(x->out[p].count == 0, "round %" PRId64, round);
    law(in->count == message_length(x->peers[p], rank, round), "round %" PRId64 ": %" PRId64, round,
        in->count);
    for (int64_t n = 0; n < in->count; n++) {
      const struct record got = ((struct record *)in->bytes)[n];
      const struct record want = make_record(x->peers[p], rank, round, n);
      law(got.from == want.from && got.to == want.to && got.round == want.round &&
              got.number == want.number && got.check == want.check,
          "round %" PRId64 ", record %" PRId64 " of rank %d", round, n, x->peers[p]);
    }
  }
}

// all: every other rank; else the neighbours in a ring.
static int32_t find_peers(const struct comm *c, bool all, int32_t *peers)
{
  int32_t count = 0;
  for (int32_t r = 0; r < c->size; r++) {
    const bool next = (r + 1) % c->size == c->rank || (c->rank + 1) % c->size == r;
    if (r != c->rank && (all || next))
      peers[count++] = r;
  }
  return count;
}

static void check_index(const struct comm *c, const struct exchange *x)
{
  int32_t found = 0;
  for (int32_t r = -1; r <= c->size; r++) {
    const int32_t p = exchange_peer_index(x, r);
    law(p == -1 || x->peers[p] == r, "rank %d", r);
    found += p >= 0;
  }
  law(found == x->peer_count, "%d of %d", found, x->peer_count);
}

int main(int argc, char **argv)
{
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (int all = 0; all < 2; all++) {
    struct exchange x, second; // two in flight at the same time, with different tags
    int32_t *peers = memory_create((size_t)c.size, sizeof *peers);
    const int32_t count = find_peers(&c, all, peers);
    exchange_create(&x, &c, 100, sizeof(struct record), peers, count);
    exchange_create(&second, &c, 200, sizeof(struct record), peers, count);
    law(exchange_is_valid(&x) && exchange_is_valid(&second), "%d peers", count);
    check_index(&c, &x);
    for (int64_t round = 0; round < ROUNDS; round++) {
      send_round(&x, c.rank, round);
      send_round(&second, c.rank, round + 1000);
      check_round(&second, c.rank, round + 1000);
      check_round(&x, c.rank, round);
    }
    exchange_destroy(&x);
    exchange_destroy(&second);
    memory_destroy(peers);
  }
  comm_end(&c);
  return 0;
}
