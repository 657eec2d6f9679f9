#include "csv.h"

#include <string.h>

bool csv_cell(const char *line, const char **next, struct location *at, char cell[CSV_CELL])
{
  const char *begin = *next;
  if (!begin)
    return false;
  const char *end = begin + strcspn(begin, ",\n");
  *next = *end == ',' ? end + 1 : NULL;
  while (begin < end && (*begin == ' ' || *begin == '\t'))
    begin++;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
    end--;
  at->column = (int)(begin - line) + 1;
  snprintf(cell, CSV_CELL, "%.*s", (int)(end - begin < CSV_CELL ? end - begin : CSV_CELL), begin);
  return true;
}

const char *csv_next(const char *line)
{
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

bool csv_is_blank(const char *line)
{
  const size_t spaces = strspn(line, " \t\r");
  return line[spaces] == '\n' || line[spaces] == 0;
}

const char *csv_begin(const char *text, int *line)
{
  for (; *text && csv_is_blank(text); text = csv_next(text))
    (*line)++;
  return text;
}
