#include "json.h"

#include <string.h>

#define DEPTH_MAX 64

static void space_skip(struct json *j)
{
  while (j->at < j->end && (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r'))
    j->at++;
}

static bool json_fail(struct json *j, const char *error)
{
  if (!j->error)
    j->error = error;
  return false;
}

static bool text_skip(struct json *j)
{
  for (j->at++; j->at < j->end && *j->at != '"'; j->at++)
    if (*j->at == '\\')
      j->at++;
  if (j->at >= j->end)
    return json_fail(j, "unterminated string");
  j->at++;
  return true;
}

// A number, true, false or null. Only the letters are checked: GEOS parses the numbers.
static bool word_skip(struct json *j)
{
  const size_t length = strspn(j->at, "+-.0123456789Eaeflnrstu");
  if (length == 0)
    return json_fail(j, "a value is expected");
  j->at += length;
  return true;
}

static bool separator_skip(struct json *j, char close, bool *ended)
{
  space_skip(j);
  *ended = j->at < j->end && *j->at == close;
  if (!*ended && (j->at >= j->end || *j->at != ','))
    return json_fail(j, close == '}' ? "a comma or } is expected" : "a comma or ] is expected");
  j->at++;
  return true;
}

static bool key_skip(struct json *j)
{
  space_skip(j);
  if (j->at >= j->end || *j->at != '"')
    return json_fail(j, "a key in quotes is expected");
  if (!text_skip(j))
    return false;
  space_skip(j);
  if (j->at >= j->end || *j->at != ':')
    return json_fail(j, "a colon is expected");
  j->at++;
  return true;
}

static bool value_skip(struct json *j, int depth)
{
  space_skip(j);
  if (j->at >= j->end)
    return json_fail(j, "unexpected end of the text");
  if (*j->at == '"')
    return text_skip(j);
  if (*j->at != '{' && *j->at != '[')
    return word_skip(j);
  if (depth == DEPTH_MAX)
    return json_fail(j, "nested too deeply");
  const char close = *j->at == '{' ? '}' : ']';
  j->at++;
  space_skip(j);
  bool ended = j->at < j->end && *j->at == close;
  if (ended)
    j->at++;
  while (!ended) {
    if (close == '}' && !key_skip(j))
      return false;
    if (!value_skip(j, depth + 1) || !separator_skip(j, close, &ended))
      return false;
  }
  return true;
}

void json_skip(struct json *j)
{
  value_skip(j, 0);
}

bool json_enter(struct json *j, char bracket)
{
  space_skip(j);
  if (j->at >= j->end || *j->at != bracket)
    return false;
  j->at++;
  space_skip(j);
  return true;
}

bool json_element(struct json *j, struct json_span *value)
{
  space_skip(j);
  if (j->error || j->at >= j->end || *j->at == ']' || *j->at == '}')
    return false;
  value->begin = j->at;
  if (!value_skip(j, 0))
    return false;
  value->end = j->at;
  space_skip(j);
  if (j->at < j->end && *j->at == ',')
    j->at++;
  return true;
}

bool json_member(struct json *j, char *key, size_t size, struct json_span *value)
{
  space_skip(j);
  const char *begin = j->at;
  if (j->error || j->at >= j->end || *j->at == '}' || !key_skip(j))
    return false;
  const char *quote = memchr(begin + 1, '"', (size_t)(j->at - begin - 1));
  snprintf(key, size, "%.*s", (int)(quote - begin - 1), begin + 1);
  space_skip(j);
  return json_element(j, value);
}

struct json_span json_find(struct json_span object, const char *key)
{
  struct json j = {object.begin, object.begin, object.end, NULL};
  struct json_span value;
  char name[64];
  if (object.begin && json_enter(&j, '{'))
    while (json_member(&j, name, sizeof name, &value))
      if (strcmp(name, key) == 0)
        return value;
  return (struct json_span){NULL, NULL};
}

bool json_text(struct json_span value, char *out, size_t size)
{
  const size_t length = value.begin ? (size_t)(value.end - value.begin) : 0;
  if (length < 2 || *value.begin != '"') {
    *out = 0;
    return true;
  }
  const int wanted = snprintf(out, size, "%.*s", (int)(length - 2), value.begin + 1);
  return wanted >= 0 && (size_t)wanted < size;
}

// ------------------------------------------------------------------------------- strings

// The four hexadecimal digits behind \u; -1: they are not.
static int unit_read(const char *at, const char *end)
{
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  int unit = 0;
  for (int i = 0; i < 4; i++) {
    const char *digit = at + i < end ? memchr(digits, at[i], sizeof digits - 1) : NULL;
    if (!digit)
      return -1;
    unit = 16 * unit + (int)((digit - digits) % 16);
  }
  return unit;
}

// The character of \uXXXX or of a pair of them at *at, which moves behind it.
static int escape_read(const char **at, const char *end)
{
  const int first = unit_read(*at + 2, end);
  *at += first < 0 ? 2 : 6;
  if (first <= 0 || (first >= 0xdc00 && first < 0xe000))
    return 0xfffd;
  if (first < 0xd800 || first >= 0xe000)
    return first;
  const bool pair = end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u';
  const int second = pair ? unit_read(*at + 2, end) : -1;
  if (second < 0xdc00 || second >= 0xe000)
    return 0xfffd;
  *at += 6;
  return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

static char *utf8_write(char *to, int c)
{
  const int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  static const int leads[] = {0, 0xc0, 0xe0, 0xf0};
  *to++ = (char)(leads[more] | c >> 6 * more);
  for (int i = more - 1; i >= 0; i--)
    *to++ = (char)(0x80 | (c >> 6 * i & 0x3f));
  return to;
}

char *json_decode(struct json_span string)
{
  static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  const char *at = string.begin + 1, *end = string.end - 1;
  char *text = memory_create((size_t)(end - at) + 4, 1), *to = text; // never longer than written
  while (at < end) {
    const char *letter = *at == '\\' ? memchr(letters, at[1], sizeof letters - 1) : NULL;
    if (*at != '\\') {
      *to++ = *at++;
    } else if (at[1] == 'u') {
      to = utf8_write(to, escape_read(&at, end));
    } else {
      *to++ = letter ? meanings[letter - letters] : at[1];
      at += 2;
    }
  }
  *to = 0;
  return text;
}
