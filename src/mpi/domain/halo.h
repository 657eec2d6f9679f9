// The halo: what the agents near our border look like to other ranks, and theirs to us.
//
// Two ranks know each other when one's box, widened by the halo's width, overlaps the other's.
// An agent goes to every rank whose widened box holds it, so each rank sees everybody within
// `width` of its own box: as far as an agent can see.
//
// Agents that live on a device are packed and unpacked there, by a packer of the caller.
#pragma once
#include "agents.h"
#include "exchange.h"
#include "partition.h"

struct halo {
  int32_t width; // quanta
  struct exchange exchange;
  struct box *wide_boxes;   // [peers] their boxes, widened
  struct box interior;      // nobody in here is seen by others
  struct box deep_interior; // nobody in here is about to leave: some steps from the border
  int64_t *counts;          // [peers], scratch
  char **buffers;           // [peers], scratch
  int64_t sent;             // mirrors of the last step
};

// The ranks that this one knows, ascending, into ranks[partition->rank_count]; how many.
int32_t halo_peers(const struct partition *p, int32_t rank, int32_t width, int32_t *ranks);

// parcels: where records lie; NULL: in ordinary memory.
void halo_create(struct halo *h, const struct comm *c, const struct partition *p, int32_t width,
                 const struct message_allocator *allocator);
void halo_destroy(struct halo *h);
void halo_begin(struct halo *h, const struct agents *a); // sends; the SEEN fields must not change
void halo_end(struct halo *h, struct agents *a);         // ghosts stand behind our own

// What packs and unpacks agents that do not live in a struct agents of the host. counts and records
// have one entry per peer, in the order of the halo's peers; a record is what agents_pack makes of
// the fields up to SEEN.
struct halo_packer {
  void *context;
  // Counts the mirrors of each peer: the agents outside of `inner` and inside of wide_boxes[peer].
  void (*count_mirrors)(void *context, const struct halo *h, int64_t *counts);
  void (*pack_mirrors)(void *context, const struct halo *h, char *const *records,
                       const int64_t *counts);
  void (*unpack_ghosts)(void *context, const struct halo *h, char *const *records,
                        const int64_t *counts);
};
void halo_begin_packed(struct halo *h, const struct halo_packer *packer);
void halo_end_packed(struct halo *h, const struct halo_packer *packer);
