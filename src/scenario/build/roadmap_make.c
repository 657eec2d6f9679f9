#include "roadmap_make.h"

#include "roadmap_cache.h"
#include "shape.h"
#include "street_graph.h"

struct maker {
  const struct roadmap_input *in;
  struct world *world;
  struct outlines *grown, *areas; // areas: [count] of the destinations
  int count;
  struct roadmap_made *made;
  struct problems *problems;
};

static void targets_add(struct maker *m)
{
  const struct config *c = m->in->demand->config;
  for (int i = 0; i < m->count; i++)
    if (!roadmap_add_target(&m->world->roadmap, &m->areas[i], m->world->bounds))
      problem_add(m->problems, origin_place(c, &c->destinations.records[i].from, NULL),
                  "destinations[%d]: unreachable destination: all round \"%s\" is nearer to walls "
                  "than the clearance of %.4g m",
                  i, c->destinations.records[i].name,
                  m->in->clearance * (double)frame_quantum(&m->world->frame));
}

static void begin(struct maker *m)
{
  roadmap_create(&m->world->roadmap, &m->world->obstacles, m->grown,
                 m->world->obstacles.outside_solid, m->world->bounds, m->in->clearance);
  targets_add(m);
}

static bool from_cache(struct maker *m)
{
  struct roadmap_file f;
  char *path = roadmap_file_path(m->in->folder, m->made->hash);
  bool good = false;
  if (roadmap_file_open(&f, path, m->made->hash, m->problems)) {
    good = roadmap_file_grown(&f, m->grown);
    if (good) {
      begin(m);
      good = m->problems->count == 0 && roadmap_file_links(&f, &m->world->roadmap);
    }
    if (!good) {
      roadmap_destroy(&m->world->roadmap);
      outlines_destroy(m->grown);
    }
    roadmap_file_close(&f);
  }
  memory_destroy(path);
  return good;
}

static void from_walls(struct maker *m)
{
  char error[240];
  const struct config *c = m->in->demand->config;
  if (walls_grow(m->in->walls, m->world->obstacles.outside_solid, m->in->clearance, m->grown, error,
                 sizeof error)) {
    begin(m);
    if (m->problems->count == 0)
      roadmap_link(&m->world->roadmap);
  } else {
    problem_add(m->problems, origin_place(c, &c->from, "navigation.clearance"),
                "navigation.clearance: the walls cannot be grown: %s", error);
  }
}

static void from_graph(struct maker *m)
{
  struct street_graph graph;
  outlines_create(m->grown);
  if (street_graph_read(&graph, m->in->demand, m->problems)) {
    roadmap_create_given(&m->world->roadmap, &m->world->obstacles, m->in->clearance, graph.count,
                         graph.nodes, graph.first, graph.to);
    targets_add(m);
    if (m->problems->count == 0)
      roadmap_link(&m->world->roadmap);
  } else {
    memory_destroy(graph.nodes);
    memory_destroy(graph.first);
    memory_destroy(graph.to);
  }
}

static void make(struct maker *m)
{
  const bool given = m->in->demand->config->navigation.graph != NULL;
  m->made->hash = given ? 0
                        : roadmap_hash(m->in->walls, m->world->obstacles.outside_solid,
                                       m->world->bounds, m->in->clearance, m->areas, m->count);
  if (given)
    from_graph(m);
  else if (!(m->made->cached = from_cache(m)))
    from_walls(m);
  if (m->problems->count == 0)
    roadmap_solve(&m->world->roadmap);
}

void roadmap_make(struct world *world, const struct roadmap_input *in, struct outlines *grown,
                  struct roadmap_made *made, struct problems *p)
{
  const double start = clock_seconds();
  const int before = p->count, count = in->demand->config->destinations.count;
  struct maker m = {in,    world, grown, memory_create((size_t)count, sizeof *m.areas),
                    count, made,  p};
  for (int i = 0; i < count; i++)
    destination_outlines(in->demand, i, &m.areas[i], p);
  if (p->count == before)
    make(&m);
  for (int i = 0; i < count; i++)
    outlines_destroy(&m.areas[i]);
  memory_destroy(m.areas);
  made->seconds = clock_seconds() - start;
}
