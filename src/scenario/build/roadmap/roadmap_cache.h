// The file that lets later runs with the same walls skip building their roadmap. It is not trusted:
// a damaged file, or one of another version or other walls, is ignored with a warning.
#pragma once
#include "diagnostics.h"
#include "roadmap.h"

// FNV-1a (64 bits) of all inputs of a roadmap, including the version of GEOS.
uint64_t roadmap_hash(const struct outlines *walls, bool outside_solid, struct box bounds,
                      int32_t clearance, const struct outlines *areas, int area_count);

struct roadmap_file {
  char *bytes; // [length], checksum verified
  size_t length, at;
};

char *roadmap_file_path(const char *folder, uint64_t hash); // free with memory_destroy

// False if there is no such file, or with a warning if it is unusable.
bool roadmap_file_open(struct roadmap_file *f, const char *path, uint64_t hash,
                       struct diagnostics *p);
void roadmap_file_close(struct roadmap_file *f);
// In this order: the inflated walls, which it creates, then edges and trees of a roadmap that has
// its nodes and destinations already. False: the contents are inconsistent.
bool roadmap_file_inflated(struct roadmap_file *f, struct outlines *inflated);
bool roadmap_file_links(struct roadmap_file *f, struct roadmap *r);

// Writes to a temporary file, then renames it. False if that fails.
bool roadmap_file_write(const char *path, uint64_t hash, const struct outlines *inflated,
                        const struct roadmap *r);
