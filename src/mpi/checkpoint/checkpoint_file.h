// A checkpoint file: the state from which a run continues with the same bits on any number of
// ranks. All ranks write it in parallel HDF5. It is sealed (seal.h), flushed and renamed when
// complete. Each rank reads it independently, so a damaged file cannot leave a rank waiting in a
// collective call.
#pragma once
#include "agents.h"
#include "comm.h"
#include "state.h"

#define CHECKPOINT_FORMAT 1

struct checkpoint {
  int64_t step, agent_count; // of all ranks
  double time;               // s
  uint64_t checksum;         // simulation_checksum
  char *name;                // of the scenario
  char *version;             // of the throng that wrote it
  char *fingerprint;         // scenario_fingerprint: must match to continue
  char *text;                // the scenario as read
  struct state state;
  struct agents agents; // reading: an even share of the agents, not those that this rank owns
};
bool checkpoint_is_valid(const struct checkpoint *k); // ready to be written

// Writes the owned agents of all ranks and the gathered state. Takes no ownership. EXIT_IO, after a
// message: the file system refused; no partial file is left. Collective.
enum exit_code checkpoint_write(const struct comm *c, const char *path, const struct checkpoint *k,
                                const struct agents *a, int32_t compression);

// Reads and verifies every byte. EXIT_CORRUPT_DATA on every rank, with the same fault[size]: the
// file is damaged; EXIT_IO: it cannot be read. The caller destroys k in any case. Collective.
enum exit_code checkpoint_read(const struct comm *c, const char *path, struct checkpoint *k,
                               char *fault, size_t size);
void checkpoint_destroy(struct checkpoint *k);

bool checkpoint_recognise(const char *path); // has the name or the seal of a checkpoint
// Prints what `throng info FILE` shows. After a message: EXIT_CORRUPT_DATA, damaged;
// EXIT_IO, cannot be read; EXIT_BAD_INPUT, no such file. Serial.
enum exit_code checkpoint_describe(const char *path);
