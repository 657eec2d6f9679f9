// The file that keeps a roadmap, behind a header that matches: damage is found by the checksum, so
// this is a file that was written wrongly.
#include "check.h"
#include "files.h"
#include "roadmap_cache.h"
#include "scenario.h"
#include "shape.h"
#include <stdlib.h>
#include <string.h>

#define HEADER      32 // bytes; the last 8 are the checksum
#define FNV_1A      0xcbf29ce484222325u
#define FNV_1A_STEP 0x100000001b3u

static const char yaml[] =
    "world: {extent: [0, 0, 30, 30], obstacles: ['POLYGON ((12 12, 18 12, 18 18, 12 18, 12 "
    "12))']}\n"
    "navigation: {model: roadmap}\n"
    "destinations: [{name: out, areas: [{rectangle: [26, 26, 29, 29]}]}]\n"
    "sources: [{area: {rectangle: [1, 1, 4, 4]}, count: 4, destination: out}]\n";

static struct scenario *scenario; // the roadmap of which every input claims to be
static char header[HEADER];

static void header_read(void)
{
  struct diagnostics p = {0};
  scenario = scenario_create(files_write_text("x.yaml", yaml), NULL, 0, NULL, &p);
  diagnostics_destroy(&p);
  char *folder = text_copy(files_path("x.yaml"), strlen(files_path("x.yaml")));
  *strrchr(folder, '/') = 0;
  char *path = roadmap_file_path(folder, scenario ? scenario->roadmap.hash : 0);
  FILE *file = scenario && scenario_cache_roadmap(scenario, folder) ? fopen(path, "rb") : NULL;
  if (!file || fread(header, HEADER, 1, file) != 1)
    abort();
  fclose(file);
  memory_destroy(path);
  memory_destroy(folder);
}

static const char *file_write(const uint8_t *data, size_t size)
{
  uint64_t checksum = FNV_1A;
  for (size_t i = 0; i < size; i++)
    checksum = (checksum ^ data[i]) * FNV_1A_STEP;
  char *bytes = memory_create(HEADER + size, 1);
  memcpy(bytes, header, HEADER - 8);
  memcpy(bytes + HEADER - 8, &checksum, 8);
  memcpy(bytes + HEADER, data, size);
  const char *path = files_write("roadmap.bin", bytes, HEADER + size);
  memory_destroy(bytes);
  return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (!scenario)
    header_read();
  struct diagnostics p = {0};
  struct outlines inflated = {0};
  struct roadmap_file f;
  struct roadmap r = {.node_count = scenario->world.roadmap.node_count,
                      .nodes = scenario->world.roadmap.nodes,
                      .destination_count = scenario->world.roadmap.destination_count,
                      .destinations = scenario->world.roadmap.destinations};
  if (!roadmap_file_open(&f, file_write(data, size), scenario->roadmap.hash, &p))
    abort(); // the header matches
  if (roadmap_file_inflated(&f, &inflated))
    roadmap_file_links(&f, &r);
  roadmap_file_close(&f);
  outlines_destroy(&inflated);
  memory_destroy(r.first);
  memory_destroy(r.to);
  memory_destroy(r.length);
  memory_destroy(r.last_edges);
  diagnostics_destroy(&p);
  return 0;
}
