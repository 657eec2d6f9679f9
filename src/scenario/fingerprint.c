#include "fingerprint.h"

#include "config.h"
#include "geometry.h"
#include "hash.h"
#include "layers.h"
#include "regular_file.h"
#include "scenario_text.h"
#include "shape.h"
#include "yaml_tree.h"
#include <stdlib.h>
#include <string.h>

struct lines {
  int64_t count, capacity;
  char **list; // memory_destroy each
};

static void line_add(struct lines *l, const char *key, const char *value)
{
  l->list = memory_reserve(l->list, l->count, &l->capacity, sizeof *l->list);
  struct text t = {0};
  text_add(&t, "%s: %s", key, value);
  for (char *c = t.bytes; *c; c++)
    *c = *c == '\n' || *c == '\r' ? ' ' : *c;
  l->list[l->count++] = t.bytes;
}

// --------------------------------------------------------------------------------- options

static bool starts_with(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

static bool affects_results(const char *key)
{
  return strcmp(key, "name") != 0 && strcmp(key, "time.end") != 0 && option_reaches_agents(key);
}

// Equal numbers give equal lines: 0.10 and 1e-1.
static void scalar_add(struct lines *l, const char *key, const struct node *n)
{
  char number[32];
  double value;
  const bool is_number = !n->quoted && number_parse(n->text, &value);
  if (is_number)
    snprintf(number, sizeof number, "%.17g", value);
  if (affects_results(key))
    line_add(l, key, is_number ? number : n->text);
}

static void node_add(struct lines *l, const char *key, const struct node *n)
{
  if (n->kind == NODE_SCALAR) {
    scalar_add(l, key, n);
    return;
  }
  int64_t number = 0;
  for (const struct node *item = n->first; item; item = item->next) {
    struct text below = {0};
    if (n->kind == NODE_LIST)
      text_add(&below, "%s[%lld]", key, (long long)number++);
    else
      text_add(&below, "%s%s%s", key, *key ? "." : "", item->key);
    node_add(l, below.bytes, item);
    memory_destroy(below.bytes);
  }
}

// ----------------------------------------------------------------------------------- files

static void hash_add(struct lines *l, const char *key, uint64_t hash)
{
  char value[17];
  snprintf(value, sizeof value, "%016llx", (unsigned long long)hash);
  line_add(l, key, value);
}

static void file_add(struct lines *l, const struct config *c, const char *key, const char *name)
{
  if (!name)
    return;
  char *path = path_resolve(c->path, name), block[65536], what[80];
  uint64_t hash = HASH_START;
  FILE *file = regular_file_read(path); // it was readable a moment ago
  for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
    hash = hash_bytes(hash, block, got);
  if (file)
    fclose(file);
  snprintf(what, sizeof what, "contents of the file that is %s", key);
  hash_add(l, what, hash);
  memory_destroy(path);
}

// A replay may measure other things.
static void places_add(struct lines *l, const struct place_file *file)
{
  struct text key = {0};
  text_add(&key, "%scontents of the places in %s", file->measured ? "measure.areas or lines: " : "",
           file->name);
  hash_add(l, key.bytes, hash_bytes(HASH_START, file->text, file->length));
  memory_destroy(key.bytes);
}

// Versions of GEOS may compute different walls from the same file.
static void walls_add(struct lines *l, const struct scenario *s)
{
  const struct outlines *o = &s->walls;
  const size_t points = o->count ? (size_t)o->start[o->count] : 0;
  hash_add(l, "walls as made from them",
           hash_bytes(HASH_START, o->points, points * sizeof *o->points));
}

static int line_order(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

char *scenario_fingerprint(const struct scenario *s)
{
  const struct config *c = s->config;
  struct lines l = {0};
  struct text all = {0};
  node_add(&l, "", c->yaml_root);
  file_add(&l, c, "world.geometry", c->world.geometry);
  file_add(&l, c, "navigation.graph", c->navigation.graph);
  file_add(&l, c, "agents", c->agents);
  file_add(&l, c, "trips", c->od_matrix);
  file_add(&l, c, "avoidance.plugin", c->avoidance.plugin.file);
  for (int i = 0; i < c->place_file_count; i++)
    if (!c->place_files[i].map)
      places_add(&l, &c->place_files[i]);
  walls_add(&l, s);
  qsort(l.list, (size_t)l.count, sizeof *l.list, line_order);
  for (int64_t i = 0; i < l.count; i++) {
    text_add_bytes(&all, l.list[i], strlen(l.list[i]));
    text_add_bytes(&all, "\n", 1);
    memory_destroy(l.list[i]);
  }
  memory_destroy(l.list);
  return all.bytes;
}

// --------------------------------------------------------------------------------- comparing

struct line { // of a fingerprint; length 0: the end
  const char *text;
  int length, key_length; // bytes
};

static struct line line_at(const char *text)
{
  const char *colon = strstr(text, ": ");
  const int length = (int)strcspn(text, "\n");
  return (struct line){text, length, colon && colon < text + length ? (int)(colon - text) : length};
}

static int key_order(struct line a, struct line b)
{
  if (a.length == 0 || b.length == 0)
    return (a.length == 0) - (b.length == 0); // the end sorts last
  const int shorter = a.key_length < b.key_length ? a.key_length : b.key_length,
            order = memcmp(a.text, b.text, (size_t)shorter);
  return order ? order : (a.key_length > b.key_length) - (a.key_length < b.key_length);
}

// The value behind the key, up to 60 bytes.
static struct line line_value(struct line l)
{
  const int from = l.key_length + 2 < l.length ? l.key_length + 2 : l.length,
            rest = l.length - from;
  return (struct line){l.text + from, rest < 60 ? rest : 60, 0};
}

static void difference_format(struct line stored, struct line current, char *out, size_t size)
{
  const int order = key_order(stored, current);
  const struct line first = order <= 0 ? stored : current, was = line_value(stored),
                    is = line_value(current);
  if (order)
    snprintf(out, size, "%.*s: %.*s %s, not given %s", first.key_length, first.text,
             line_value(first).length, line_value(first).text,
             order < 0 ? "in the checkpoint" : "here", order < 0 ? "here" : "in the checkpoint");
  else
    snprintf(out, size, "%.*s: %.*s in the checkpoint, %.*s here", first.key_length, first.text,
             was.length, was.text, is.length, is.text);
}

static struct line line_next(struct line l)
{
  const char *end = l.text + l.length;
  return line_at(end + (*end == '\n'));
}

// The line, or the first one behind it that counts.
static struct line line_counting(struct line l, bool unmeasured)
{
  while (unmeasured && l.length &&
         (starts_with(l.text, "measure.") || starts_with(l.text, "alarms.")))
    l = line_next(l);
  return l;
}

uint64_t fingerprint_hash(const char *fingerprint)
{
  uint64_t hash = HASH_START;
  for (struct line l = line_counting(line_at(fingerprint), true); l.length;
       l = line_counting(line_next(l), true))
    hash = hash_bytes(hash, l.text, (size_t)l.length + 1); // with the newline
  return hash;
}

bool fingerprint_differs(const char *stored, const char *current, bool unmeasured, char *difference,
                         size_t size)
{
  struct line a = line_counting(line_at(stored), unmeasured),
              b = line_counting(line_at(current), unmeasured);
  while (a.length && a.length == b.length && memcmp(a.text, b.text, (size_t)a.length) == 0) {
    a = line_counting(line_next(a), unmeasured);
    b = line_counting(line_next(b), unmeasured);
  }
  if (a.length == 0 && b.length == 0)
    return false;
  difference_format(a, b, difference, size);
  return true;
}
