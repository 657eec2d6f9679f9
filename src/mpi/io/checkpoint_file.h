// One checkpoint: everything from which a run goes on, to the bit, on any number of ranks. Written
// by all ranks together in parallel HDF5, sealed, flushed and renamed when complete; read by each
// rank for itself, so that no damage can leave one rank waiting for another.
#pragma once
#include "agents.h"
#include "comm.h"
#include "state.h"

#define CHECKPOINT_FORMAT 1

struct checkpoint {
  int64_t step, agent_count; // of all ranks
  double time;               // s
  uint64_t checksum;         // of the whole state
  char *name, *version;      // of the scenario; of the throng that wrote it
  char *fingerprint, *text;  // what must be the same for going on; the scenario as read
  struct state state;
  struct agents agents; // reading: this rank's even share of them, in no order
};

// The owned agents of all ranks and the state, which was gathered; takes nothing over. EXIT_IO
// after one message when the file system refuses, with nothing left behind. Collective.
enum exit_code checkpoint_write(const struct comm *c, const char *path, const struct checkpoint *k,
                                const struct agents *a, int32_t compression);

// Reads and verifies every byte. False, the same on every rank, with a fault (on rank 0) when it is
// not whole; destroy it in any case. Collective.
bool checkpoint_read(const struct comm *c, const char *path, struct checkpoint *k, char *fault,
                     size_t size);
void checkpoint_destroy(struct checkpoint *k);

bool checkpoint_recognise(const char *path); // is this file, whole or not, a checkpoint?
// What `throng info FILE` says of one. EXIT_CORRUPT_DATA with a message when it is broken. Serial.
enum exit_code checkpoint_describe(const char *path);
