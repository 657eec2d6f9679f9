// Inputs that are not UTF-8 are refused before a parser sees them.
#include "support.h"

#include "oracle.h"
#include "utf8.h"
#include <iconv.h>

// By the C library, whose UTF-16 has the same characters as UTF-8 by RFC 3629.
static size_t valid_length(const char *text, size_t length)
{
  char out[64], *in = (char *)(uintptr_t)text, *next = out;
  size_t left = length, room = sizeof out;
  const iconv_t to_utf16 = iconv_open("UTF-16LE", "UTF-8");
  cr_assert(to_utf16 != (iconv_t)-1);
  iconv(to_utf16, &in, &left, &next, &room);
  iconv_close(to_utf16);
  return length - left;
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
  cr_assert_str_eq(printable("caf\u00e9 \x1b[31m\t\x7f \xc2\x9b"
                             "31m \xe9 \xed\xa0\x80 \U0001f6b6")
                       .text,
                   "caf\u00e9 \\x1b[31m\\x09\\x7f \\xc2\\x9b31m \\xe9 \\xed\\xa0\\x80 "
                   "\U0001f6b6");
}

Test(utf8, what_is_shown_is_cut_between_characters)
{
  char shown[10];
  cr_assert_eq(utf8_printable(shown, sizeof shown, "abcde\x1b\x1bz"), 14);
  cr_assert_str_eq(shown, "abcde\\x1b");
  cr_assert_eq(utf8_printable(shown, 4, "ab\u00e9z"), 5);
  cr_assert_str_eq(shown, "ab");
  cr_assert_eq(utf8_printable(NULL, 0, "\n"), 4);
}

Test(utf8, json_holds_any_text)
{
  char written[100] = "";
  FILE *out = fmemopen(written, sizeof written, "w");
  utf8_write_json("a \"b\" \\ \t\u00e9\xc2\x85\xe9", out);
  fclose(out);
  cr_assert_str_eq(written, "\"a \\\"b\\\" \\\\ \\u0009\u00e9\\u0085\\\\xe9\"", "%s", written);
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
