#include "property_table.h"

#include "utf8.h"
#include <stdlib.h>
#include <string.h>

#define KEYS_MAX   64 // further ones are not counted
#define VALUES_MAX 64 // of a key
#define KEYS_SHOWN 10 // so that all fits a screen
#define WORD_SHOWN 40 // bytes
#define COLUMNS    100

struct tally {
  char *word;
  int64_t count;
};

struct property {
  struct tally key;
  int value_count; // different ones, VALUES_MAX at most
  bool more;       // there are others
  struct tally values[VALUES_MAX];
};

struct property_table {
  int count;
  bool more;
  struct property *of; // [KEYS_MAX]
};

static void value_add(struct property *p, char *value)
{
  for (int i = 0; i < p->value_count; i++)
    if (strcmp(p->values[i].word, value) == 0) {
      p->values[i].count++;
      memory_destroy(value);
      return;
    }
  if (p->value_count < VALUES_MAX) {
    p->values[p->value_count++] = (struct tally){value, 1};
    return;
  }
  p->more = true;
  memory_destroy(value);
}

static void property_add(struct property_table *t, const char *key, char *value)
{
  int i = 0;
  while (i < t->count && strcmp(t->of[i].key.word, key) != 0)
    i++;
  if (i == KEYS_MAX) {
    t->more = true;
    memory_destroy(value);
    return;
  }
  if (i == t->count)
    t->of[t->count++].key.word = text_copy(key, strlen(key));
  t->of[i].key.count++;
  value_add(&t->of[i], value);
}

// Streets and names are many, and nothing refers to them.
static bool is_backdrop(struct json_span properties)
{
  char role[40];
  json_text(json_find(properties, "throng"), role, sizeof role);
  return strcmp(role, "street") == 0 || strcmp(role, "label") == 0;
}

static void feature_add(struct property_table *t, struct json_span properties)
{
  struct json j = {properties.begin, properties.begin, properties.end, NULL};
  struct json_span span;
  char key[64];
  if (!properties.begin || is_backdrop(properties) || !json_enter(&j, '{'))
    return;
  while (json_member(&j, key, sizeof key, &span)) {
    char *value = geojson_property(properties, key);
    if (value)
      property_add(t, key, value);
  }
}

// The commonest first; equal ones by word, so that the output is always the same.
static int tally_order(const void *a, const void *b)
{
  const struct tally *x = a, *y = b;
  return x->count != y->count ? (x->count < y->count) - (x->count > y->count)
                              : strcmp(x->word, y->word);
}

// Bytes of the word that are shown: whole characters.
static int word_length(const char *word)
{
  size_t length = strnlen(word, WORD_SHOWN);
  while (length && (word[length] & 0xc0) == 0x80)
    length--;
  return (int)length;
}

static void values_print(struct property *p, int indent, FILE *out)
{
  int column = indent + fprintf(out, "%*s%s: ", indent, "", printable(p->key.word).text) - indent;
  qsort(p->values, (size_t)p->value_count, sizeof *p->values, tally_order);
  for (int i = 0; i < p->value_count; i++) {
    char number[24] = "";
    const struct tally *v = &p->values[i];
    const struct printable word = printable(v->word);
    const int shown = word_length(word.text);
    if (v->count > 1)
      snprintf(number, sizeof number, " %lld", (long long)v->count);
    const int length = 2 + shown + (int)strlen(number);
    if (i && column + length > COLUMNS - 16) {
      fprintf(out, " and %d%s others", p->value_count - i, p->more ? " or more" : "");
      break;
    }
    column += length;
    fprintf(out, "%s%.*s%s", i ? ", " : "", shown, word.text, number);
  }
  fputc('\n', out);
}

void property_table_print(const char *text, size_t length, int indent, FILE *out)
{
  struct diagnostics quiet = {0};
  struct geojson json;
  struct geojson_feature f;
  struct property_table t = {.of = memory_create(KEYS_MAX, sizeof *t.of)};
  if (geojson_begin(&json, text, length, "", &quiet))
    while (geojson_next(&json, &f))
      feature_add(&t, f.properties);
  diagnostics_destroy(&quiet);
  qsort(t.of, (size_t)t.count, sizeof *t.of, tally_order); // a property begins with its key
  for (int i = 0; i < t.count && i < KEYS_SHOWN; i++)
    values_print(&t.of[i], indent, out);
  if (t.count > KEYS_SHOWN || t.more)
    fprintf(out, "%*sand %s%d other properties\n", indent, "", t.more ? "more than " : "",
            t.count - KEYS_SHOWN);
  for (int i = 0; i < t.count; i++) {
    memory_destroy(t.of[i].key.word);
    for (int k = 0; k < t.of[i].value_count; k++)
      memory_destroy(t.of[i].values[k].word);
  }
  memory_destroy(t.of);
}
