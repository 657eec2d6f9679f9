// A street graph: navigation.graph.
#include "check.h"
#include "files.h"

static const char yaml[] =
    "world: {extent: [0, 0, 30, 30], obstacles: ['POLYGON ((12 12, 18 12, 18 18, 12 18, 12 "
    "12))']}\n"
    "navigation: {model: roadmap, graph: graph}\n"
    "destinations: [{name: out, areas: [{rectangle: [26, 26, 29, 29]}]}]\n"
    "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 4, destination: out}]\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  check_scenario_with(yaml, "graph", data, size);
  return 0;
}
