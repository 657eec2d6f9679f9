#include "csv.h"

#include <string.h>

#define BLANKS " \t\r"

static void advance(struct csv *c, size_t bytes)
{
  for (const char *end = c->next + bytes; c->next < end; c->next++)
    if (*c->next == '\n') {
      c->line++;
      c->column = 1;
    } else if ((*c->next & 0xc0) != 0x80) { // the first byte of a character
      c->column++;
    }
}

static char find_separator(const char *row) // the first one outside quotes
{
  bool quoted = false;
  for (; *row && (quoted || *row != '\n'); row++)
    if (*row == '"')
      quoted = !quoted;
    else if (!quoted && (*row == ',' || *row == ';'))
      return *row;
  return ',';
}

void csv_open(struct csv *c, const char *text, const char *file, struct diagnostics *p)
{
  *c = (struct csv){.diagnostics = p, .next = text, .line = 1, .column = 1};
  c->row = c->at = (struct location){file, NULL, 1, 1};
  c->separator = find_separator(text + strspn(text, BLANKS "\n"));
}

void csv_close(struct csv *c)
{
  memory_destroy(c->cell.bytes);
  *c = (struct csv){0};
}

bool csv_next_row(struct csv *c)
{
  advance(c, strspn(c->next, BLANKS "\n"));
  c->row.line = c->at.line = c->line;
  c->in_row = *c->next != 0;
  c->failed = false;
  return c->in_row;
}

// Skips the rest of the line.
static bool fail_row(struct csv *c, struct location at, const char *message)
{
  diagnostics_error(c->diagnostics, at, "%s", message);
  advance(c, strcspn(c->next, "\n"));
  c->failed = true;
  return false;
}

static bool read_quoted(struct csv *c)
{
  do {
    advance(c, 1); // the quote before this part
    const size_t length = strcspn(c->next, "\"");
    text_add_bytes(&c->cell, c->next, length);
    advance(c, length);
    if (!*c->next)
      return fail_row(c, c->at, "this quote is not closed");
    advance(c, 1);
    if (*c->next == '"')
      text_add_bytes(&c->cell, "\"", 1);
  } while (*c->next == '"');
  advance(c, strspn(c->next, BLANKS));
  if (!*c->next || *c->next == '\n' || *c->next == c->separator)
    return true;
  const struct location here = {c->at.file, NULL, c->line, c->column};
  return fail_row(c, here, "the cell goes on after its closing quote; a quote inside is doubled");
}

static bool read_plain(struct csv *c)
{
  const char ends[] = {c->separator, '\n', 0};
  const size_t all = strcspn(c->next, ends);
  size_t length = all;
  while (length > 0 && strchr(BLANKS, c->next[length - 1]))
    length--;
  text_add_bytes(&c->cell, c->next, length);
  advance(c, all);
  return true;
}

const char *csv_next_cell(struct csv *c)
{
  if (!c->in_row)
    return NULL;
  advance(c, strspn(c->next, " \t"));
  c->at.line = c->line;
  c->at.column = c->column;
  c->cell.length = 0;
  const bool good = *c->next == '"' ? read_quoted(c) : read_plain(c);
  c->in_row = good && *c->next == c->separator;
  if (c->in_row)
    advance(c, 1);
  return good ? c->cell.bytes : NULL;
}

bool csv_number(const struct csv *c, const char *cell, double *value)
{
  char copy[80];
  const char *comma = strchr(cell, ',');
  if (c->separator == ',' || !comma || strchr(cell, '.') || strlen(cell) >= sizeof copy)
    return number_parse(cell, value);
  snprintf(copy, sizeof copy, "%.*s.%s", (int)(comma - cell), cell, comma + 1);
  return number_parse(copy, value);
}
