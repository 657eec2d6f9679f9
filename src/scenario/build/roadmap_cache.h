// The file that spares a second run of the same ground the making of its roadmap. Never trusted:
// what is damaged, of another version or of another ground is made anew.
#pragma once
#include "diagnostics.h"
#include "roadmap.h"

// Of everything that a roadmap follows from: FNV-1a of 64 bits.
uint64_t roadmap_hash(const struct outlines *walls, bool outside_solid, struct box bounds,
                      int32_t clearance, const struct outlines *areas, int area_count);

struct roadmap_file { // read, and its checksum right
  char *bytes;
  size_t length, at;
};

char *roadmap_file_path(const char *folder, uint64_t hash); // memory_destroy it

// False when there is none, or it is of no use: then a warning says so.
bool roadmap_file_open(struct roadmap_file *f, const char *path, uint64_t hash,
                       struct diagnostics *p);
void roadmap_file_close(struct roadmap_file *f);
bool roadmap_file_inflated(struct roadmap_file *f,
                           struct outlines *inflated);              // first; creates grown
bool roadmap_file_links(struct roadmap_file *f, struct roadmap *r); // then: edges and legs

// False when it could not be written.
bool roadmap_file_write(const char *path, uint64_t hash, const struct outlines *inflated,
                        const struct roadmap *r);
