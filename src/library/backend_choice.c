#include "backend_choice.h"

#include "backend_gpu.h"
#include "demand.h"
#include "lone_crowd.h"
#include "message.h"
#include "pillars.h"
#include "standard_crowds.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct backend *find_backend(const char *name, char *problem, size_t size)
{
  const char *why;
  const struct backend *backend = backend_named(name, &why);
  if (!backend && strcmp(name, "cuda") == 0)
    snprintf(problem, size, "--backend cuda: %s", why);
  else if (!backend)
    snprintf(problem, size, "--backend %s: not one of %s that this machine can run", name,
             backend_names());
  return backend;
}

const struct backend *backend_choose(const struct comm *c, const char *name)
{
  char problem[300] = "";
  const struct backend *backend = find_backend(name, problem, sizeof problem);
  const int32_t reporter = comm_lowest_rank(c, !backend);
  if (reporter == c->rank)
    message_print("%s", problem);
  return reporter < c->size ? NULL : backend;
}

// ------------------------------------------------------------------------------------ identity

#define CHECK_AGENTS 1000
#define CHECK_STEPS  2

static void place_agents(struct lone_crowd *c, int32_t profile_count)
{
  struct agents *a = &c->agents;
  const struct avoidance *avoidance = &c->avoidance;
  agents_create(a, CHECK_AGENTS);
  standard_crowds_square(a, &c->world.frame,
                         &(struct square_crowd){1, CHECK_AGENTS, 1, 0, CHECK_AGENTS});
  standard_crowds_mix(a, 1);
  for (int64_t i = 0; i < a->count; i++) {
    agent_set_group(a, i, c->has_groups ? a->id[i] / 3 * 3 : -1);
    a->profile[i] = (int32_t)(i % profile_count);
    a->neighbours[i] = avoidance->neighbours;
    a->neighbour_distance[i] = avoidance->neighbour_distance;
  }
}

// CHECK_AGENTS agents among pillars, with the walking model of the scenario.
static void check_crowd_create(struct lone_crowd *c, const struct backend *backend,
                               const struct scenario *s)
{
  *c = (struct lone_crowd){.backend = backend,
                           .dt = (float)s->dt,
                           .avoidance = s->avoidance,
                           .walking = scenario_walking(s),
                           .radius_max = STANDARD_CROWDS_RADIUS_MAX,
                           .has_groups = s->has_groups};
  const double lo[2] = {-200, -200}, hi[2] = {200, 200};
  frame_fit(&c->world.frame, lo, hi);
  c->world.bounds = standard_crowds_square_bounds(&c->world.frame, CHECK_AGENTS, 1);
  c->world.facings = c->neighbours.facings = s->headway.on;
  pillars_create(&c->world);
  place_agents(c, s->headway.count);
}

static void check_crowd_move(void *crowd)
{
  struct lone_crowd *c = crowd;
  lone_crowd_begin(c);
  for (int step = 0; step < CHECK_STEPS; step++)
    lone_crowd_step(c);
  lone_crowd_download(c);
}

// Does work(data) end without an error of a GPU on every rank? If not, all leave their GPUs, and
// `why` says what the lowest rank with an error has met. Collective.
static bool gpus_work(const struct comm *c, void (*work)(void *data), void *data, char *why,
                      size_t size)
{
  char error[300] = "";
  const bool works = backend_gpu_try(work, data, error, sizeof error);
  const int32_t failed = comm_lowest_rank(c, !works);
  if (failed == c->size)
    return true;
  if (works)
    backend_gpu_leave(); // the run goes on without it
  comm_broadcast(c, error, sizeof error, failed);
  snprintf(why, size, "the GPU of rank %d fails: %s", failed, error);
  return false;
}

// The crowd has the same bits on both after CHECK_STEPS steps; if not, says why. Collective.
static void check_bits(const struct comm *c, const struct scenario *s, const struct backend *cpu,
                       const struct backend *gpu, char *why, size_t size)
{
  struct lone_crowd here, there;
  check_crowd_create(&here, cpu, s);
  check_crowd_create(&there, gpu, s);
  check_crowd_move(&here);
  if (gpus_work(c, check_crowd_move, &there, why, size) &&
      !comm_all(c, agents_checksum(&here.agents) == agents_checksum(&there.agents)))
    snprintf(why, size, "the results of the GPU differ from the CPU's (docs/gpu.md)");
  lone_crowd_destroy(&here);
  lone_crowd_destroy(&there);
}

// ------------------------------------------------------------------------------------- memory

// How many times the memory of the host a rank's share may need on a device.
#define GPU_MEMORY_FACTOR 2.0

struct room {     // on the device of this rank
  double share;   // of this rank, on the host, bytes
  int ranks_here; // on this machine; they use its devices in turn
  bool suffices;
};

static void measure_room(void *room)
{
  struct room *r = room;
  const struct gpu_memory memory = backend_gpu_memory();
  const int ranks = (r->ranks_here + memory.devices - 1) / memory.devices; // of this device
  r->suffices = ranks * (GPU_MEMORY_FACTOR * r->share + memory.fixed) < memory.free;
}

static void check_room(const struct comm *c, const struct scenario *s, char *why, size_t size)
{
  struct room room = {scenario_memory_bytes(s, c->size, 1), comm_node_size(c), false};
  if (gpus_work(c, measure_room, &room, why, size) && !comm_all(c, room.suffices))
    snprintf(why, size, "a GPU has too little free memory");
}

// --------------------------------------------------------------------------------------- auto

// Agents of a rank below which the CPU is expected to be faster: a step on a GPU takes at least a
// third of a millisecond for launches and waits, in which 16 cores move about so many. An estimate
// (docs/gpu.md).
#define GPU_AGENTS_MIN 50000

// Upper bound of the agents that are there at the same time.
static double crowd_size(const struct scenario *s)
{
  const struct demand *demand = scenario_demand(s);
  double all = (double)s->agent_count;
  for (int k = 0; k < demand_inflow_count(demand); k++) {
    const struct inflow *inflow = demand_inflow(demand, k);
    all += fmin((double)inflow->most, inflow_due(inflow, (double)s->steps * s->dt));
  }
  return all;
}

// Why the CPU is better; "": the GPU is. Collective.
static void reject_gpu(const struct comm *c, const struct scenario *s, const struct backend *cpu,
                       const struct backend *gpu, char *why, size_t size)
{
  const double crowd = crowd_size(s);
  const int32_t lacks = comm_lowest_rank(c, !gpu);
  why[0] = 0;
  if (lacks < c->size)
    snprintf(why, size, "rank %d has no GPU", lacks);
  else if (s->plugin)
    snprintf(why, size, "plug-ins run on a CPU");
  else if (crowd < (double)GPU_AGENTS_MIN * c->size)
    snprintf(why, size, "%.0f people on %d %s are too few for a GPU (--backend cuda takes it)",
             crowd, c->size, c->size == 1 ? "rank" : "ranks");
  else
    check_room(c, s, why, size);
  if (!why[0])
    check_bits(c, s, cpu, gpu, why, size);
}

const struct backend *backend_choose_gpu(const struct comm *c, const struct scenario *s,
                                         const struct backend *cpu, bool quiet)
{
  char why[400];
  const char *unavailable;
  const struct backend *gpu = backend_named("cuda", &unavailable);
  if (comm_all(c, !gpu))
    return cpu;
  reject_gpu(c, s, cpu, gpu, why, sizeof why);
  if (c->rank == 0 && !quiet && why[0])
    message_print("--backend auto: the CPU, because %s", why);
  else if (c->rank == 0 && !quiet)
    message_print("--backend auto: the GPU; it matches the CPU bit for bit on %d agents",
                  CHECK_AGENTS);
  return why[0] ? cpu : gpu;
}
