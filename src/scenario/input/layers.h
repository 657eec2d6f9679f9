// Files of places, and entries that stand for their features: `features: exits.geojson` becomes the
// entries that somebody could have written instead, {name: gate A, areas: [{feature: ...}]}.
#pragma once
#include "config.h"

struct option;

struct place_file { // of world.places, or of another option that names it
  char *name;       // as the scenario does
  char *path;
  char *text; // [length]
  size_t length;
  struct location at; // where it is named
  bool measured;      // only options of `measure` name it
  bool map;           // world.geometry, for its features with a role
};

// Reads the files that world.places and other options of c->yaml_root name into c->place_files.
// False and errors if one cannot be read.
bool places_read(struct config *c, struct diagnostics *p);
void places_destroy(struct config *c);

// Whether a list of the scenario has an entry with `features`.
bool layers_used(const struct config *c);
// Replaces these entries in c->yaml_root; errors go to p.
void layers_expand(struct config *c, struct diagnostics *p);

// The next option that is a list whose entries may have `features`, behind *i (begin with -1).
// NULL: there is none.
const struct option *layered_next(int *i);
bool node_is_file_name(const struct node *n); // a text; NULL is none
