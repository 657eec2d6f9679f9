// Which people stand where and want to go where: the agents of the CSV, then source by source.
// Everybody is a pure function of (seed, id), except for the place, which is kept.
#pragma once
#include "geometry.h"
#include "placement.h"
#include "roster.h"

struct demand_input {
  const struct config *config;
  struct geometry *geometry;
  const struct world *world;
  const struct rectangle *extent;
  struct roster *roster; // taken
};

// NULL when there are problems. The config and the world must outlive it.
struct demand *demand_create(const struct demand_input *in, struct problems *p);
void demand_destroy(struct demand *d);

int64_t demand_count(const struct demand *d);
void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a);

// The other end of somebody's way: where they started, or, when that is their goal, their first
// one.
struct point demand_turn_back(const struct demand *d, int64_t id, struct point goal);

size_t demand_bytes(const struct demand *d);             // kept on every rank
void demand_describe(const struct demand *d, FILE *out); // who goes from where to where

// The outlines of a destination. False when there are problems.
bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct problems *p);
double profiles_largest_radius(const struct config *c); // m
