#include "build_roadmap.h"

#include "demand.h"
#include "inflate.h"
#include "roadmap_cache.h"
#include "shape.h"
#include "street_graph.h"

struct roadmap_builder {
  const struct roadmap_input *in;
  struct world *world;
  struct outlines *inflated;
  struct outlines *areas; // [count] of the destinations
  int count;
  struct roadmap_build_info *info;
  struct diagnostics *diagnostics;
};

static void targets_add(struct roadmap_builder *m)
{
  const struct config *c = m->in->demand->config;
  for (int i = 0; i < m->count; i++)
    if (!roadmap_add_destination(&m->world->roadmap, &m->areas[i], m->world->bounds))
      diagnostics_error(
          m->diagnostics, origin_location(c, &c->destinations.records[i].from, NULL),
          "destinations[%d]: unreachable destination: everywhere around \"%s\", walls are closer "
          "than the clearance of %.4g m",
          i, c->destinations.records[i].name,
          m->in->clearance * (double)frame_quantum(&m->world->frame));
}

static void builder_begin(struct roadmap_builder *m)
{
  roadmap_create(&m->world->roadmap, &m->world->obstacles, m->inflated,
                 m->world->obstacles.outside_solid, m->world->bounds, m->in->clearance);
  targets_add(m);
}

static bool build_from_cache(struct roadmap_builder *m)
{
  struct roadmap_file f;
  char *path = roadmap_file_path(m->in->folder, m->info->hash);
  bool good = false;
  if (roadmap_file_open(&f, path, m->info->hash, m->diagnostics)) {
    good = roadmap_file_inflated(&f, m->inflated);
    if (good) {
      builder_begin(m);
      good = m->diagnostics->count == 0 && roadmap_file_links(&f, &m->world->roadmap);
    }
    if (!good) {
      roadmap_destroy(&m->world->roadmap);
      outlines_destroy(m->inflated);
    }
    roadmap_file_close(&f);
  }
  memory_destroy(path);
  return good;
}

static void build_from_walls(struct roadmap_builder *m)
{
  char error[240];
  const struct config *c = m->in->demand->config;
  if (inflate_walls(m->in->walls, m->world->obstacles.outside_solid, m->in->clearance, m->inflated,
                    error, sizeof error)) {
    builder_begin(m);
    if (m->diagnostics->count == 0)
      roadmap_build_edges(&m->world->roadmap);
  } else {
    diagnostics_error(m->diagnostics, origin_location(c, &c->from, "navigation.clearance"),
                      "navigation.clearance: the walls cannot be inflated: %s", error);
  }
}

static void build_from_graph(struct roadmap_builder *m)
{
  struct street_graph graph;
  outlines_create(m->inflated);
  if (street_graph_read(&graph, m->in->demand, m->diagnostics)) {
    roadmap_create_given(&m->world->roadmap, &m->world->obstacles, m->in->clearance,
                         &(struct roadmap_graph){graph.count, graph.nodes, graph.first, graph.to});
    targets_add(m);
    if (m->diagnostics->count == 0)
      roadmap_build_edges(&m->world->roadmap);
  } else {
    memory_destroy(graph.nodes);
    memory_destroy(graph.first);
    memory_destroy(graph.to);
  }
}

static void builder_build(struct roadmap_builder *m)
{
  const bool given = m->in->demand->config->navigation.graph != NULL;
  m->info->hash = given ? 0
                        : roadmap_hash(m->in->walls, m->world->obstacles.outside_solid,
                                       m->world->bounds, m->in->clearance, m->areas, m->count);
  if (given)
    build_from_graph(m);
  else if (!(m->info->cached = build_from_cache(m)))
    build_from_walls(m);
  if (m->diagnostics->count == 0)
    roadmap_build_trees(&m->world->roadmap);
}

void build_roadmap(struct world *world, const struct roadmap_input *in, struct outlines *inflated,
                   struct roadmap_build_info *info, struct diagnostics *p)
{
  const double start = clock_seconds();
  const int before = p->count, count = in->demand->config->destinations.count;
  struct roadmap_builder m = {in,    world, inflated, memory_create((size_t)count, sizeof *m.areas),
                              count, info,  p};
  for (int i = 0; i < count; i++)
    destination_outlines(in->demand, i, &m.areas[i], p);
  if (p->count == before)
    builder_build(&m);
  for (int i = 0; i < count; i++)
    outlines_destroy(&m.areas[i]);
  memory_destroy(m.areas);
  info->seconds = clock_seconds() - start;
}
