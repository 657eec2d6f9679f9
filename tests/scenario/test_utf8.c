// Inputs that are not UTF-8 are refused before a parser sees them.
#include "support.h"

#include "oracle.h"
#include "utf8.h"

// Bytes of the first character by the grammar of RFC 3629, section 4; 0: none.
static size_t character_length(const unsigned char *c, size_t left)
{
  if (c[0] < 0x80)
    return 1;
  const bool two = left > 1 && c[1] >= 0x80 && c[1] <= 0xbf;
  const bool three = two && left > 2 && c[2] >= 0x80 && c[2] <= 0xbf;
  const bool four = three && left > 3 && c[3] >= 0x80 && c[3] <= 0xbf;
  if (c[0] >= 0xc2 && c[0] <= 0xdf)
    return two ? 2 : 0;
  if (c[0] >= 0xe0 && c[0] <= 0xef)
    return three && !(c[0] == 0xe0 && c[1] < 0xa0) && !(c[0] == 0xed && c[1] > 0x9f) ? 3 : 0;
  if (c[0] >= 0xf0 && c[0] <= 0xf4)
    return four && !(c[0] == 0xf0 && c[1] < 0x90) && !(c[0] == 0xf4 && c[1] > 0x8f) ? 4 : 0;
  return 0;
}

static size_t valid_length(const char *text, size_t length)
{
  size_t at = 0, next = 0;
  while (at < length &&
         (next = character_length((const unsigned char *)text + at, length - at)) > 0)
    at += next;
  return at;
}

// Of bytes at the limits of the grammar, so that most texts are valid for a while.
Test(utf8, the_valid_part_is_that_of_the_rfc)
{
  static const unsigned char bytes[] = {0x00, 'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
                                        0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xed,
                                        0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xf8, 0xff};
  uint64_t r = 1;
  size_t longest = 0;
  for (int k = 0; k < 300000; k++) {
    char text[12];
    const size_t length = (size_t)oracle_between(&r, 0, 12);
    for (size_t i = 0; i < length; i++)
      text[i] = (char)bytes[(size_t)oracle_between(&r, 0, sizeof bytes)];
    const size_t valid = utf8_valid_length(text, length);
    cr_assert_eq(valid, valid_length(text, length));
    longest = valid > longest ? valid : longest;
  }
  cr_assert(longest >= 6);
}

Test(utf8, a_long_text_is_checked_to_its_end)
{
  const size_t length = 100000;
  char *text = memory_create(length, 1);
  memset(text, 'a', length);
  cr_assert_eq(utf8_valid_length(text, length), length);
  text[length - 1] = '\xe9';
  cr_assert_eq(utf8_valid_length(text, length), length - 1);
  memory_destroy(text);
}

Test(utf8, what_is_shown_has_no_control_characters)
{
  struct text shown = {0};
  utf8_add_printable(&shown, "caf\u00e9 \x1b[31m\t\x7f \xc2\x9b"
                             "31m \xe9 \xed\xa0\x80 \U0001f6b6");
  cr_assert_str_eq(shown.bytes, "caf\u00e9 \\x1b[31m\\x09\\x7f \\xc2\\x9b31m \\xe9 \\xed\\xa0\\x80 "
                                "\U0001f6b6");
  memory_destroy(shown.bytes);
}

#define LATIN                                                                                      \
  "byte 0xE9 is not UTF-8; convert the text, for example with iconv -f latin1 -t utf-8\n"

Test(utf8, every_input_is_refused_at_the_byte)
{
  support_expect_refused("%caf\xe9\n", NULL, "x.yaml:1:5: " LATIN); // libfyaml never ends on it
  support_expect_refused("seed: 1\n# \u00e9\u00e9 caf\xe9\n", NULL, "x.yaml:2:9: " LATIN);
  support_expect_refused("\xff\xfes\n", NULL,
                         "x.yaml:1:1: byte 0xFF is not UTF-8; convert the text, for example with "
                         "iconv -f utf-16 -t utf-8\n");
  support_expect_refused("seed: 1\n", "name=%a\xe9", "--set name=%a\\xe9: " LATIN);
  support_write("walls.wkt", "POLYGON ((0 0, 1 0, 1 1, 0 0))\xe9");
  support_expect_refused("world: {geometry: walls.wkt}\n", NULL, "walls.wkt:1:31: " LATIN);
  support_write("walls.geojson",
                "{\"type\": \"FeatureCollection\", \"features\": [], \"a\": \"\xe9\"}");
  support_expect_refused("world: {geometry: walls.geojson}\n", NULL, "walls.geojson:1:53: " LATIN);
  support_write("people.csv", "x,y\n1,2\n3,\xe9\n");
  support_expect_refused("world: {extent: [0, 0, 9, 9]}\nagents: people.csv\n", NULL,
                         "people.csv:3:3: " LATIN);
}
