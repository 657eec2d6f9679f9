// A scenario: words in, plain data out. Reads the YAML file, the geometry and the agents, checks
// everything, and builds the world. Deterministic: every rank that loads it gets the same.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "build_navigation.h"
#include "density_speed.h"
#include "diagnostics.h"
#include "environment.h"
#include "events.h"
#include "measure.h"
#include "selection.h"
#include "world.h"
#include <stdio.h>

struct output_options {
  char *directory;                          // where a run writes; NULL: runs/<name>
  double snapshot_every;                    // s of simulated time; 0: only first and last
  double series_every;                      // s
  bool f64;                                 // positions as f64 (default f32)
  int32_t compression;                      // deflate level, 0..9
  struct selection selection;               // of what snapshots hold
  double checkpoint_every, checkpoint_wall; // s of simulated and of wall time; 0: none
};

enum balance_when { BALANCE_AUTO, BALANCE_NEVER, BALANCE_ALWAYS };

struct balance_options {
  enum balance_when when; // auto: when it pays; always: at every look
  int64_t every;          // steps between looks
  double threshold;       // auto: the slowest rank to the mean, beyond which the boxes may move
};

struct scenario {
  char *name;
  char *path; // as given
  char *text; // the YAML as read (after --set: with the overrides as comment lines)
  uint64_t seed;
  double dt;          // s, one step
  int64_t steps;      // at most so many
  bool leave_at_goal; // agents vanish on arrival (else they stay, or turn back)
  bool turn_back;     // on arrival they walk back to where they came from: scenario_turn_back
  float goal_radius;  // m: "at the goal" of agents that walk straight
  struct avoidance avoidance;
  struct density_speed density_speed; // speed from density, by profile
  bool has_groups;                    // somebody is in a group: groups.h
  bool overlap;                       // choose while the halo is under way
  bool re_route;                      // on a journey one then turns to another place of the leg
  int32_t deadlock_timeout; // steps blocked before a sidestep (deadlock.h), or DEADLOCK_NEVER
  struct output_options output;
  struct balance_options balance;
  struct measure measure; // what is counted where
  struct {
    double every, sample; // s; every 0: no density files
  } grid;
  struct {
    double density, every, jam; // persons/m^2, s, s; 0: not told of
  } alarms;
  char **source_names, **profile_names; // [source_count], [profile_count]
  int source_count, profile_count;
  struct world world;
  struct environment environment; // what of the world changes
  struct events events;           // and when
  struct live live;               // how often travel times follow the crowd
  char **destination_names; // [destination_count]; the fields, when there are any, in this order
  struct outlines walls;    // the outlines the obstacles were made of, for output
  struct outlines grown;    // the walls' outlines grown by the clearance, of the roadmap
  struct roadmap_build_info roadmap;
  int64_t agent_count;
  struct demand *demand;      // who stands where: private to demand.c
  struct config *config;      // the options: private to this folder
  bool projected;             // the geometry was in degrees; (0, 0) m is then at
  double longitude, latitude; // degrees
  char *attribution;          // whom the geometry asks to name, or ""
  int destination_count;      // of destination_names
};

// Reads and checks. overrides[count]: "key.path=value". NULL when there are problems, here or with
// another of the team. Collective over the team, who share the fields; NULL: alone.
struct scenario *scenario_create(const char *path, const char *const *overrides, int count,
                                 const struct node_group *node_group,
                                 struct diagnostics *diagnostics);
void scenario_destroy(struct scenario *s);

// Writes the world's roadmap into the folder, if it was made and not read; one rank does that.
// False when it cannot be written.
bool scenario_cache_roadmap(const struct scenario *s, const char *directory);

// Appends the agents [first, end) of the scenario to a. They do not depend on the range.
void scenario_agents(const struct scenario *s, int64_t first, int64_t end, struct agents *a);

// Gives an agent who walks straight and has arrived its next goal: where it came from, or, back
// there, its first goal again. Pure: needs no more than the agent's id and goal.
void scenario_turn_back(const struct scenario *s, struct agents *a, int64_t i);

// Everything else of demand that a run asks for: who comes later, and where journeys lead.
const struct demand *scenario_demand(const struct scenario *s);

// What `throng check` says: agents by source, walls, extent, quantum, cells, memory a rank needs.
void scenario_describe(const struct scenario *s, int ranks, FILE *out);
// docs/options.md, made from the same table that checks the options.
void options_reference_print(FILE *out);
