// Load balancing: every few steps the ranks compare how long each of them computes. When they have
// waited for each other longer than a new partition costs, the plane is cut again and every agent
// moves to its new owner. No result depends on the boxes, so measured time may decide when and
// where they are cut.
#pragma once
#include "halo.h"
#include "migrate.h"
#include "neighbours.h"
#include "partition_ranks.h"
#include "scenario.h"
#include "state.h"

struct load_balance_input {
  const struct comm *comm;
  struct agents *agents;
  struct neighbours *neighbours;
  struct partition *partition;
  struct halo *halo;
  struct migrate *migrate;
  const struct message_allocator *message_allocator; // of the halo; NULL: ordinary memory
  // Where agents live on a device: downloads their neighbour counts or, with agents true, the
  // agents. NULL: they live on the host.
  void (*sync_host)(void *context, bool agents);
  void *context;
};

struct load {        // s of computing
  double most, mean; // of the slowest rank; over all ranks
};

struct load_balance { // the same on every rank, except work, scale and what scale is learned from
  struct balance_options options;
  struct partition_ranks ranks; // that cut the plane
  double work;           // s that this rank has computed since the last look, without waiting
  double scale;          // of this rank's weights: cost of its agents to the mean; .5 to 2
  double learned_scale;  // exponential mean of the measured ones
  double scale_variance; // of one measurement
  struct load expected;  // from look to look, with the agents where they are
  double waste;          // s that the ranks have waited for the slowest since the last cut
  double cost;           // s that a cut takes
  double backoff;        // a cut is due when waste exceeds backoff * cost; more after a useless one
  // Reported by a run.
  int64_t rebalances, agents_moved; // over all ranks
  double seconds;                   // spent on cuts
  struct load all;                  // measured, up to the last look
  struct load weighted;             // the same by weights: neighbours counted, no clock
  struct load last;                 // between the last two looks
  struct load after_cut;            // from each cut to the next look
  bool just_cut;
  double weight_imbalance; // heaviest rank to the mean right after the last cut; 1: no cut yet
};

// Cuts the plane for the first time, by where agents stand; moves them to their owners and creates
// halo and migration. width: of the halo, quanta. Collective.
void load_balance_create(struct load_balance *b, const struct balance_options *options,
                         int32_t width, const struct load_balance_input *in);
void load_balance_destroy(struct load_balance *b); // collective
// Ends a step; step: its number. Looks when a look is due and cuts when that pays. Collective.
void load_balance_step(struct load_balance *b, int64_t step, const struct load_balance_input *in);

// Cuts anew, with a wider halo. Collective.
void load_balance_widen(struct load_balance *b, int32_t width, const struct load_balance_input *in);

// Reads or writes what a run reports. Collective.
void load_balance_visit(struct load_balance *b, struct state *v);

double load_imbalance(struct load s); // slowest rank to the mean; 1 without any load
