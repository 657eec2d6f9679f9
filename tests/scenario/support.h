// What the tests of scenarios share: files in a folder of their own, loading, exact messages.
#pragma once
#include "scenario.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Writes a file into the test's folder, which becomes the working folder.
void support_write(const char *name, const char *text);

// The scenario of that text, or the end of the test with the problems.
struct scenario *support_load(const char *yaml);
struct scenario *support_load_with(const char *yaml, const char *override); // NULL: none
void support_agents(const struct scenario *s, struct agents *a);            // all of them

// Exactly these lines of problems, and no scenario.
void support_expect_refused(const char *yaml, const char *override, const char *lines);
// A scenario with exactly these lines of warnings.
void support_expect_warned(const char *yaml, const char *lines);

double support_x(const struct scenario *s, int32_t x); // m
double support_y(const struct scenario *s, int32_t y);
