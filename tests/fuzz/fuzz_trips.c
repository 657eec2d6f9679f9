// The table of trips (OD matrix), up to the flows: how many agents they make is no concern here.
#include "check.h"
#include "config_read.h"
#include "files.h"
#include "od_matrix.h"
#include <string.h>

static const char yaml[] =
    "world: {extent: [0, 0, 30, 30]}\ntime: {end: 60}\n"
    "destinations: [{name: out, areas: [{border: 2}]}, {name: hall, areas: [{circle: [9, 9, "
    "2]}]}]\n"
    "sources: [{name: bus, area: {rectangle: [3, 3, 6, 6]}}, {name: train, area: {rectangle: [12, "
    "12, 15, 15]}}]\n"
    "trips: trips.csv\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diagnostics p = {0};
  struct config c = {0};
  struct od_matrix m = {0};
  files_write("trips.csv", data, size);
  const struct config_source source = {files_path("x.yaml"), yaml, strlen(yaml), NULL, 0};
  const bool good = config_read(&c, &source, &p) && od_matrix_read(&m, &c, &p);
  check_diagnostics(&p, good);
  od_matrix_destroy(&m);
  config_destroy(&c);
  diagnostics_destroy(&p);
  return 0;
}
