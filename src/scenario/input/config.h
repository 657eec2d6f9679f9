// The scenario file as plain data: every option checked against the one table (options.c), the
// missing ones filled with their defaults. What an option means stands in that table only.
#pragma once
#include "yaml_tree.h"

// Where a record stands in the file, for complaints: "sources[0]" and its node.
struct origin {
  const struct node *node; // NULL: a default
  char path[40];
};

enum area_kind {
  AREA_NONE,
  AREA_RECTANGLE,
  AREA_CIRCLE,
  AREA_POLYGON,
  AREA_WKT,
  AREA_BORDER,
  AREA_FEATURE
};

struct area {
  enum area_kind kind;
  double numbers[4];   // rectangle: x0 y0 x1 y1; circle: x y r; border: width. m
  int64_t point_count; // of a polygon
  double *points;      // x y x y ..., m
  char *text;          // WKT, or the name of a feature
  struct origin from;
};

struct area_list {
  int count;
  struct area *areas;
};

// Pairs of numbers: x y x y ..., or time people time people ...
struct number_list {
  int count;      // pairs
  double *values; // [2 * count]
};

enum distribution_kind { NOT_GIVEN, CONSTANT, UNIFORM, NORMAL, LOGNORMAL, TABLE };

struct distribution {
  enum distribution_kind kind;
  double mean, deviation;   // of a bell; of its logarithm the median and deviation
  double lo, hi;            // no draw lies outside
  struct number_list table; // value weight value weight ...
};

struct share {
  char *name;
  double weight; // > 0
  const struct node *node;
};

struct shares {
  int count;
  struct share *shares;
};

// How the next place of a journey is chosen: the one there is, at random by weight, the one that
// the fewest are on the way to or at, or the one nearest in travel time.
enum leg_choice { LEG_FIXED, LEG_RANDOM, LEG_LEAST, LEG_NEAREST };

struct leg_config {
  enum leg_choice choice;
  struct shares places; // names of destinations
  const struct node *node;
};

struct leg_list {
  int count;
  struct leg_config *legs;
};

struct text_list {
  int count;
  char **texts;
  struct location *at;
};

struct numbers { // a point or a rectangle
  bool given;
  double values[4];
};

struct optional { // a number without default
  bool given;
  double value;
};

struct destination_config {
  struct origin from;
  char *name;
  struct area_list areas;
  struct distribution stay; // s; NOT_GIVEN: nobody stays
  bool until_called;        // stays until an event calls
  bool live;                // its travel times follow the crowd, when any do
  struct {
    struct number_list line;     // m, from the head
    double spacing;              // m
    struct distribution service; // s
  } queue;
  struct optional flow; // people/s that may leave by it
};

struct journey_config {
  struct origin from;
  char *name;
  struct leg_list via;
  int then; // 1: again from the first leg
};

struct profile_config {
  struct origin from;
  char *name;
  struct distribution speed, radius; // m/s, m
  struct distribution max_speed;     // m/s; NOT_GIVEN: a multiple of the drawn speed
  // How one avoids others: after reading always given, by `avoidance` where the file does not.
  struct distribution horizon, neighbour_distance, neighbours; // s, m, people
  struct distribution max_acceleration, yield;                 // m/s^2, 1
  struct distribution reaction;                                // s
  struct {
    int model;                // enum density_model
    struct numbers window;    // ahead, width, m
    struct number_list table; // people/m^2, share
    double least;
  } density;
};

enum density_model { DENSITY_NONE, DENSITY_WEIDMANN, DENSITY_TABLE };

struct zone_config {
  struct origin from;
  char *name;
  struct area_list areas;
  double speed;           // factor
  struct numbers one_way; // a direction
  bool no_go;
  double size; // m^2, once the world is made
};

enum layout { LAYOUT_RANDOM, LAYOUT_CIRCLE, LAYOUT_GRID };
struct door_config {
  struct origin from;
  char *name;
  struct number_list line; // m: a wall both ways; or
  struct area area;        // solid
  bool closed;             // at the start
};

struct event_config {
  struct origin from;
  char *name;
  struct optional at; // s; or when, in the area,
  struct area area;
  struct optional count_above, count_below, density_above; // people, people/m^2
  struct text_list open, close, call;                      // names of doors and destinations
  struct shares rate;                                      // of sources, times the usual one
};

enum jam_policy { JAM_REPORT, JAM_PERTURB, JAM_RE_ROUTE };
enum arrivals { ARRIVALS_EVEN, ARRIVALS_RANDOM };
enum arrival { ARRIVAL_LEAVE, ARRIVAL_STAY, ARRIVAL_TURN_BACK };

struct source_config {
  struct origin from;
  char *name;
  struct area area;
  struct optional count, density; // people, people/m^2
  struct optional spacing;        // m
  double jitter;                  // m
  struct shares profiles;
  // When they come: at the start, or, when one of these is given, in the course of time.
  struct optional begin, end; // s
  struct optional rate;       // people/s
  struct number_list timetable;
  int arrivals;               // enum arrivals
  struct shares destinations; // one, or shares
  char *journey;
  struct numbers goal, opposite, offset; // m
  struct area goal_area;
  int layout;                // enum layout
  struct distribution group; // people
};

struct line_config {
  struct origin from;
  char *name;
  struct numbers start, end; // m
  char *wkt;                 // or a LINESTRING
};

struct measured_config {
  struct origin from;
  char *name;
  struct area_list areas;
};

#define RECORDS(name)                                                                              \
  struct name##_list {                                                                             \
    int count;                                                                                     \
    struct name##_config *records;                                                                 \
  }
RECORDS(destination);
RECORDS(profile);
RECORDS(journey);
RECORDS(door);
RECORDS(event);
RECORDS(source);
RECORDS(line);
RECORDS(measured);
RECORDS(zone);
#undef RECORDS

struct config {
  const char *path; // the scenario's, as given
  struct node *yaml_root;
  struct origin from; // of the file itself
  char *name;
  double seed;
  struct {
    char *geometry;
    int role, units; // words of their options
    struct text_list obstacles, walkable;
    struct numbers extent, centre;
    double margin, simplify;
    bool repair;
  } world;
  struct {
    double step, end;
  } time;
  struct {
    bool overlap;
  } ranks;
  struct {
    int method; // enum avoidance_method
    double neighbours, neighbour_distance, horizon, horizon_walls, max_acceleration,
        deadlock_timeout;
    int jam; // enum jam_policy
    struct {
      int variant; // 1: guaranteed
    } clearpath;
    struct {
      double samples, safety;
    } rvo;
    struct {
      double weight, time_cap;
    } directional;
    struct {
      double separation, separation_distance, alignment, cohesion, unaligned;
    } steering;
  } avoidance;
  struct {
    int model;
    double cell;
    struct optional clearance;
    char *graph;
    struct {
      double period, cell, time, length, discomfort;
    } live;
  } navigation;
  struct {
    double radius;
    int on_arrival; // enum arrival
  } goal;
  struct destination_list destinations;
  struct profile_list profiles;
  struct journey_list journeys;
  struct door_list doors;
  struct event_list events;
  struct source_list sources;
  char *od_matrix; // CSV
  struct zone_list zones;
  char *agents;
  struct {
    struct line_list lines;
    struct measured_list areas;
    struct {
      double cell, every, sample;
    } grid;
  } measure;
  struct {
    double density, every, jam;
  } alarms;
  struct {
    int when; // enum balance_when
    double every, threshold;
  } balance;
  struct {
    char *directory;
    double snapshot_every, series_every, checkpoint_every, checkpoint_wall;
    int positions;
    double compression;
    struct text_list fields;
    double stride;
    struct numbers region;
  } output;
};

// False when there are problems; destroy it in any case.
bool config_read(struct config *c, const char *path, const char *text, size_t length,
                 const char *const *overrides, int override_count, struct diagnostics *p);
void config_destroy(struct config *c);

// Where the option stands in a record, or the record itself when it does not.
struct location origin_location(const struct config *c, const struct origin *from, const char *key);
