#include "yaml_tree.h"

#include "name_table.h"
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 32 // levels of maps and lists; scenarios use at most eight

struct reader {
  struct fy_parser *parser;
  struct location at; // file and override of every node
  struct diagnostics *diagnostics;
};

static struct location token_location(const struct reader *r, struct fy_token *token)
{
  struct location at = r->at;
  const struct fy_mark *mark = token ? fy_token_start_mark(token) : NULL;
  if (mark) {
    at.line = mark->line + 1;
    at.column = mark->column + 1;
  }
  return at;
}

static char *token_text(const struct reader *r, struct fy_token *token)
{
  size_t length = 0;
  const char *text = token ? fy_token_get_text(token, &length) : NULL;
  if (text && memchr(text, 0, length))
    diagnostics_error(r->diagnostics, token_location(r, token),
                      "a text with the character NUL, which would end it");
  return text_copy(text ? text : "", text ? strnlen(text, length) : 0);
}

static struct node *node_read(struct reader *r, struct fy_event *e, int depth);

static struct node *scalar_read(struct reader *r, struct fy_token *token)
{
  struct node *n = node_create(NODE_SCALAR, token_location(r, token));
  n->text = token_text(r, token);
  const enum fy_scalar_style style = token ? fy_token_scalar_style(token) : FYSS_PLAIN;
  n->quoted = style != FYSS_PLAIN;
  // The mark is behind the quote.
  n->at.column -= style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
  return n;
}

static struct node *list_read(struct reader *r, struct fy_token *token, int depth)
{
  struct node *list = node_create(NODE_LIST, token_location(r, token));
  struct fy_event *e;
  while ((e = fy_parser_parse(r->parser))) {
    const bool end = e->type == FYET_SEQUENCE_END;
    struct node *item = end ? NULL : node_read(r, e, depth);
    fy_parser_event_free(r->parser, e);
    if (end)
      return list;
    if (!item)
      break;
    node_append(list, item);
  }
  node_destroy(list);
  return NULL;
}

// lines: of the keys so far.
static bool key_is_new(const struct reader *r, struct name_table *lines, const struct node *key)
{
  const int32_t before = name_table_add(lines, key->text, key->at.line);
  if (before == NAME_UNKNOWN)
    return true;
  if (key->at.override)
    diagnostics_error(r->diagnostics, key->at, "%s: given twice", key->text);
  else
    diagnostics_error(r->diagnostics, key->at, "%s: given twice, first in line %d", key->text,
                      before);
  return false;
}

// Reads one "key: value". False at the end of the map or of the text.
static bool pair_read(struct reader *r, struct node *map, struct name_table *lines,
                      struct fy_event *e, int depth)
{
  struct node *key = node_read(r, e, depth);
  if (!key)
    return false;
  struct fy_event *next = fy_parser_parse(r->parser);
  struct node *value = next ? node_read(r, next, depth) : NULL;
  fy_parser_event_free(r->parser, next);
  if (value && key->kind == NODE_SCALAR && !key_is_new(r, lines, key)) {
    node_destroy(value);
    node_destroy(key);
    return true;
  }
  if (value && key->kind == NODE_SCALAR) {
    value->key = key->text;
    value->key_at = key->at;
    key->text = NULL;
    if (value->at.line == 0 && !value->at.override)
      value->at = value->key_at;
    node_append(map, value);
    node_destroy(key);
    return true;
  }
  if (value)
    diagnostics_error(r->diagnostics, key->at, "a key must be a word, not a list or a section");
  node_destroy(value);
  node_destroy(key);
  return false;
}

static struct node *map_read(struct reader *r, struct fy_token *token, int depth)
{
  struct node *map = node_create(NODE_MAP, token_location(r, token));
  struct name_table lines = {0};
  struct fy_event *e;
  bool end = false, more = true;
  while (!end && more && (e = fy_parser_parse(r->parser))) {
    end = e->type == FYET_MAPPING_END;
    more = !end && pair_read(r, map, &lines, e, depth);
    fy_parser_event_free(r->parser, e);
  }
  name_table_destroy(&lines);
  if (end)
    return map;
  node_destroy(map);
  return NULL;
}

static struct node *node_read(struct reader *r, struct fy_event *e, int depth)
{
  switch (e->type) {
  case FYET_SCALAR:
    return scalar_read(r, e->scalar.value);
  case FYET_SEQUENCE_START:
  case FYET_MAPPING_START: {
    const bool map = e->type == FYET_MAPPING_START;
    struct fy_token *token =
        map ? e->mapping_start.mapping_start : e->sequence_start.sequence_start;
    if (depth >= DEPTH_MAX) {
      diagnostics_error(r->diagnostics, token_location(r, token), "nested more than %d levels deep",
                        DEPTH_MAX);
      return NULL;
    }
    return map ? map_read(r, token, depth + 1) : list_read(r, token, depth + 1);
  }
  case FYET_ALIAS: {
    struct location at = token_location(r, e->alias.anchor);
    at.column--; // the mark is behind the star
    diagnostics_error(r->diagnostics, at, "aliases (*name) are not supported");
    return NULL;
  }
  default:
    return NULL;
  }
}

static struct node *stream_read(struct reader *r)
{
  struct node *root = NULL;
  struct fy_event *e;
  while ((e = fy_parser_parse(r->parser))) {
    const bool starts = e->type == FYET_SCALAR || e->type == FYET_SEQUENCE_START ||
                        e->type == FYET_MAPPING_START || e->type == FYET_ALIAS;
    bool more = true;
    if (starts && root) {
      diagnostics_error(r->diagnostics, (struct location){r->at.file, r->at.override, 0, 0},
                        "one YAML document is expected, not several");
      more = false; // the first document is still checked
    } else if (starts) {
      root = node_read(r, e, 0);
      more = root != NULL;
    }
    fy_parser_event_free(r->parser, e);
    if (!more)
      break;
  }
  return root;
}

// Reports the first error of libfyaml: the others follow from it.
static void report_yaml_error(struct reader *r, struct fy_diag *diag)
{
  void *previous = NULL;
  const struct fy_diag_error *error;
  while ((error = fy_diag_errors_iterate(diag, &previous)))
    if (error->type == FYET_ERROR) {
      struct location at = r->at;
      at.line = error->line > 0 ? error->line : 1;
      at.column = error->column > 0 ? error->column : 1;
      diagnostics_error(r->diagnostics, at, "not YAML: %s", error->msg);
      return;
    }
  struct location at = r->at;
  at.line = at.column = 1;
  diagnostics_error(r->diagnostics, at, "not YAML");
}

struct node *yaml_tree_parse(const char *text, size_t length, const char *name,
                             const char *override, struct diagnostics *p)
{
  struct fy_diag_cfg quiet;
  fy_diag_cfg_default(&quiet);
  quiet.fp = NULL;
  struct fy_diag *diag = fy_diag_create(&quiet);
  fy_diag_set_collect_errors(diag, true);
  const struct fy_parse_cfg how = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                            FYPCF_ALLOW_DUPLICATE_KEYS | FYPCF_JSON_NONE,
                                   .diag = diag};
  struct reader r = {fy_parser_create(&how), {name, override, 0, 0}, p};
  const int before = p->count;
  struct node *root = NULL;
  if (r.parser && fy_parser_set_string(r.parser, text, length) == 0)
    root = stream_read(&r);
  const bool broken = fy_diag_got_error(diag);
  if (broken && p->count == before)
    report_yaml_error(&r, diag);
  if (broken) {
    node_destroy(root);
    root = NULL;
  }
  if (r.parser)
    fy_parser_destroy(r.parser);
  fy_diag_destroy(diag);
  if (p->count > before && !root)
    return NULL;
  if (!root || (!override && node_is_empty(root))) {
    node_destroy(root);
    root = node_create(override ? NODE_SCALAR : NODE_MAP, (struct location){name, override, 1, 1});
    root->text = override ? text_copy("", 0) : NULL;
  }
  return root;
}

// ------------------------------------------------------------------------------- overrides

static struct node *list_item(struct node *list, const char *word, size_t length)
{
  char *end;
  const long index = strtol(word, &end, 10);
  struct node *item = list->first;
  if (end == word + length && *word >= '0' && *word <= '9') {
    for (long i = 0; item && i < index; i++)
      item = item->next;
    return item;
  }
  for (; item; item = item->next) {
    const struct node *name = node_item(item, "name");
    if (name && name->kind == NODE_SCALAR && strlen(name->text) == length &&
        memcmp(name->text, word, length) == 0)
      return item;
  }
  return NULL;
}

static struct node *map_item(struct node *map, const char *word, size_t length,
                             const struct location at)
{
  for (struct node *item = map->first; item; item = item->next)
    if (strlen(item->key) == length && memcmp(item->key, word, length) == 0)
      return item;
  struct node *item = node_create(NODE_SCALAR, at);
  item->text = text_copy("", 0);
  item->key = text_copy(word, length);
  item->key_at = at;
  node_append(map, item);
  return item;
}

// The node at key.path; missing items of maps are created. NULL and an error if a list lacks the
// item or the path runs through a scalar.
static struct node *path_find(struct node *n, const char *path, const char *end,
                              const struct location at, struct diagnostics *p)
{
  for (const char *word = path; word <= end;) {
    const char *dot = memchr(word, '.', (size_t)(end - word));
    const size_t length = (size_t)((dot ? dot : end) - word);
    if (n->kind == NODE_SCALAR && node_is_empty(n)) {
      n->kind = NODE_MAP; // a section that was missing
      n->at = at;
    }
    struct node *item = NULL;
    if (length > 0 && n->kind == NODE_LIST)
      item = list_item(n, word, length);
    else if (length > 0 && n->kind == NODE_MAP)
      item = map_item(n, word, length, at);
    if (!item) {
      if (n->kind == NODE_LIST && length > 0)
        diagnostics_error(p, at, "there is no item %.*s in a list of %lld", (int)length, word,
                          (long long)n->count);
      else
        diagnostics_error(p, at, "there is nothing called %.*s", (int)(end - path), path);
      return NULL;
    }
    n = item;
    word += length + 1;
  }
  return n;
}

static void node_replace(struct node *n, struct node *with)
{
  for (struct node *item = n->first, *next; item; item = next) {
    next = item->next;
    node_destroy(item);
  }
  memory_destroy(n->text);
  n->kind = with->kind;
  n->at = with->at;
  n->text = with->text;
  n->quoted = with->quoted;
  n->first = with->first;
  n->last = with->last;
  n->count = with->count;
  memory_destroy(with->key);
  memory_destroy(with);
}

bool yaml_tree_override(struct node *root, const char *override, struct diagnostics *p)
{
  const struct location at = {"", override, 1, 1};
  const char *equals = strchr(override, '=');
  if (!equals || equals == override) {
    diagnostics_error(p, at, "key.path=value is expected");
    return false;
  }
  if (!diagnostics_check_utf8(p, override, strlen(override), at))
    return false;
  struct node *value = yaml_tree_parse(equals + 1, strlen(equals + 1), "", override, p);
  if (!value)
    return false;
  struct node *n = path_find(root, override, equals, at, p);
  if (n)
    node_replace(n, value);
  else
    node_destroy(value);
  return n != NULL;
}

bool yaml_tree_lacks_entry(struct node *root, const char *override)
{
  const size_t length = strcspn(override, "=");
  struct node *n = root;
  for (size_t begin = 0, end; n && begin < length; begin = end + 1) {
    end = begin + strcspn(override + begin, ".=");
    struct node *item = NULL;
    if (n->kind == NODE_LIST && !(item = list_item(n, override + begin, end - begin)))
      return true;
    for (item = item ? item : n->first; n->kind == NODE_MAP && item; item = item->next)
      if (strlen(item->key) == end - begin && memcmp(item->key, override + begin, end - begin) == 0)
        break;
    n = n->kind == NODE_SCALAR ? NULL : item;
  }
  return false;
}
