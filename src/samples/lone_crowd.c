#include "lone_crowd.h"

#include "deadlock.h"
#include "device_crowd.h"
#include "navigation.h"

#define SEED 1

void lone_crowd_begin(struct lone_crowd *c)
{
  static const struct measure no_lines;
  const struct device_crowd *d = c->backend->device_crowd;
  if (!d)
    return;
  d->upload_world(d->device, &c->world, &c->walking, &no_lines);
  d->upload_agents(d->device, &c->agents);
}

struct next_velocity_input lone_crowd_input(struct lone_crowd *c)
{
  return (struct next_velocity_input){.world = &c->world,
                                      .avoidance = &c->avoidance,
                                      .neighbours = &c->neighbours,
                                      .wall_lists = &c->wall_lists,
                                      .dt = c->dt,
                                      .seed = SEED,
                                      .step = c->step,
                                      .walking = c->walking};
}

// The time since *last, and from now on.
static void charge(struct lone_crowd *c, enum lone_crowd_phase phase, double *last)
{
  const double now = clock_seconds();
  c->seconds[phase] += now - *last;
  *last = now;
}

// The next call that waits for the device is charged for work that earlier calls only started:
// avoidance includes some of navigation and index.
static void step_on_device(struct lone_crowd *c)
{
  const struct device_crowd *d = c->backend->device_crowd;
  const struct device_crowd_navigation navigation = {c->dt, SEED, c->step, DEADLOCK_NEVER};
  const struct device_crowd_move move = {c->dt, c->step, NULL};
  const struct next_velocity_input in = lone_crowd_input(c);
  const float radius_max = c->radius_max / frame_quantum(&c->world.frame);
  struct device_crowd_moved moved;
  double last = clock_seconds();
  d->set_preferred(d->device, &navigation);
  charge(c, CROWD_NAVIGATION, &last);
  d->build_index(d->device, &in, radius_max, c->has_groups);
  charge(c, CROWD_INDEX, &last);
  if (c->has_groups)
    d->apply_groups(d->device);
  d->next_velocities(d->device, &in, &c->counts);
  charge(c, CROWD_AVOIDANCE, &last);
  d->move(d->device, &move, &moved);
  charge(c, CROWD_MOVE, &last);
}

static void step_on_host(struct lone_crowd *c)
{
  const struct headway_options *headway = c->walking.headway;
  double last = clock_seconds();
  neighbours_sort(&c->neighbours, &c->agents, NULL);
  neighbours_build(&c->neighbours, &c->world.frame, &c->agents);
  charge(c, CROWD_INDEX, &last);
  const struct navigation_input navigation = {c->dt,
                                              SEED,
                                              c->step,
                                              headway_options_spread(headway),
                                              headway->queue,
                                              headway->look_period,
                                              headway_options_all_look(headway, c->step),
                                              DEADLOCK_NEVER,
                                              &c->kept_corners,
                                              c->backend->lanes};
  if (c->world.navigation == NAVIGATION_field)
    kept_corners_reserve(&c->kept_corners, c->agents.count);
  navigation_preferred_velocities(&c->world, &navigation, &c->agents);
  if (c->has_groups)
    groups_apply(&c->groups, &c->world.frame, &c->agents);
  charge(c, CROWD_NAVIGATION, &last);
  const struct next_velocity_input in = lone_crowd_input(c);
  c->backend->next_velocities(&in, &c->agents, &c->counts);
  charge(c, CROWD_AVOIDANCE, &last);
  agents_move(&c->agents, &c->world.frame, c->world.bounds, c->dt);
  charge(c, CROWD_MOVE, &last);
}

void lone_crowd_step(struct lone_crowd *c)
{
  if (c->backend->device_crowd)
    step_on_device(c);
  else
    step_on_host(c);
  c->step++;
}

void lone_crowd_download(struct lone_crowd *c)
{
  const struct device_crowd *d = c->backend->device_crowd;
  if (d)
    d->download_agents(d->device, &c->agents);
}

void lone_crowd_destroy(struct lone_crowd *c)
{
  agents_destroy(&c->agents);
  world_destroy(&c->world);
  groups_destroy(&c->groups);
  neighbours_destroy(&c->neighbours);
  kept_corners_destroy(&c->kept_corners);
  wall_lists_destroy(&c->wall_lists);
}
