// The checksums of the scenes, equal on every machine.
#pragma once
#include "extent.h"
#include <stdbool.h>

// Of rooms.yaml. A change that alters results on purpose says so in the change log and writes the
// new checksum here: `build/release/throng run tests/same_bits/rooms.yaml` prints it.
#define KNOWN "ac19b84b2c9e88ed"

// Of the other scenes in which nobody walks by headway (walking.model: none, or by density).
#define KNOWN_ROADMAP  "7b85279ffeb31421"
#define KNOWN_TOGETHER "f474997610d0bee8"

// Of those in which people do: every change of the headway model changes these six. The station
// until 120 s (--set time.end=120), and until its end with --set navigation.model=roadmap; the
// routes are events.yaml with --set navigation.routes.count=3.
#define KNOWN_STATION         "77c1318368c3edfe"
#define KNOWN_STATION_ROADMAP "223c1ca37e7038a0"
#define KNOWN_EVENTS          "498606194f00e886"
#define KNOWN_ROUTES          "735143457b0c3c43"
#define KNOWN_WALKING         "18fbada3a4e6d217"
#define KNOWN_WALKING_ROADMAP "496203abf0b764b2"
