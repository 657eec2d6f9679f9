// The last bytes of a file that must be whole: a mark, its length and a hash of all before them. A
// file that was cut short or changed in any one place is found out before anybody trusts a byte of
// it; HDF5 does not look behind its own end.
#pragma once
#include "comm.h"

#define SEAL_BYTES 32

// Both: false with a reason on the ranks where something was wrong; the ranks share the work, but
// agreeing is the caller's. Collective.
bool seal_write(const struct comm *c, const char *path, char *reason, size_t size);
bool seal_check(const struct comm *c, const char *path, char *reason, size_t size);
bool seal_exists(const char *path); // a mark at the end; not more
