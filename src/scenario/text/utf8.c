#include "utf8.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>

// To UTF-16, which has the same characters as UTF-8 by RFC 3629.
size_t utf8_valid_length(const char *text, size_t length)
{
  const iconv_t to_utf16 = iconv_open("UTF-16LE", "UTF-8");
  if (to_utf16 == (iconv_t)-1)
    fail(EXIT_INTERNAL_ERROR, "iconv cannot read UTF-8: %s", strerror(errno));
  char out[8192], *in = (char *)(uintptr_t)text;
  size_t left = length, converted = 0;
  while (left > 0 && (converted != (size_t)-1 || errno == E2BIG)) {
    char *next = out;
    size_t room = sizeof out;
    errno = 0;
    converted = iconv(to_utf16, &in, &left, &next, &room);
  }
  iconv_close(to_utf16);
  return length - left;
}

bool utf8_check(const char *text, size_t length, const char *file, const char *override,
                struct diagnostics *p)
{
  const size_t valid = utf8_valid_length(text, length);
  if (valid == length)
    return true;
  struct location at = text_location(text, text + valid, file);
  at.override = override;
  const unsigned byte = (unsigned char)text[valid];
  const bool utf16 = valid == 0 && (byte == 0xff || byte == 0xfe);
  diagnostics_error(p, at,
                    "byte 0x%02X is not UTF-8; convert the text, for example with iconv -f %s "
                    "-t utf-8",
                    byte, utf16 ? "utf-16" : "latin1");
  return false;
}

static bool is_control(const char *text) // C0, DEL, and C1, which UTF-8 writes as C2 80 to C2 9F
{
  const unsigned char *c = (const unsigned char *)text;
  return *c < ' ' || *c == 127 || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void utf8_add_printable(struct text *to, const char *text)
{
  const char *end = text + strlen(text);
  while (text < end) {
    const char *valid = text + utf8_valid_length(text, (size_t)(end - text));
    for (; text < valid && !is_control(text); text++)
      text_add_bytes(to, text, 1);
    if (text < end)
      text_add(to, "\\x%02x", (unsigned char)*text++);
  }
}
