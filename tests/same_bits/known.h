// What the scenes come to, on every machine.
#pragma once
#include <stdbool.h>

// What rooms.yaml comes to. When a change means to alter results, say so in the change log and
// write the checksum here that `build/release/throng run tests/same_bits/rooms.yaml` ends with.
#define KNOWN "93663e030171a985"

// The same for other scenes, the station until 120 s.
#define KNOWN_STATION  "2bb1993ae31edf03"
#define KNOWN_EVENTS   "40f1708c7972352a"
#define KNOWN_ROADMAP  "e8c7642f580f15e1"
#define KNOWN_TOGETHER "4ef103f783d530c9"

// tools/test.sh --all.
#ifdef LONG_TESTS
#define LONG true
#else
#define LONG false
#endif

// Sanitized builds are slow, and meant to find other things.
#ifdef __SANITIZE_ADDRESS__
#define SHORT !LONG
#else
#define SHORT false
#endif

// So are unoptimised ones.
#ifdef __OPTIMIZE__
#define THOROUGH !SHORT
#else
#define THOROUGH LONG
#endif
