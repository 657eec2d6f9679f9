// A YAML text as a tree of nodes that know where they stand.
#pragma once
#include "diagnostics.h"

enum node_kind { NODE_SCALAR, NODE_MAP, NODE_LIST };

struct node {
  enum node_kind kind;
  struct location at;
  char *text;  // of a scalar
  bool quoted; // a scalar in quotes is text, never empty, true or a number
  char *key;   // its name in a map, else NULL
  struct location key_at;
  bool used;                        // somebody asked for it: the others are unknown
  struct node *first, *last, *next; // its items, and the next item of its parent
  int64_t count;                    // items
};

// text must stay; name is the file as the user named it, override the --set it came from. NULL
// and a problem when it is not YAML; with other problems (a key given twice: the first counts)
// there is still a tree, for finding more. An empty text is an empty map.
struct node *yaml_tree_parse(const char *text, size_t length, const char *name,
                             const char *override, struct diagnostics *p);
void node_destroy(struct node *n);

// "key.path=value" put into the tree; the value is YAML. It stays readable as long as the tree.
// False and a problem when the form is bad or a list has no such item.
bool yaml_tree_override(struct node *root, const char *override, struct diagnostics *p);

struct node *node_item(const struct node *map, const char *key); // NULL: not there
bool node_is_empty(const struct node *n);                        // nothing after the colon
