// What `throng check`, runs and the library begin with: the scenario, a backend, and the memory
// that the ranks of a machine share.
#pragma once
#include "backend.h"
#include "node_memory.h"
#include "scenario.h"

struct session_options {
  const char *path;
  const char *text;             // YAML instead of the file's; NULL: reads the file
  const char *const *overrides; // [override_count] "key.path=value"
  int override_count;
  const char *backend; // its name
  bool may_take_gpu;   // `auto` may choose the GPU: nobody reads the agents between steps
  int threads;         // 0: the share of a rank in the cores
  bool hints;          // says what could be faster
  bool writes_map;     // for a run with files
};

struct session {
  const struct comm *comm;
  struct node_memory node;
  int threads;
  const struct backend *backend;
  struct scenario *scenario;
};

// Opens it on all ranks or on none. EXIT_BAD_INPUT after messages of the lowest rank that fails;
// call session_close in any case, which does nothing to a session of zeros. Collective.
enum exit_code session_open(struct session *s, const struct comm *comm,
                            const struct session_options *options);
void session_close(struct session *s);
// Warns of a run that needs more memory than the machine has; false: so much more that it must not
// be started. Collective.
bool session_fits_memory(const struct session *s);
