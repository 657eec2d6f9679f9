// Migration: moves agents to the ranks that own their positions.
#pragma once
#include "agents.h"
#include "exchange.h"
#include "partition.h"

struct migrate {
  const struct partition *partition;
  struct exchange exchange;
  int32_t rank;
  uint8_t *gone; // [gone_capacity] agent i leaves this rank
  int64_t gone_capacity;
  int64_t sent; // migrants of the last step
};

// peers: every rank whose box an agent of ours may enter between two calls.
void migrate_create(struct migrate *m, const struct comm *c, const struct partition *p,
                    const int32_t *peers, int32_t peer_count);
void migrate_destroy(struct migrate *m);
// Sends migrants to peers and appends those received. agents_remove_ordered closes the
// gaps. Discards the ghosts. Collective among peers.
void migrate(struct migrate *m, struct agents *a, int64_t *border_layer);

// Migrates between any two ranks: at the start, and after a change of the partition. Returns the
// number of agents that left this rank. Discards the ghosts. EXIT_INTERNAL_ERROR: an agent was lost
// or duplicated. Collective.
int64_t migrate_globally(const struct comm *c, const struct partition *p, struct agents *a);
