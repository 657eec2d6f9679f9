// The nodes of a YAML tree.
#pragma once
#include "diagnostics.h"

enum node_kind { NODE_SCALAR, NODE_MAP, NODE_LIST };

struct node {
  enum node_kind kind;
  struct location at;
  char *text;  // of a scalar
  bool quoted; // a scalar in quotes is text, never empty, true or a number
  char *key;   // of an item of a map, else NULL
  struct location key_at;
  bool used;                        // an option was read from it; unused items are unknown options
  struct node *first, *last, *next; // items, and the next item of the parent
  int64_t count;                    // of items
};

struct node *node_item(const struct node *map, const char *key); // NULL: there is none
// The node at a dotted path ("avoidance.horizon") or NULL. Marks every node on the path as used.
struct node *node_at_path(const struct node *n, const char *path);
bool node_is_empty(const struct node *n);                  // nothing, null or ~ after the colon
const struct node *node_single_pair(const struct node *n); // the pair of {word: value}, or NULL

// Building a tree. A node without a parent is freed with node_destroy.
struct node *node_create(enum node_kind kind, struct location at);
struct node *node_create_text(const char *text, struct location at); // a scalar without quotes
void node_append(struct node *parent, struct node *item);
// Appends the pair to the map and returns the value.
struct node *node_set(struct node *map, const char *key, struct node *value);
struct node *node_take_first(struct node *parent); // removes the first item; NULL: there is none
struct node *node_clone(const struct node *n);     // with all items
void node_destroy(struct node *n);
