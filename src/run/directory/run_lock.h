// One run at a time in an output directory.
//
// The file `lock` names the run: host, process, job of the scheduler. It is created by link(2),
// which is atomic on local file systems and on NFS; flock(2) may not reach other hosts there. While
// the run lives, a thread touches the file every RUN_LOCK_TOUCH. A run that finds a lock is refused
// unless the run of the lock has died:
// - on this machine, since the last boot, its process has gone;
// - on another one, it was an earlier start of the same job, or the lock has not been touched for
//   RUN_LOCK_DEAD, by the clock of the file server.
#pragma once
#include "base.h"

#define RUN_LOCK_TOUCH 10 // s
#define RUN_LOCK_DEAD  60

struct run_lock;

// Rank 0 calls; the directory exists. NULL after a message on stderr, with the exit code in *code:
// another run is at work there (EXIT_BAD_INPUT), or the file cannot be written (EXIT_IO).
struct run_lock *run_lock_take(const char *directory, enum exit_code *code);
void run_lock_release(struct run_lock *lock); // NULL: nothing

struct run_lock_owner {
  char host[160], process[160], job[160]; // the number of the process comes first; "": unknown
  double age;                             // s since the run last touched the lock
  bool lives;
};
// Reads the lock of a directory and changes nothing. False: there is none. Only a run on this
// machine is known to live; others are taken to until they have not touched the lock for three
// times RUN_LOCK_DEAD: clocks differ, and NFS tells of a touch late.
bool run_lock_look(const char *directory, struct run_lock_owner *owner);
