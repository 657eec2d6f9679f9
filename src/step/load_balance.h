// Boxes that follow the crowd: how long each rank computes is looked at every few steps, and when
// the ranks have waited for each other longer than it costs, the plane is cut anew and everybody
// moves to where they belong. No result depends on the boxes, so measured time may decide when and
// where they are cut.
#pragma once
#include "halo.h"
#include "migrate.h"
#include "neighbours.h"
#include "scenario.h"
#include "state.h"

struct load_balance_input {
  const struct comm *comm;
  struct agents *agents;
  struct neighbours *neighbours;
  struct partition *partition;
  struct halo *halo;
  struct migrate *migrate;
  const struct message_allocator *message_allocator; // of the halo; NULL: ordinary
  // Where people live elsewhere (device_crowd.h): brings what they saw, and then them all. May be
  // NULL.
  void (*sync_host)(void *context, bool agents);
  void *context;
};

struct load {        // of computing, s
  double most, mean; // of the slowest rank and of all
};

struct load_balance { // the same on every rank, but for work and scale
  struct balance_options options;
  double work;  // s that this rank has computed since the last look, without waiting
  double scale; // of this rank's weights: how long its agents take, to the mean; .5 to 2
  double learned_scale,
      scale_variance;   // what that is when noise is not thought of; variance of a measurement
  struct load expected; // from look to look, with the agents where they are
  double waste;         // s that the ranks have waited for the slowest since the last time
  double cost;          // s that one time takes
  double backoff;       // so many costs must be lost: more, when the last time did not help
  // What a run tells of it.
  int64_t rebalances, agents_moved; // agents, of all ranks
  double seconds;                   // spent
  struct load all;                  // measured, up to the last look
  struct load weighted;             // the same by weights: neighbours counted, no clock
  struct load last;                 // between the last two looks
  struct load after_cut;            // from each time to the next look
  bool just_cut;
  double
      weight_imbalance; // most of a rank to the mean, right after the last time; 1: there was none
};

// Collective: cuts the plane for the first time, where people stand now, moves them to their owners
// and makes the plans of halo and migration. width: of the halo, quanta.
void load_balance_create(struct load_balance *b, const struct balance_options *options,
                         int32_t width, const struct load_balance_input *in);
// At the end of a step, with its number: looks when it is time to, and cuts anew when that pays.
// Collective.
void load_balance_step(struct load_balance *b, int64_t step, const struct load_balance_input *in);

void load_balance_visit(struct load_balance *b,
                        struct state *v); // what a run tells of it. Collective

double load_imbalance(struct load s); // the slowest to the mean; 1 of nothing
