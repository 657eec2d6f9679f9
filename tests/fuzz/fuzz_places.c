// A layer of places in GeoJSON, from which a scenario takes its lists, and single features.
#include "check.h"
#include "files.h"

#define HEAD(more) "world: {extent: [0, 0, 30, 30], places: map, units: auto, " more "}\n"
#define PEOPLE     "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 4, goal: "

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  check_scenario_with(HEAD("repair: true") PEOPLE
                      "[28, 28]}]\n"
                      "destinations: map\nzones: [{features: {kind: zone}, speed: 0.5}]\n"
                      "doors: [{features: {kind: door}}]\n"
                      "measure: {lines: map, areas: [{name: all, features: {}}]}\n",
                      "map", data, size);
  check_scenario_with(HEAD("centre: [8, 50]") PEOPLE
                      "{feature: a}}]\n"
                      "destinations: [{name: b, areas: [{feature: b}], queue: {line: {feature: "
                      "c}}}]\n",
                      "map", data, size);
  return 0;
}
