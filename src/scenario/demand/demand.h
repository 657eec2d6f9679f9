// Which people stand where and want to go where: the agents of the CSV, then source by source.
// Everybody is a pure function of (seed, id), except for the place, which is kept.
#pragma once
#include "geometry.h"
#include "inlet.h"
#include "itinerary.h"
#include "placement.h"
#include "roster.h"

struct demand_input {
  const struct config *config;
  struct geometry *geometry;
  const struct world *world;
  const struct rectangle *extent;
  struct roster *roster; // taken
  bool changing;         // doors or exits open and close: who cannot get through now waits
};

// NULL when there are problems. The config and the world must outlive it.
struct demand *demand_create(const struct demand_input *in, struct problems *p);
void demand_destroy(struct demand *d);

int64_t demand_count(const struct demand *d);
void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a);

// Who comes in the course of time: the inlets, whose people have the ids from demand_next_id on.
int demand_inlet_count(const struct demand *d);
const struct inlet *demand_inlet(const struct demand *d, int number);
int64_t demand_next_id(const struct demand *d);
// Place number `try` of those that newcomers of the inlet look at in that step; false: it is
// outside of the area, in a wall or cut off. Whether somebody stands there is not asked.
bool demand_entry(const struct demand *d, int inlet, int64_t step, int64_t try, struct point *at);
void demand_newcomer(const struct demand *d, int inlet, int64_t id, struct point at, int64_t step,
                     struct agents *a);

const struct itinerary *demand_itinerary(const struct demand *d);
// Puts agent i on its way to a place.
void demand_send(const struct demand *d, int32_t place, struct agents *a, int64_t i);
// How many steps that agent stays at the place that it reached in that step, where in it, and how
// many steps it is served.
int32_t demand_stay(const struct demand *d, int32_t place, int64_t id, int64_t step);
struct point demand_spot(const struct demand *d, int32_t place, int64_t id, int64_t step);
int32_t demand_service(const struct demand *d, int32_t place, int64_t id, int64_t step);

// No profile nor agent of the CSV is ever wider (m) or faster (m/s).
void demand_extremes(const struct demand *d, double *radius, double *speed);

// The other end of somebody's way: where they started, or, when that is their goal, their first
// one.
struct point demand_turn_back(const struct demand *d, int64_t id, struct point goal);

size_t demand_bytes(const struct demand *d);             // kept on every rank
void demand_describe(const struct demand *d, FILE *out); // who goes from where to where

// The outlines of a destination. False when there are problems.
bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct problems *p);
double profiles_largest_radius(const struct config *c); // m
