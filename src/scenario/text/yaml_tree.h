// A YAML text as a tree of nodes, each with its location.
#pragma once
#include "yaml_node.h"

// Parses YAML; free the tree with node_destroy. The tree keeps name (the file as the user named it)
// and override (the --set that the text comes from, or NULL). Text that is not YAML gives NULL and
// an error. Other errors, such as a repeated key (the first one counts), leave a tree, in which
// more errors can be found. An empty text is an empty map.
struct node *yaml_tree_parse(const char *text, size_t length, const char *name,
                             const char *override, struct diagnostics *p);

// Applies "key.path=value", where the value is YAML, and keeps the pointer. False and an error if
// the form is wrong or a list lacks the item.
bool yaml_tree_override(struct node *root, const char *override, struct diagnostics *p);
// Whether the path of "key.path=value" names an entry that a list of the tree lacks.
bool yaml_tree_lacks_entry(struct node *root, const char *override);
