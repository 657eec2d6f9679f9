// Shared by the tests of scenarios: a folder for files, loading, exact messages.
#pragma once
#include "scenario.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Writes a file into the folder of this test, which becomes the working directory.
void support_write(const char *name, const char *text);

// Loads a scenario from its text; errors fail the test.
struct scenario *support_load(const char *yaml);
struct scenario *support_load_with(const char *yaml, const char *override); // NULL: none
void support_agents(const struct scenario *s, struct agents *a);            // all agents

// Expects exactly these lines of errors, and no scenario.
void support_expect_refused(const char *yaml, const char *override, const char *lines);
// Expects a scenario with exactly these lines of warnings.
void support_expect_warned(const char *yaml, const char *lines);

double support_x(const struct scenario *s, int32_t x); // m
double support_y(const struct scenario *s, int32_t y);

// The warning of walls between agents that walk straight and their goals, in x.yaml.
#define SUPPORT_HIDDEN(percent) SUPPORT_HIDDEN_AT("1:1", percent)
#define SUPPORT_HIDDEN_AT(place, percent)                                                          \
  "x.yaml:" place ": navigation.model: direct leads straight on, but " percent                     \
  " % of the agents have "                                                                         \
  "a wall between them and their goal, and may never arrive; field and roadmap lead to "           \
  "destinations around walls\n"
