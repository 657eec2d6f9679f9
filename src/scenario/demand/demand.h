// Which people stand where and want to go where: the agents of the CSV, then source by source.
// Everybody is a pure function of (seed, id), except for the place, which is kept.
#pragma once
#include "agent_table.h"
#include "geometry.h"
#include "inflow.h"
#include "itinerary.h"
#include "placement.h"

struct demand_input {
  const struct config *config;
  struct geometry *geometry;
  const struct world *world;
  const struct rectangle *extent;
  struct agent_table *agent_table; // taken
  bool routes_change; // doors or exits open and close: who cannot get through now waits
};

// NULL when there are problems. The config and the world must outlive it.
struct demand *demand_create(const struct demand_input *in, struct diagnostics *p);
void demand_destroy(struct demand *d);

int64_t demand_count(const struct demand *d);
void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a);

// Who comes in the course of time: the inlets, whose people have the ids from demand_next_id on.
int demand_inflow_count(const struct demand *d);
const struct inflow *demand_inflow(const struct demand *d, int number);
int64_t demand_next_id(const struct demand *d);
// Place number `try` of those that newcomers of the inlet look at in that step; false: it is
// outside of the area, in a wall or cut off. Whether somebody stands there is not asked.
bool demand_entry_point(const struct demand *d, int inflow, int64_t step, int64_t try,
                        struct point *at);
void demand_append_arrival(const struct demand *d, int inflow, int64_t id, struct point at,
                           int64_t step, struct agents *a);

const struct itinerary *demand_itinerary(const struct demand *d);
// Puts agent i on its way to a place.
void demand_set_destination(const struct demand *d, int32_t stop, struct agents *a, int64_t i);
// How many steps that agent stays at the place that it reached in that step, where in it, and how
// many steps it is served.
int32_t demand_stay_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step);
struct point demand_stay_position(const struct demand *d, int32_t stop, int64_t id, int64_t step);
int32_t demand_service_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step);

// No profile nor agent of the CSV is ever wider (m) or faster (m/s).
void demand_maxima(const struct demand *d, double *radius, double *speed);

// The other end of somebody's way: where they started, or, when that is their goal, their first
// one.
struct point demand_turn_back_goal(const struct demand *d, int64_t id, struct point goal);

size_t demand_bytes(const struct demand *d);             // kept on every rank
void demand_describe(const struct demand *d, FILE *out); // who goes from where to where

// The outlines of a destination. False when there are problems.
bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct diagnostics *p);
double profiles_largest_radius(const struct config *c); // m
