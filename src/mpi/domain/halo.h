// The halo exchange: sends mirrors of the agents near our border and receives ghosts.
//
// Two ranks are peers if the box of one, widened by the halo width, overlaps the box of the other.
// A rank sends an agent to every peer whose widened box holds it. So each rank has a ghost of every
// agent within `width` of its own box; the width is at least the perception range.
//
// The caller's packer packs and unpacks agents that live on a device.
#pragma once
#include "agents.h"
#include "exchange.h"
#include "partition.h"

struct halo {
  int32_t width; // quanta
  struct exchange exchange;
  struct box *wide_boxes;   // [peers] their boxes, widened
  struct box interior;      // agents in here have no mirrors
  struct box deep_interior; // agents in here need several steps to leave the rank
  int64_t *counts;          // [peers], scratch
  char **buffers;           // [peers], scratch
  int64_t sent;             // mirrors of the last step
};

// Writes the peers of a rank, ascending, to ranks[partition->rank_count] and returns their count.
int32_t halo_peers(const struct partition *p, int32_t rank, int32_t width, int32_t *ranks);

// allocator: memory of the messages; NULL: memory_create.
void halo_create(struct halo *h, const struct comm *c, const struct partition *p, int32_t width,
                 const struct message_allocator *allocator);
void halo_destroy(struct halo *h);
bool halo_is_valid(const struct halo *h); // the boxes nest

// begin sends the mirrors. Until end, which stores the ghosts behind the owned agents, the
// SCOPE_GHOST fields must not change. Collective among peers.
void halo_begin(struct halo *h, const struct agents *a);
void halo_end(struct halo *h, struct agents *a);

// Packs and unpacks agents that are not in host memory. counts and records have one entry per peer,
// in the order of the halo's peers. A record has the layout of agents_pack with SCOPE_GHOST.
struct halo_packer {
  void *context;
  // Packs the mirrors of each peer, the agents outside `interior` and inside wide_boxes[peer], and
  // counts them.
  void (*pack_mirrors)(void *context, const struct halo *h, int64_t *counts);
  // Copies what was packed into the messages.
  void (*copy_mirrors)(void *context, const struct halo *h, char *const *records,
                       const int64_t *counts);
  void (*unpack_ghosts)(void *context, const struct halo *h, char *const *records,
                        const int64_t *counts);
};
// halo_begin and halo_end for these agents.
void halo_begin_packed(struct halo *h, const struct halo_packer *packer);
void halo_end_packed(struct halo *h, const struct halo_packer *packer);
