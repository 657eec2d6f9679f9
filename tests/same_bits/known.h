// The checksums of the scenes, equal on every machine.
#pragma once
#include "extent.h"
#include <stdbool.h>

// Of rooms.yaml. A change that alters results on purpose says so in the change log and writes the
// new checksum here: `build/release/throng run tests/same_bits/rooms.yaml` prints it.
#define KNOWN "e41dae6f218b0fb5"

// Of the other scenes in which nobody walks by headway (walking.model: none, or by density).
#define KNOWN_ROADMAP  "a0cf022e17e2dd99"
#define KNOWN_TOGETHER "393cee688ac1a9c6"

// Of those in which people do: every change of the headway model changes these six. The station
// until 120 s (--set time.end=120), and until its end with --set navigation.model=roadmap; the
// routes are events.yaml with --set navigation.routes.count=3.
#define KNOWN_STATION         "706206da6d8f842c"
#define KNOWN_STATION_ROADMAP "af4c48fe655f5a44"
#define KNOWN_EVENTS          "404bc79ee6bdb6f5"
#define KNOWN_ROUTES          "a3397b75e59ff9cc"
#define KNOWN_WALKING         "76dc22e4e2197045"
#define KNOWN_WALKING_ROADMAP "9b921d64c68cfbca"
