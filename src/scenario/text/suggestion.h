// "did you mean X?": finds the known word closest to a misspelt one.
#pragma once
#include <stdbool.h>

// Damerau-Levenshtein distance: letters to change, insert, delete or swap to turn a into b.
int edit_distance(const char *a, const char *b);
// Whether b is a plausible correction of a and closer than *best, which is then lowered to it.
// Start with *best = EDIT_FAR.
#define EDIT_FAR 100
bool edit_is_close(const char *a, const char *b, int *best);

struct suggestion {
  const char *word; // as the user wrote it
  int best;         // distance of the closest candidate so far
  char text[128];   // "; did you mean X?", or "" while no candidate is close
};
struct suggestion suggestion_create(const char *word);
void suggestion_offer(struct suggestion *s, const char *candidate);
