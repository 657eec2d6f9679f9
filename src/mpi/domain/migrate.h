// Moves agents to the ranks that own the ground they stand on.
#pragma once
#include "agents.h"
#include "exchange.h"
#include "partition.h"

struct migrate {
  const struct partition *partition;
  struct exchange exchange;
  int32_t rank;
  uint8_t *gone; // [gone_capacity]
  int64_t gone_capacity;
  int64_t sent; // migrants of the last step
};

// peers: the ranks an agent may have come to own since the last call.
void migrate_create(struct migrate *m, const struct comm *c, const struct partition *p,
                    const int32_t *peers, int32_t peer_count);
void migrate_destroy(struct migrate *m);
// Collective among peers. Places of those who left before index `rim`: agents_remove_ordered.
// Forgets ghosts.
void migrate(struct migrate *m, struct agents *a, int64_t border_layer);

// From wherever to wherever: at the start, and after the boxes changed. Ends the run with
// EXIT_INTERNAL_ERROR when somebody is lost or doubled. How many left this rank. Forgets ghosts.
// Collective.
int64_t migrate_globally(const struct comm *c, const struct partition *p, struct agents *a);
