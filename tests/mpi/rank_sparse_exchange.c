// Every record reaches its destination once, for any pattern of senders and receivers.
#include "sparse_exchange.h"

#include "rank_crowd.h"
#include <string.h>

#define ROUNDS 40
#define TAG    5

struct test_record {
  int32_t from, to, round, number;
};

struct receiver {
  const struct comm *comm;
  int32_t round;
  int64_t *received; // [ranks] records from each
};

// Most pairs exchange nothing, some very much; every fourth round is empty.
static int64_t record_count(int32_t round, int32_t from, int32_t to)
{
  const struct random4 r = random_words(3, (int64_t)from * 1000 + to, round, RANDOM_TEST);
  return round % 4 == 3 || r.word[0] % 3 ? 0 : r.word[1] % (r.word[2] % 5 ? 10 : 20000);
}

static void receive(void *context, const char *bytes, int64_t count)
{
  struct receiver *receiver = context;
  for (int64_t k = 0; k < count; k++) {
    struct test_record r;
    memcpy(&r, bytes + (size_t)k * sizeof r, sizeof r);
    law(r.to == receiver->comm->rank && r.round == receiver->round, "round %d: to %d, of round %d",
        receiver->round, r.to, r.round);
    law(r.number == receiver->received[r.from]++, "round %d: record %d of rank %d", receiver->round,
        r.number, r.from);
  }
}

static int32_t write_records(const struct comm *c, int32_t round, struct test_record *records,
                             struct sparse_message *messages)
{
  int32_t count = 0;
  for (int32_t to = 0; to < c->size; to++) {
    const int64_t written = record_count(round, c->rank, to);
    for (int32_t k = 0; k < written; k++)
      records[k] = (struct test_record){c->rank, to, round, k};
    if (written > 0)
      messages[count++] = (struct sparse_message){to, (const char *)records, written};
    records += written;
  }
  return count;
}

static void check_round(const struct comm *c, int32_t round)
{
  struct test_record *records = memory_create((size_t)c->size * 20000, sizeof *records);
  struct sparse_message *messages = memory_create((size_t)c->size, sizeof *messages);
  struct receiver receiver = {c, round, memory_create((size_t)c->size, sizeof *receiver.received)};
  const int32_t count = write_records(c, round, records, messages);
  sparse_exchange(c, TAG, sizeof *records, messages, count, receive, &receiver);
  for (int32_t from = 0; from < c->size; from++)
    law(receiver.received[from] == record_count(round, from, c->rank),
        "round %d: %" PRId64 " from rank %d", round, receiver.received[from], from);
  memory_destroy(records);
  memory_destroy(messages);
  memory_destroy(receiver.received);
  comm_barrier(c); // sparse_exchange.h requires a synchronisation between two calls
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
