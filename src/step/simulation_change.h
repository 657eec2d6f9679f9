// What a caller does to the agents between the steps: adds, removes and sends them, writes to their
// columns. All ranks pass the same agents and ids, in the same order, so that the result does not
// depend on which rank owns whom.
#pragma once
#include "demand.h"
#include "simulation.h"

// Adds agents with the ids *first_id, *first_id + 1, ... False, without any change, if one cannot
// be added: `problem` then says which and why. Collective.
bool simulation_add(struct simulation *s, const struct added_agent *added, int64_t count,
                    int64_t *first_id, char *problem, size_t size);
// Removes those with the ids ids[count] that are in the world. Returns how many were. Collective.
int64_t simulation_remove(struct simulation *s, const int64_t *ids, int64_t count);

// Sends the agents with the ids ids[count] that are in the world: straight to goals[k], or along
// the routes to a destination. They leave journeys and queues. Of an id that is given twice, the
// last goal counts. Returns how many were. Collective.
int64_t simulation_send_to_points(struct simulation *s, const int64_t *ids,
                                  const struct point *goals, int64_t count);
int64_t simulation_send(struct simulation *s, const int64_t *ids, int64_t count,
                        int32_t destination);

// The columns of the agents are handed out: what is written from now on is looked at.
void simulation_hand_out(struct simulation *s);
// After the simulation itself has changed the agents: only later changes are the caller's.
void simulation_watch(struct simulation *s);
// What was written makes sense, and each agent is on the rank that owns its position. False:
// `problem` says what does not. Collective.
bool simulation_accept(struct simulation *s, char *problem, size_t size);
// Calls steering.preferred. Part of a step.
void simulation_steer(struct simulation *s);

// The k nearest agents to each of points[count], by (distance, id), within `range` m: ids[count *
// k] and distances[count * k], m; -1 and HUGE_VAL where there are fewer. k is at most
// NEIGHBOURS_MAX. The same on every rank. Collective.
void simulation_nearest(struct simulation *s, const struct point *points, int64_t count, int k,
                        double range, int64_t *ids, double *distances);
