// A scenario: reads the YAML file, the geometry and the tables, checks everything, and builds the
// world. Deterministic: every rank that loads it gets the same data.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "build_navigation.h"
#include "build_plugin.h"
#include "diagnostics.h"
#include "environment.h"
#include "events.h"
#include "measure.h"
#include "projection.h"
#include "selection.h"
#include "walking.h"
#include "world.h"
#include <stdio.h>

struct output_options {
  char *directory;                          // output folder; NULL: runs/<name>
  double snapshot_every;                    // s of simulated time; 0: only the first and the last
  double series_every;                      // s of simulated time; 0: every step
  bool f64;                                 // points as f64: asked for, or far from (0, 0) m
  int32_t compression;                      // deflate level, 0..9
  struct selection selection;               // which agents and fields snapshots hold
  double checkpoint_every, checkpoint_wall; // s of simulated and wall-clock time; 0: none
  int64_t checkpoint_keep;                  // how many are kept, the newest
  struct {
    double every; // s of simulated time; 0: no trajectory
    enum trajectory_layout layout;
    struct selection selection;
    char *walkable; // WKT of the walkable ground, m: a polygon with holes. NULL: no trajectory
  } trajectory;
};

enum balance_when { BALANCE_AUTO, BALANCE_NEVER, BALANCE_ALWAYS };

struct balance_options {
  enum balance_when when; // AUTO: when it pays; ALWAYS: at every check
  int64_t every;          // steps between checks
  double threshold;       // AUTO: minimum ratio of the slowest rank's computing time to the mean
};

struct scenario {
  char *name;
  char *path;       // as given
  char *yaml;       // as read
  char *text;       // the YAML, followed by the overrides as comments
  char **overrides; // [override_count] of the command line
  int override_count;
  uint64_t seed;
  double dt;          // s, one step
  int64_t steps;      // maximum number
  bool leave_at_goal; // agents leave on arrival, else they
  bool stay_at_goal;  // stay or
  bool turn_back;     // agents walk to and fro: scenario_turn_back
  float goal_radius;  // m: distance at which an agent that walks straight has arrived
  struct avoidance avoidance;
  struct plugin *plugin;              // its method replaces that of avoidance; NULL: none
  struct density_speed density_speed; // by profile
  struct headway_options headway;     // by profile
  bool has_groups;                    // any agent may be in a group: groups.h
  bool overlap;                       // compute velocities while the halo exchange is in progress
  bool re_route;            // blocked agents on a journey switch to another stop of the leg
  int32_t deadlock_timeout; // steps blocked before a sidestep (deadlock.h), or DEADLOCK_NEVER
  struct output_options output;
  struct balance_options balance;
  struct measure measure; // lines, areas and grid to measure
  struct {
    double every, sample; // s; every == 0: no density files
  } grid;
  struct {
    double density, every, jam; // agents/m^2, s, s; density or jam == 0: not reported
  } alarms;
  char **source_names, **profile_names; // [source_count], [profile_count]
  int source_count, profile_count;
  struct world world;
  struct environment environment; // the parts of the world that can change
  struct events events;           // and when they do
  struct live live;               // travel times that follow the crowd
  char **destination_names;       // [destination_count] in the order of fields and trees
  struct outlines walls;          // outlines of the obstacles without doors, for output
  struct outlines inflated;       // inflated walls of the roadmap
  struct roadmap_build_info roadmap;
  int64_t agent_count;
  struct demand *demand;     // opaque: demand.h
  struct config *config;     // the options; private to src/scenario
  struct geometry *geometry; // what map.geojson is made of; NULL: nobody needs it
  struct rectangle extent;   // m
  bool projected;            // longitudes and latitudes are known:
  struct projection projection;
  char *attribution;     // credit that the geometry asks for, or ""
  char *crs;             // line about the crs of the map, or NULL
  char *places;          // lines about the files of places, or NULL
  int destination_count; // of destination_names
};

struct scenario_source {
  const char *path;
  const char *text; // YAML instead of the file's; NULL: reads the file. Others are found from path
  const char *const *overrides; // [override_count] "key.path=value"
  int override_count;
  bool writes_map; // keeps what scenario_write_map needs
  struct plugin_use plugin;
};

// Reads, checks and builds. The processes of node_group share the fields; NULL: this process alone.
// Collective over node_group. NULL if there were errors, in this process or another one.
struct scenario *scenario_create_from(const struct scenario_source *source,
                                      const struct node_group *node_group,
                                      struct diagnostics *diagnostics);
// The same from the file. A plug-in is not loaded.
struct scenario *scenario_create(const char *path, const char *const *overrides, int count,
                                 const struct node_group *node_group,
                                 struct diagnostics *diagnostics);
void scenario_destroy(struct scenario *s);

// Writes the roadmap to its cache in the folder unless it was read from there. For one rank only.
// False if it cannot be written.
bool scenario_cache_roadmap(const struct scenario *s, const char *directory);

// Writes map.geojson of a run, and frees what it needed. False: out of disk space.
bool scenario_write_map(struct scenario *s, FILE *out);

// Appends the initial agents [first, end). No agent depends on the range.
void scenario_agents(const struct scenario *s, int64_t first, int64_t end, struct agents *a);
// The initial agents are made: frees what nobody needs any more.
void scenario_forget_starts(struct scenario *s);

// Exchanges the goal of an agent that has arrived: from its first goal to its start, and back. Uses
// only the agent's id and goal.
void scenario_turn_back(const struct scenario *s, struct agents *a, int64_t i);

static inline struct walking scenario_walking(const struct scenario *s)
{
  return (struct walking){&s->density_speed, &s->headway};
}

// Longitude and latitude of (0, 0) m, m per degree to the east and to the north; NULL: unknown.
static inline const double *scenario_projection(const struct scenario *s)
{
  return s->projected ? &s->projection.longitude : NULL;
}

const char *scenario_journey_name(const struct scenario *s, int k); // NULL: there are not so many

// Inflows and journeys: demand.h.
const struct demand *scenario_demand(const struct scenario *s);

// Estimate of the memory on a machine with `ranks_here` of the ranks, bytes.
double scenario_memory_bytes(const struct scenario *s, int ranks, int ranks_here);
// The output of `throng check`, with an estimate of the memory per rank.
void scenario_describe(const struct scenario *s, int ranks, FILE *out);
