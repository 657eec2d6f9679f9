#include "report_text.h"

#include <math.h>

void clock_text(char *text, size_t size, double seconds)
{
  const long s = seconds < 0 ? 0 : seconds > 3.5e6 ? 3500000 : lrint(seconds);
  if (s < 3600)
    snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

void count_text(char *text, size_t size, double count)
{
  static const char *const suffix[] = {"", " k", " M", " G", " T"};
  int k = 0;
  while (count >= 999.5 && k < 4) {
    count /= 1000;
    k++;
  }
  snprintf(text, size,
           count < 10 && k    ? "%.2f%s"
           : count < 100 && k ? "%.1f%s"
                              : "%.0f%s",
           count, suffix[k]);
}

void phases_write(FILE *file, const double *seconds)
{
  fprintf(file, "{");
  for (int p = 0; p < PHASE_COUNT; p++)
    fprintf(file, "%s\"%s\": %.6f", p ? ", " : "", phase_names[p], seconds[p]);
  fprintf(file, "}");
}
