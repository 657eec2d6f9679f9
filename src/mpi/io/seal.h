// A seal: the last bytes of a file, which hold a mark, the length of the file and a hash of all
// bytes before them. It detects truncation and any change before a byte is interpreted. HDF5
// ignores bytes behind its own end.
#pragma once
#include "comm.h"

#define SEAL_BYTES 32

// The ranks hash the blocks in turn. False, with reason[size], on the ranks that found a fault: the
// caller combines the results. Collective.
bool seal_write(const struct comm *c, const char *path, char *reason, size_t size);
// EXIT_CORRUPT_DATA or EXIT_IO, with reason[size], on the ranks that found damage or cannot read.
enum exit_code seal_check(const struct comm *c, const char *path, char *reason, size_t size);
bool seal_exists(const char *path); // looks for the mark only
