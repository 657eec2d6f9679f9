// The demand of a scenario: which agents start or enter where and when, and where they go. Every
// agent is a pure function of (seed, id) and of its start, so any rank can create any of them.
#pragma once
#include "demand_input.h"
#include "itinerary.h"

// Plain data about the agents of a source that enter during the run. src/traffic/inflow_spawner.c
// keeps count and finds room for them.
struct inflow {
  double begin, end;       // s: agents enter within these times only
  double headway;          // s between agents, on average; 0: by the timetable
  bool random;             // exponential headways (a Poisson process), else constant ones
  int64_t most;            // number of agents in all
  int timetable_count;     // of pairs
  const double *timetable; // [2 * timetable_count] time in s, number of agents, ...
  int source;              // index in the config
  int32_t radius;          // quanta, of the widest agent
};

// NULL and errors if the demand cannot be met. Config and world must outlive it.
struct demand *demand_create(const struct demand_input *in, struct diagnostics *p);
void demand_destroy(struct demand *d);

// Agents at the start: those of the table by id, then source by source.
int64_t demand_count(const struct demand *d);
void demand_agents(const struct demand *d, int64_t first, int64_t end, struct agents *a); // appends

// Inflows, whose agents get the ids from demand_next_id on.
int demand_inflow_count(const struct demand *d);
const struct inflow *demand_inflow(const struct demand *d, int number);
double inflow_due(const struct inflow *inflow, double time); // agents who are to enter before it
int64_t demand_next_id(const struct demand *d);
// Candidate `try` for a point where an agent of the inflow may enter in that step. False: it lies
// outside the area, too close to a wall, or without a route. Other agents are not considered.
bool demand_entry_point(const struct demand *d, int inflow, int64_t step, int64_t try,
                        struct point *at);
void demand_append_arrival(const struct demand *d, int inflow, int64_t id, struct point at,
                           int64_t step, struct agents *a);

// An agent that a caller of the library adds. Indices of the config, -1: none.
struct added_agent {
  double x, y;           // m, input coordinates
  float radius, speed;   // m, m/s; -1: by its profile
  int32_t source;        // it is one of its agents: profile, destination and so on
  int32_t profile;       // without a source; none: the first profile
  int32_t destination;   // without a source
  int32_t journey;       // without a source
  bool has_goal;         // without all of these: walks straight to the goal, or stays
  double goal_x, goal_y; // m
};
// Why it cannot be added: "is inside a wall". NULL: it can.
const char *demand_added_problem(const struct demand *d, const struct added_agent *in);
void demand_append_added(const struct demand *d, const struct added_agent *in, int64_t id,
                         int64_t step, struct agents *a);

// Quanta: within this distance of the goal of most agents all of them have room to stand.
int32_t demand_meeting_reach(const struct demand *d);

const struct itinerary *demand_itinerary(const struct demand *d);
// Sends agent i to a stop.
void demand_set_destination(const struct demand *d, int32_t stop, struct agents *a, int64_t i);
// How long and where the agent that arrives at the stop in that step stays, and how long it is
// served at the head of the queue.
int32_t demand_stay_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step);
struct point demand_stay_position(const struct demand *d, int32_t stop, int64_t id, int64_t step);
int32_t demand_service_steps(const struct demand *d, int32_t stop, int64_t id, int64_t step);

// Upper bounds over all profiles and rows of the table: m, m/s.
void demand_maxima(const struct demand *d, double *radius, double *speed);

// The other end of an agent's way to and fro: its start, or its first goal if `goal` is its start.
struct point demand_turn_back_goal(const struct demand *d, int64_t id, struct point goal);

// Frees the starts of the agents, which demand_agents and demand_turn_back_goal need.
void demand_forget_places(struct demand *d);
size_t demand_bytes(const struct demand *d);             // memory per rank
void demand_describe(const struct demand *d, FILE *out); // for `throng check`

// Outlines of destination `number`; creates out in any case. False and an error if it is invalid.
bool destination_outlines(const struct demand_input *in, int number, struct outlines *out,
                          struct diagnostics *p);
