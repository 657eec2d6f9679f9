// A YAML text as a tree of nodes, each with its location.
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

// Parses YAML; free the tree with node_destroy. The tree keeps name (the file as the user named it)
// and override (the --set that the text comes from, or NULL). Text that is not YAML gives NULL and
// an error. Other errors, such as a repeated key (the first one counts), leave a tree, in which
// more errors can be found. An empty text is an empty map.
struct node *yaml_tree_parse(const char *text, size_t length, const char *name,
                             const char *override, struct diagnostics *p);
void node_destroy(struct node *n);

// Applies "key.path=value", where the value is YAML, and keeps the pointer. False and an error if
// the form is wrong or a list lacks the item.
bool yaml_tree_override(struct node *root, const char *override, struct diagnostics *p);

struct node *node_item(const struct node *map, const char *key); // NULL: there is none
// The node at a dotted path ("avoidance.horizon") or NULL. Marks every node on the path as used.
struct node *node_at_path(const struct node *n, const char *path);
bool node_is_empty(const struct node *n); // nothing, null or ~ after the colon
