// The files that a fuzz program writes for throng to read.
#pragma once
#include <stddef.h>
#include <stdint.h>

// The entry of libFuzzer, which every fuzz_*.c defines. Returns 0. An input that is refused is as
// good as one that is accepted; a crash, a leak, a hang or abort() is a find.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The path of a file in a folder of this process, which is removed at exit. Valid until the end of
// the process for the same name; at most 8 names.
const char *files_path(const char *name);
// Replaces the contents of a file in that folder and returns its path.
const char *files_write(const char *name, const void *data, size_t size);
const char *files_write_text(const char *name, const char *text);
