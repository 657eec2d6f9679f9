// How the people of a source come in the course of time. Plain data: who has come so far, and
// whether there is room for the next, is src/inflow_spawner.c.
#pragma once
#include "position.h"
#include <stdint.h>

struct inflow {
  double begin, end;       // s: nobody comes before or after
  double headway;          // s from one to the next, on average; 0: by the timetable
  bool random;             // the gaps are those of a Poisson process
  int64_t most;            // people in all
  int timetable_count;     // of pairs
  const double *timetable; // [2 * timetable_count] time, people, ...: at that time so many, s
  int source;              // number of the config's
  int32_t radius;          // of the widest of them, quanta
};
