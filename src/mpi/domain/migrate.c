#include "migrate.h"

#include "sparse_exchange.h"
#include <assert.h>

#define MIGRATE_TAG 20
#define GLOBAL_TAG  30

void migrate_create(struct migrate *m, const struct comm *c, const struct partition *p,
                    const int32_t *peers, int32_t peer_count)
{
  *m = (struct migrate){.partition = p, .rank = c->rank};
  exchange_create(&m->exchange, c, MIGRATE_TAG, agents_packed_size(SCOPE_STATE), peers, peer_count);
}

void migrate_destroy(struct migrate *m)
{
  exchange_destroy(&m->exchange);
  memory_destroy(m->gone);
  *m = (struct migrate){0};
}

static void reserve_gone(struct migrate *m, int64_t count)
{
  if (count <= m->gone_capacity)
    return;
  const int64_t capacity = count + count / 8 + 64;
  m->gone = memory_grow(m->gone, (size_t)m->gone_capacity, (size_t)capacity, 1);
  m->gone_capacity = capacity;
}

static void send_to_owner(struct migrate *m, const struct agents *a, int64_t i, int32_t owner)
{
  const int32_t peer = exchange_peer_index(&m->exchange, owner);
  if (peer < 0)
    fail(EXIT_INTERNAL_ERROR, "agent %lld moved from rank %d to rank %d, which is not a peer",
         (long long)a->id[i], m->rank, owner);
  agents_pack(a, i, SCOPE_STATE, exchange_append(&m->exchange, peer));
  m->sent++;
}

// Migrants received fill the places of migrants sent: both are near the border, which keeps the
// agents in spatial order.
static void insert_arrivals(struct migrate *m, struct agents *a, int64_t *border_layer)
{
  for (int32_t k = 0; k < m->exchange.peer_count; k++)
    for (int64_t g = 0; g < m->exchange.in[k].count; g++) {
      const int64_t i = agents_append(a);
      agents_unpack(a, i, SCOPE_STATE,
                    m->exchange.in[k].bytes + (size_t)g * m->exchange.record_size);
      reserve_gone(m, i + 1);
      m->gone[i] = 0;
    }
  agents_remove_ordered(a, border_layer, m->gone);
}

void migrate(struct migrate *m, struct agents *a, int64_t *border_layer)
{
  assert(exchange_is_valid(&m->exchange));
  const struct box own = m->partition->boxes[m->rank];
  m->sent = 0;
  if (m->partition->rank_count == 1) // the box is the plane
    return;
  reserve_gone(m, a->count);
  for (int64_t i = 0; i < a->count; i++) {
    const struct point at = {a->x[i], a->y[i]};
    m->gone[i] = !box_holds(own, at);
    if (m->gone[i])
      send_to_owner(m, a, i, partition_owner(m->partition, at));
  }
  exchange_begin(&m->exchange);
  exchange_end(&m->exchange);
  insert_arrivals(m, a, border_layer);
}

// ------------------------------------------------------------------------ between any two ranks

struct departure { // the agents of this rank that other ranks own
  uint8_t *gone;   // [agents]
  struct sparse_outbox outbox;
};

static void departure_destroy(struct departure *d)
{
  memory_destroy(d->gone);
  sparse_outbox_destroy(&d->outbox);
}

static struct departure pack_departures(const struct comm *c, const struct partition *p,
                                        const struct agents *a)
{
  struct departure d = {.gone = memory_create((size_t)a->count, 1)};
  int32_t *to = memory_create((size_t)a->count, sizeof *to);
  for (int64_t i = 0; i < a->count; i++) {
    const int32_t owner = partition_owner(p, (struct point){a->x[i], a->y[i]});
    d.gone[i] = owner != c->rank;
    to[i] = d.gone[i] ? owner : -1;
  }
  sparse_outbox_create(&d.outbox, c, agents_packed_size(SCOPE_STATE), to, a->count);
  for (int64_t i = 0; i < a->count; i++)
    if (d.gone[i])
      agents_pack(a, i, SCOPE_STATE, sparse_outbox_next(&d.outbox, to[i]));
  memory_destroy(to);
  return d;
}

static void unpack_arrivals(void *agents, const char *bytes, int64_t count)
{
  const size_t record = agents_packed_size(SCOPE_STATE);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(agents, agents_append(agents), SCOPE_STATE, bytes + (size_t)k * record);
}

static void count_agents(const struct agents *a, int64_t totals[2]) // count, sum of ids
{
  totals[0] = a->count;
  totals[1] = 0;
  for (int64_t i = 0; i < a->count; i++)
    totals[1] += a->id[i] & 0x3fffffff; // 2^33 of them do not overflow
}

int64_t migrate_globally(const struct comm *c, const struct partition *p, struct agents *a)
{
  int64_t totals[4];
  count_agents(a, totals);
  struct departure d = pack_departures(c, p, a);
  agents_remove(a, d.gone);
  const int64_t departed = d.outbox.count;
  sparse_exchange(c, GLOBAL_TAG, d.outbox.record_size, d.outbox.messages, d.outbox.message_count,
                  (struct sparse_receiver){unpack_arrivals, a});
  departure_destroy(&d);
  count_agents(a, totals + 2);
  comm_sum(c, totals, 4); // also synchronises, which sparse_exchange requires
  if ((totals[0] != totals[2] || totals[1] != totals[3]) && c->rank == 0)
    fail(EXIT_INTERNAL_ERROR,
         "%lld agents before migration, %lld after it (sums of ids: %lld, %lld)",
         (long long)totals[0], (long long)totals[2], (long long)totals[1], (long long)totals[3]);
  return departed;
}
