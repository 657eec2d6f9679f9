#include "yaml_node.h"

#include <string.h>

struct node *node_create(enum node_kind kind, struct location at)
{
  struct node *n = memory_create(1, sizeof *n);
  n->kind = kind;
  n->at = at;
  return n;
}

void node_destroy(struct node *n)
{
  if (!n)
    return;
  for (struct node *item = n->first, *next; item; item = next) {
    next = item->next;
    node_destroy(item);
  }
  memory_destroy(n->text);
  memory_destroy(n->key);
  memory_destroy(n);
}

void node_append(struct node *parent, struct node *item)
{
  if (parent->last)
    parent->last->next = item;
  else
    parent->first = item;
  parent->last = item;
  parent->count++;
}

struct node *node_item(const struct node *map, const char *key)
{
  if (!map || map->kind != NODE_MAP)
    return NULL;
  for (struct node *item = map->first; item; item = item->next)
    if (strcmp(item->key, key) == 0)
      return item;
  return NULL;
}

struct node *node_at_path(const struct node *n, const char *path)
{
  char key[40];
  struct node *item = NULL;
  for (const char *word = path; word; word = strchr(word, '.') ? strchr(word, '.') + 1 : NULL) {
    snprintf(key, sizeof key, "%.*s", (int)strcspn(word, "."), word);
    item = node_item(n, key);
    if (!item)
      return NULL;
    item->used = true;
    n = item;
  }
  return item;
}

bool node_is_empty(const struct node *n)
{
  return n->kind == NODE_SCALAR && !n->quoted &&
         (!*n->text || strcmp(n->text, "null") == 0 || strcmp(n->text, "~") == 0);
}

struct node *node_clone(const struct node *n)
{
  struct node *copy = node_create(n->kind, n->at);
  copy->text = n->text ? text_copy(n->text, strlen(n->text)) : NULL;
  copy->quoted = n->quoted;
  copy->key = n->key ? text_copy(n->key, strlen(n->key)) : NULL;
  copy->key_at = n->key_at;
  for (const struct node *item = n->first; item; item = item->next)
    node_append(copy, node_clone(item));
  return copy;
}

struct node *node_create_text(const char *text, struct location at)
{
  struct node *n = node_create(NODE_SCALAR, at);
  n->text = text_copy(text, strlen(text));
  return n;
}

struct node *node_set(struct node *map, const char *key, struct node *value)
{
  memory_destroy(value->key);
  value->key = text_copy(key, strlen(key));
  value->key_at = value->at;
  node_append(map, value);
  return value;
}

struct node *node_take_first(struct node *parent)
{
  struct node *first = parent->first;
  if (!first)
    return NULL;
  parent->first = first->next;
  parent->last = parent->first ? parent->last : NULL;
  parent->count--;
  first->next = NULL;
  return first;
}

const struct node *node_single_pair(const struct node *n)
{
  return n->kind == NODE_MAP && n->count == 1 ? n->first : NULL;
}
