// A map alone, without a scenario: what `throng check MAP` prints and draws.
#pragma once
#include "diagnostics.h"
#include <stdio.h>

struct map;

// Whether the file is a map and no scenario: *.geojson and *.wkt, and *.json if it holds GeoJSON.
bool map_recognise(const char *path);

// Reads the map as world.geometry with overrides[count], "key.path=value". NULL and errors if it
// cannot be read. Invalid polygons are errors, too, but the map is made with repaired ones.
struct map *map_create(const char *path, const char *const *overrides, int count,
                       struct diagnostics *p);
void map_destroy(struct map *m);

void map_describe(const struct map *m, FILE *out);
// Writes the map as GeoJSON in metres, for tools/plot_map.py. False: out of disk space.
bool map_write(const struct map *m, FILE *out);
