// A map in WKT, as obstacles with the option world.repair and as walkable ground without.
#include "check.h"
#include "files.h"

#define MAP(more)                                                                                  \
  "world: {extent: [0, 0, 30, 30], geometry: map, units: metres, " more "}\n"                      \
  "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 4, goal: [28, 28]}]\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  check_scenario_with(MAP("repair: true"), "map", data, size);
  check_scenario_with(MAP("geometry_is: walkable"), "map", data, size);
  check_map(data, size);
  return 0;
}
