#include "utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// The range of the second byte after each first byte of two or more: RFC 3629, section 4.
static const struct lead {
  unsigned char from, to; // first byte
  unsigned char length;   // of the character
  unsigned char second_lo, second_hi;
} leads[] = {
    {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf}, {0xe1, 0xec, 3, 0x80, 0xbf},
    {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf}, {0xf0, 0xf0, 4, 0x90, 0xbf},
    {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

static bool completes(const unsigned char *c, size_t left, const struct lead *lead)
{
  if (left < lead->length || c[1] < lead->second_lo || c[1] > lead->second_hi)
    return false;
  for (int i = 2; i < lead->length; i++)
    if ((c[i] & 0xc0) != 0x80)
      return false;
  return true;
}

static size_t character_length(const unsigned char *c, size_t left) // bytes; 0: no character
{
  if (*c < 0x80)
    return 1;
  for (size_t k = 0; k < sizeof leads / sizeof *leads; k++)
    if (*c >= leads[k].from && *c <= leads[k].to)
      return completes(c, left, &leads[k]) ? leads[k].length : 0;
  return 0;
}

size_t utf8_valid_length(const char *text, size_t length)
{
  size_t valid = 0, next = 1;
  while (valid < length && next > 0)
    valid += next = character_length((const unsigned char *)text + valid, length - valid);
  return valid;
}

enum utf8_kind utf8_next(const char *text, size_t *length, unsigned *code)
{
  const unsigned char *c = (const unsigned char *)text;
  *length = character_length(c, strnlen(text, 4));
  *code = *c;
  if (*length == 0) {
    *length = 1;
    return UTF8_INVALID;
  }
  if (*length == 2 && *c == 0xc2)
    *code = c[1]; // U+0080 to U+00BF: the second byte is the code point
  const bool is_control =
      (*length == 1 && (*c < ' ' || *c == 127)) || (*length == 2 && *c == 0xc2 && c[1] < 0xa0);
  return is_control ? UTF8_CONTROL : UTF8_PRINTABLE;
}

size_t utf8_printable(char *to, size_t size, const char *text)
{
  size_t used = 0, written = 0, length;
  for (unsigned code; *text; text += length) {
    char piece[12] = "";
    const enum utf8_kind kind = utf8_next(text, &length, &code);
    for (size_t i = 0; i < length; i++)
      if (kind == UTF8_PRINTABLE)
        piece[i] = text[i];
      else
        snprintf(piece + 4 * i, sizeof piece - 4 * i, "\\x%02x", (unsigned char)text[i]);
    const size_t bytes = strlen(piece);
    if (written == used && used + bytes < size) {
      memcpy(to + written, piece, bytes);
      written += bytes;
    }
    used += bytes;
  }
  if (size)
    to[written] = 0;
  return used;
}

struct printable printable(const char *text)
{
  struct printable shown;
  utf8_printable(shown.text, sizeof shown.text, text);
  return shown;
}

void utf8_write_json(const char *text, FILE *out)
{
  size_t length;
  fputc('"', out);
  for (unsigned code; *text; text += length) {
    const enum utf8_kind kind = utf8_next(text, &length, &code);
    if (kind == UTF8_INVALID)
      fprintf(out, "\\\\x%02x", code);
    else if (kind == UTF8_CONTROL)
      fprintf(out, "\\u%04x", code);
    else
      fprintf(out, "%s%.*s", *text == '"' || *text == '\\' ? "\\" : "", (int)length, text);
  }
  fputc('"', out);
}
