#include "migrate.h"

#define MIGRATE_TAG 20

void migrate_create(struct migrate *m, const struct comm *c, const struct partition *p,
                    const int32_t *peers, int32_t peer_count)
{
  *m = (struct migrate){.partition = p, .rank = c->rank};
  exchange_create(&m->exchange, c, MIGRATE_TAG, agents_packed_size(KEPT), peers, peer_count);
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
  memory_destroy(m->gone);
  m->gone_capacity = count + count / 8 + 64;
  m->gone = memory_create((size_t)m->gone_capacity, 1);
}

static void send_away(struct migrate *m, const struct agents *a, int64_t i, int32_t owner)
{
  const int32_t peer = exchange_peer_index(&m->exchange, owner);
  if (peer < 0)
    fail(EXIT_OUR_FAULT, "agent %lld left rank %d for rank %d, which it does not know",
         (long long)a->id[i], m->rank, owner);
  agents_pack(a, i, KEPT, exchange_append(&m->exchange, peer));
  m->sent++;
}

void migrate(struct migrate *m, struct agents *a)
{
  const struct box own = m->partition->boxes[m->rank];
  reserve_gone(m, a->count);
  m->sent = 0;
  for (int64_t i = 0; i < a->count; i++) {
    const struct point at = {a->x[i], a->y[i]};
    m->gone[i] = !box_holds(own, at);
    if (m->gone[i])
      send_away(m, a, i, partition_owner(m->partition, at));
  }
  exchange_begin(&m->exchange);
  agents_remove(a, m->gone);
  exchange_end(&m->exchange);
  for (int32_t k = 0; k < m->exchange.peer_count; k++)
    for (int64_t g = 0; g < m->exchange.in[k].count; g++)
      agents_unpack(a, agents_append(a), KEPT,
                    m->exchange.in[k].bytes + (size_t)g * m->exchange.record);
}

void migrate_anywhere(const struct comm *c, const struct partition *p, struct agents *a)
{
  struct migrate m;
  int32_t *others = memory_create((size_t)c->size, sizeof *others);
  int32_t count = 0;
  for (int32_t r = 0; r < c->size; r++)
    if (r != c->rank)
      others[count++] = r;
  migrate_create(&m, c, p, others, count);
  migrate(&m, a);
  migrate_destroy(&m);
  memory_destroy(others);
}
