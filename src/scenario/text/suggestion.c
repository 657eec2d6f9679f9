#include "suggestion.h"

#include <stdio.h>
#include <string.h>

#define EDIT_MAX 40 // letters; longer words are not compared

static int min3(int a, int b, int c)
{
  const int ab = a < b ? a : b;
  return ab < c ? ab : c;
}

// Damerau 1964, Levenshtein 1966. Swapping two adjacent letters costs 1 (optimal string alignment).
int edit_distance(const char *a, const char *b)
{
  const int n = (int)strnlen(a, EDIT_MAX + 1), m = (int)strnlen(b, EDIT_MAX + 1);
  if (n > EDIT_MAX || m > EDIT_MAX)
    return EDIT_MAX;
  int d[EDIT_MAX + 1][EDIT_MAX + 1];
  for (int i = 0; i <= n; i++)
    d[i][0] = i;
  for (int j = 0; j <= m; j++)
    d[0][j] = j;
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= m; j++) {
      const int change = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, change);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < d[i][j])
        d[i][j] = d[i - 2][j - 2] + 1;
    }
  return d[n][m];
}

bool edit_is_close(const char *a, const char *b, int *best)
{
  const int distance = edit_distance(a, b);
  const int length = (int)strnlen(b, EDIT_MAX);
  if (distance > 1 + length / 4 || distance >= length || distance >= *best)
    return false;
  *best = distance;
  return true;
}

struct suggestion suggestion_create(const char *word)
{
  return (struct suggestion){.word = word, .best = EDIT_FAR};
}

void suggestion_offer(struct suggestion *s, const char *candidate)
{
  if (edit_is_close(s->word, candidate, &s->best))
    snprintf(s->text, sizeof s->text, "; did you mean %.100s?", candidate);
}
