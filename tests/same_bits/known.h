// The checksums of the scenes, equal on every machine.
#pragma once
#include <stdbool.h>

// Of rooms.yaml. A change that alters results on purpose says so in the change log and writes the
// new checksum here: `build/release/throng run tests/same_bits/rooms.yaml` prints it.
#define KNOWN "93663e030171a985"

// Of the other scenes in which nobody walks by headway (walking.model: none, or by density).
#define KNOWN_ROADMAP  "e8c7642f580f15e1"
#define KNOWN_TOGETHER "4ef103f783d530c9"

// Of those in which people do: every change of the headway model changes these six. The station
// until 120 s (--set time.end=120), and until its end with --set navigation.model=roadmap; the
// routes are events.yaml with --set navigation.routes.count=3.
#define KNOWN_STATION         "d5090bc2759ecf22"
#define KNOWN_STATION_ROADMAP "6d0c2240ea929025"
#define KNOWN_EVENTS          "9ef5d7611727d0f7"
#define KNOWN_ROUTES          "3978ac37d1645b2d"
#define KNOWN_WALKING         "3ccf1799179ead6b"
#define KNOWN_WALKING_ROADMAP "053748bb948537a3"

// The long form: tools/test.sh --all.
#ifdef LONG_TESTS
#define LONG true
#else
#define LONG false
#endif

// Sanitized builds are slow and serve other purposes.
#ifdef SANITIZED
#define SHORT !LONG
#else
#define SHORT false
#endif

// So do unoptimised ones.
#ifdef __OPTIMIZE__
#define THOROUGH !SHORT
#else
#define THOROUGH LONG
#endif
