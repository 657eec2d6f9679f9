// The table of agents.
#include "check.h"
#include "files.h"

static const char yaml[] = "world: {extent: [0, 0, 30, 30]}\n"
                           "destinations: [{name: out, areas: [{border: 2}]}]\n"
                           "agents: agents.csv\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  check_scenario_with(yaml, "agents.csv", data, size);
  return 0;
}
