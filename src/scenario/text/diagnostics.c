#include "diagnostics.h"

#include "utf8.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void text_reserve(struct text *t, size_t more)
{
  if (t->length + more + 1 <= t->capacity)
    return;
  const size_t capacity = 2 * (t->length + more) + 64;
  t->bytes = memory_grow(t->bytes, t->length, capacity, 1);
  t->capacity = capacity;
}

void text_add_bytes(struct text *t, const char *bytes, size_t length)
{
  text_reserve(t, length);
  if (length)
    memcpy(t->bytes + t->length, bytes, length);
  t->length += length;
  t->bytes[t->length] = 0;
}

static void text_add_list(struct text *t, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, arguments);
  text_reserve(t, (size_t)length);
  vsnprintf(t->bytes + t->length, (size_t)length + 1, format, again);
  va_end(again);
  t->length += (size_t)length;
}

void text_add(struct text *t, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  text_add_list(t, format, arguments);
  va_end(arguments);
}

char *text_copy(const char *text, size_t length)
{
  char *copy = memory_create(length + 1, 1);
  memcpy(copy, text, length);
  return copy;
}

struct location text_location(const char *text, const char *at, const char *file)
{
  struct location location = {file, NULL, 1, 1};
  for (const char *c = text; c < at; c++)
    if (*c == '\n') {
      location.line++;
      location.column = 1;
    } else if ((*c & 0xc0) != 0x80) { // the first byte of a character
      location.column++;
    }
  return location;
}

static void location_append(struct text *t, struct location at)
{
  if (at.override)
    text_add(t, "--set %s: ", at.override);
  else if (at.line > 0)
    text_add(t, "%s:%d:%d: ", at.file, at.line, at.column);
  else
    text_add(t, "%s: ", at.file);
}

static char *line_format(struct location at, const char *format, va_list arguments)
{
  struct text raw = {0}, line = {0};
  location_append(&raw, at);
  text_add_list(&raw, format, arguments);
  const size_t length = utf8_printable(NULL, 0, raw.bytes);
  text_reserve(&line, length + 1);
  utf8_printable(line.bytes, length + 1, raw.bytes);
  line.length = length;
  text_add(&line, "\n");
  memory_destroy(raw.bytes);
  return line.bytes;
}

static void line_append(char **text, const char *line)
{
  const size_t old = *text ? strlen(*text) : 0;
  *text = memory_grow(*text, old, old + strlen(line) + 1, 1);
  memcpy(*text + old, line, strlen(line));
}

static void message_append(char **text, struct location at, const char *format, va_list arguments)
{
  char *line = line_format(at, format, arguments);
  line_append(text, line);
  memory_destroy(line);
}

void diagnostics_error(struct diagnostics *p, struct location at, const char *format, ...)
{
  p->count++;
  if (p->count > DIAGNOSTICS_MAX)
    return;
  va_list arguments;
  va_start(arguments, format);
  message_append(&p->text, at, format, arguments);
  va_end(arguments);
  if (p->count == DIAGNOSTICS_MAX)
    line_append(&p->text, "(further errors are not shown)\n");
}

void diagnostics_warning(struct diagnostics *p, struct location at, const char *format, ...)
{
  p->told++;
  if (p->told > DIAGNOSTICS_MAX)
    return;
  va_list arguments;
  va_start(arguments, format);
  message_append(&p->warnings, at, format, arguments);
  va_end(arguments);
  if (p->told == DIAGNOSTICS_MAX)
    line_append(&p->warnings, "(further warnings are not shown)\n");
}

bool diagnostics_check_utf8(struct diagnostics *p, const char *text, size_t length,
                            struct location at)
{
  const size_t valid = utf8_valid_length(text, length);
  if (valid == length)
    return true;
  struct location place = text_location(text, text + valid, at.file);
  place.override = at.override;
  const unsigned byte = (unsigned char)text[valid];
  const bool utf16 = valid == 0 && (byte == 0xff || byte == 0xfe);
  diagnostics_error(p, place,
                    "byte 0x%02X is not UTF-8; convert the text, for example with iconv -f %s "
                    "-t utf-8",
                    byte, utf16 ? "utf-16" : "latin1");
  return false;
}

void diagnostics_destroy(struct diagnostics *p)
{
  memory_destroy(p->text);
  memory_destroy(p->warnings);
  *p = (struct diagnostics){0};
}

static char *stream_read(FILE *f, size_t limit, size_t *length)
{
  struct text t = {0};
  char block[65536];
  size_t got;
  while (t.length <= limit && (got = fread(block, 1, sizeof block, f)) > 0)
    text_add_bytes(&t, block, got);
  text_add_bytes(&t, "", 0); // an empty file gives "", not NULL
  *length = t.length;
  return t.bytes;
}

static char *without_byte_order_mark(char *text, size_t *length)
{
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0) {
    *length -= 3;
    memmove(text, text + 3, *length + 1);
  }
  return text;
}

char *file_read(const char *path, size_t limit, const char *option, struct location at,
                size_t *length, struct diagnostics *p)
{
  struct stat about;
  errno = 0;
  FILE *f = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
  if (!f) {
    diagnostics_error(p, at, "%scannot read \"%s\": %s", option, path,
                      errno                    ? strerror(errno)
                      : S_ISDIR(about.st_mode) ? "it is a directory"
                                               : "it is not a regular file");
    return NULL;
  }
  char *bytes = stream_read(f, limit, length);
  const bool bad = ferror(f) != 0;
  fclose(f);
  if (bad)
    diagnostics_error(p, at, "%scannot read \"%s\": input/output error", option, path);
  else if (*length > limit)
    diagnostics_error(p, at, "%s\"%s\" is longer than %zu MiB", option, path, limit >> 20);
  else if (memchr(bytes, 0, *length))
    diagnostics_error(p, at, "%s\"%s\" is not a text file: it contains a NUL byte", option, path);
  else if (diagnostics_check_utf8(p, bytes, *length, (struct location){.file = path}))
    return without_byte_order_mark(bytes, length);
  memory_destroy(bytes);
  return NULL;
}

bool number_parse(const char *text, double *value)
{
  if (!*text || strlen(text) > 60 || strspn(text, "0123456789+-.eE") != strlen(text))
    return false;
  char *end;
  *value = strtod(text, &end);
  return !*end && isfinite(*value);
}
