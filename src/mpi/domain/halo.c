#include "halo.h"

#include <assert.h>

#define HALO_TAG 10

int32_t halo_peers(const struct partition *p, int32_t rank, int32_t width, int32_t *ranks)
{
  const int32_t found = partition_overlapping(p, box_widened(p->boxes[rank], width), ranks);
  int32_t count = 0;
  for (int32_t k = 0; k < found; k++)
    if (ranks[k] != rank)
      ranks[count++] = ranks[k];
  return count;
}

// Removes the border layer. An edge at the limit of the plane has none: no rank lies beyond it.
static struct box without_border(struct box b, int32_t width)
{
  struct box interior = b;
  if (b.lo.x != INT32_MIN)
    interior.lo.x = box_widened(b, -width).lo.x;
  if (b.lo.y != INT32_MIN)
    interior.lo.y = box_widened(b, -width).lo.y;
  if (b.hi.x != INT32_MAX)
    interior.hi.x = box_widened(b, -width).hi.x;
  if (b.hi.y != INT32_MAX)
    interior.hi.y = box_widened(b, -width).hi.y;
  return interior;
}

void halo_create(struct halo *h, const struct comm *c, const struct partition *p, int32_t width,
                 const struct message_allocator *allocator)
{
  assert(p->rank_count == c->size && width > 0);
  int32_t *peers = memory_create((size_t)p->rank_count, sizeof *peers);
  const int32_t count = halo_peers(p, c->rank, width, peers);
  *h = (struct halo){.width = width,
                     .interior = without_border(p->boxes[c->rank], width),
                     .deep_interior = without_border(p->boxes[c->rank], width / 4)};
  exchange_create(&h->exchange, c, HALO_TAG, agents_packed_size(SCOPE_GHOST), peers, count);
  if (allocator)
    h->exchange.allocator = *allocator;
  h->counts = memory_create((size_t)count, sizeof *h->counts);
  h->buffers = memory_create((size_t)count, sizeof *h->buffers);
  h->wide_boxes = memory_create((size_t)count, sizeof *h->wide_boxes);
  for (int32_t k = 0; k < count; k++)
    h->wide_boxes[k] = box_widened(p->boxes[peers[k]], width);
  memory_destroy(peers);
  assert(halo_is_valid(h));
}

static bool box_nests(struct box inner, struct box outer)
{
  return inner.lo.x >= outer.lo.x && inner.lo.y >= outer.lo.y && inner.hi.x <= outer.hi.x &&
         inner.hi.y <= outer.hi.y;
}

bool halo_is_valid(const struct halo *h)
{
  return h->width > 0 && h->sent >= 0 && box_nests(h->interior, h->deep_interior) &&
         (h->exchange.peer_count == 0 || exchange_is_valid(&h->exchange));
}

void halo_destroy(struct halo *h)
{
  exchange_destroy(&h->exchange);
  memory_destroy(h->wide_boxes);
  memory_destroy(h->counts);
  memory_destroy(h->buffers);
  *h = (struct halo){0};
}

void halo_begin(struct halo *h, const struct agents *a)
{
  assert(halo_is_valid(h));
  h->sent = 0;
  for (int64_t i = 0; i < a->count && h->exchange.peer_count > 0; i++) {
    const struct point at = {a->x[i], a->y[i]};
    if (box_holds(h->interior, at))
      continue;
    for (int32_t k = 0; k < h->exchange.peer_count; k++)
      if (box_holds(h->wide_boxes[k], at)) {
        agents_pack(a, i, SCOPE_GHOST, exchange_append(&h->exchange, k));
        h->sent++;
      }
  }
  exchange_begin(&h->exchange);
}

void halo_end(struct halo *h, struct agents *a)
{
  exchange_end(&h->exchange);
  int64_t ghosts = 0;
  for (int32_t k = 0; k < h->exchange.peer_count; k++)
    ghosts += h->exchange.in[k].count;
  a->ghost_count = 0;
  agents_reserve(a, a->count + ghosts);
  for (int32_t k = 0; k < h->exchange.peer_count; k++) {
    const struct message *in = &h->exchange.in[k];
    for (int64_t g = 0; g < in->count; g++)
      agents_unpack(a, a->count + a->ghost_count++, SCOPE_GHOST,
                    in->bytes + (size_t)g * h->exchange.record_size);
  }
}

void halo_begin_packed(struct halo *h, const struct halo_packer *packer)
{
  const int32_t peers = h->exchange.peer_count;
  h->sent = 0;
  if (peers == 0)
    return;
  packer->pack_mirrors(packer->context, h, h->counts);
  for (int32_t k = 0; k < peers; k++) {
    h->buffers[k] = exchange_resize(&h->exchange, k, h->counts[k]);
    h->sent += h->counts[k];
  }
  packer->copy_mirrors(packer->context, h, h->buffers, h->counts);
  exchange_begin(&h->exchange);
}

void halo_end_packed(struct halo *h, const struct halo_packer *packer)
{
  const int32_t peers = h->exchange.peer_count;
  if (peers == 0)
    return;
  exchange_end(&h->exchange);
  for (int32_t k = 0; k < peers; k++) {
    h->counts[k] = h->exchange.in[k].count;
    h->buffers[k] = h->exchange.in[k].bytes;
  }
  packer->unpack_ghosts(packer->context, h, h->buffers, h->counts);
}
