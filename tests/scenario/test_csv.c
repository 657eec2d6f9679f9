// Tables as spreadsheets and other programs write them.
#include "support.h"

#include "csv.h"
#include "oracle.h"

// "line:column[cell]" of each cell, rows end with /.
static void expect_cells(const char *text, const char *cells)
{
  struct diagnostics p = {0};
  struct text found = {0};
  struct csv c;
  csv_open(&c, text, "a.csv", &p);
  while (csv_next_row(&c)) {
    for (const char *cell; (cell = csv_next_cell(&c));)
      text_add(&found, "%d:%d[%s]", c.at.line, c.at.column, cell);
    text_add(&found, "/");
  }
  cr_expect_str_eq(found.bytes ? found.bytes : "", cells);
  cr_expect(p.count == 0, "%s", p.text);
  csv_close(&c);
  memory_destroy(found.bytes);
  diagnostics_destroy(&p);
}

static void expect_failure(const char *text, int rows, const char *message)
{
  struct diagnostics p = {0};
  struct csv c;
  int good = 0;
  csv_open(&c, text, "a.csv", &p);
  while (csv_next_row(&c)) {
    while (csv_next_cell(&c))
      ;
    good += !c.failed;
  }
  cr_expect_eq(good, rows);
  cr_expect_str_eq(p.text ? p.text : "", message);
  csv_close(&c);
  diagnostics_destroy(&p);
}

Test(csv, cells_and_their_places)
{
  expect_cells("", "");
  expect_cells(" \n\r\n", "");
  expect_cells("a,b\n1,2", "1:1[a]1:3[b]/2:1[1]2:3[2]/");
  expect_cells("a, b ,\t\r\n\n  \n ,2,,\n", "1:1[a]1:4[b]1:8[]/4:2[]4:3[2]4:5[]4:6[]/");
  expect_cells("\u00e9\u00e9,b\n", "1:1[\u00e9\u00e9]1:4[b]/");
  expect_cells("a b,c\"d\n", "1:1[a b]1:5[c\"d]/");
}

Test(csv, quotes_hold_anything)
{
  expect_cells("\"a\",\"\"\n", "1:1[a]1:5[]/");
  expect_cells("\"a \"\"b\"\"\",1", "1:1[a \"b\"]1:11[1]/");
  expect_cells("\"\"\"\"\n", "1:1[\"]/");
  expect_cells("\"a,b;c\",1\r\n", "1:1[a,b;c]1:9[1]/");
  expect_cells(" \" a\nb\r\n\" , 1\n2,3\n", "1:2[ a\nb\r\n]3:5[1]/4:1[2]4:3[3]/");
}

Test(csv, semicolons_if_the_first_row_has_them)
{
  expect_cells("a;b,c\n1,5;\"2;3\"\n", "1:1[a]1:3[b,c]/2:1[1,5]2:5[2;3]/");
  expect_cells("\n\"a,b\";c\n1,5;2\n", "2:1[a,b]2:7[c]/3:1[1,5]3:5[2]/");
  expect_cells("a,b;c\n1;2,3\n", "1:1[a]1:3[b;c]/2:1[1;2]2:5[3]/");
}

Test(csv, a_decimal_comma_if_semicolons_separate)
{
  static const struct {
    const char *header, *number;
    double value; // NAN: none
  } cases[] = {{"a;b", "1,5", 1.5},     {"a;b", "-2,5e3", -2500},
               {"a;b", "1.5", 1.5},     {"a;b", "12", 12},
               {"a;b", "1.234,5", NAN}, {"a;b", "1,2,3", NAN},
               {"a;b", ",", NAN},       {"a;b", "", NAN},
               {"a,b", "1,5", NAN},     {"a;b", "1,2345678", 1.2345678}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    struct csv c;
    double value;
    csv_open(&c, cases[k].header, "a.csv", NULL);
    const bool is_number = csv_number(&c, cases[k].number, &value);
    cr_expect_eq(is_number, !isnan(cases[k].value), "%s", cases[k].number);
    if (is_number)
      cr_expect_eq(value, cases[k].value, "%s", cases[k].number);
    csv_close(&c);
  }
}

Test(csv, bad_quotes_are_reported_where_they_are)
{
  expect_failure("a,b\n1,\"2\n3,4\n", 1, "a.csv:2:3: this quote is not closed\n");
  expect_failure("\"", 0, "a.csv:1:1: this quote is not closed\n");
  expect_failure("\"\"\"", 0, "a.csv:1:1: this quote is not closed\n");
  expect_failure(
      "a,b\n1,\"2\"x\n\"3\" \"4\",5\n6,7\n", 2,
      "a.csv:2:6: the cell goes on after its closing quote; a quote inside is doubled\n"
      "a.csv:3:5: the cell goes on after its closing quote; a quote inside is doubled\n");
}

// Writes random cells, all quoted, and reads them.
Test(csv, what_is_quoted_comes_back)
{
  static const char bytes[] = "ab,;\"\n\r\t 1.";
  uint64_t r = 1;
  for (int k = 0; k < 20000; k++) {
    char cells[6][8] = {""};
    struct text text = {0};
    const int count = (int)oracle_between(&r, 1, 7);
    for (int i = 0; i < count; i++) {
      text_add(&text, "%s\"", i ? "," : "");
      const int length = (int)oracle_between(&r, 0, 8);
      for (int j = 0; j < length; j++) {
        cells[i][j] = bytes[(size_t)oracle_between(&r, 0, sizeof bytes - 1)];
        text_add(&text, cells[i][j] == '"' ? "\"\"" : "%c", cells[i][j]);
      }
      text_add(&text, "\"");
    }
    struct csv c;
    csv_open(&c, text.bytes, "a.csv", NULL);
    cr_assert(csv_next_row(&c));
    for (int i = 0; i < count; i++)
      cr_assert_str_eq(csv_next_cell(&c), cells[i], "%s", text.bytes);
    cr_assert(!csv_next_cell(&c) && !c.failed && !csv_next_row(&c));
    csv_close(&c);
    memory_destroy(text.bytes);
  }
}
