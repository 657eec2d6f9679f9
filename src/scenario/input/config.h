// The scenario file as plain data. config_read.h fills it by the table in options.c: every value is
// within its range, and missing ones have their defaults. Lists of the file become {count, records}
// in the order of the file. What an option does is stated in the table only.
#pragma once
#include "feature_query.h"
#include "name_table.h"
#include "yaml_tree.h"

// Where a record was written, for messages.
struct origin {
  const struct node *node; // NULL: a default
  char path[40];           // "sources[0]"
};

enum area_kind {
  AREA_NONE, // the option was not given
  AREA_RECTANGLE,
  AREA_CIRCLE,
  AREA_POLYGON,
  AREA_WKT,
  AREA_BORDER,
  AREA_FEATURE
};

// Coordinates are in metres, or in degrees where `lonlat` is the node that says so. A line may be
// that of a feature, and has no points yet. geometry_place gives all of them metres.

// Pairs of numbers: x y x y ..., or time people time people ...
struct number_list {
  int count;                    // of pairs
  double *values;               // [2 * count]
  const struct node **lonlat;   // [count] of points; NULL: all are in metres
  struct feature_query feature; // if feature.node: a line, instead of points
};

struct area {
  enum area_kind kind;
  double numbers[4];          // m. rectangle: x0 y0 x1 y1; circle: x y radius; border: width
  const struct node *lonlat;  // of numbers and text
  struct number_list polygon; // m, x y x y ...
  char *text;                 // WKT
  struct feature_query feature;
  struct origin from;
};

struct area_list {
  int count;
  struct area *areas;
};

enum distribution_kind { NOT_GIVEN, CONSTANT, UNIFORM, NORMAL, LOGNORMAL, TABLE };

// In the unit of its option.
struct distribution {
  enum distribution_kind kind;
  double mean;              // LOGNORMAL: the median
  double deviation;         // LOGNORMAL: of the logarithm
  double lo, hi;            // bounds: samples beyond them are rejected
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

// How the destination of a leg is chosen.
enum leg_choice {
  LEG_FIXED,  // there is only one
  LEG_RANDOM, // at random, by weight
  LEG_LEAST,  // the one with the fewest agents at it or on their way to it
  LEG_NEAREST // the one with the shortest travel time
};

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
  char **texts;        // [count]
  struct location *at; // [count]
};

struct numbers { // a point: x y; a rectangle: x0 y0 x1 y1
  bool given;
  double values[4];
  const struct node *lonlat;
  struct feature_query feature; // if feature.node: the point of it
};

struct optional { // a number without a default
  bool given;
  double value;
};

// ---------------------------------------------------------- records: the lists of the scenario

struct destination_config { // destinations[]
  struct origin from;
  char *features; // file of the features that the entry is made of, or NULL
  char *name;
  struct area_list areas;
  struct distribution stay; // s; NOT_GIVEN: agents do not stay
  bool until_called;        // agents stay until an event calls them
  bool live;                // its travel times follow the crowd, if any do
  struct {
    struct number_list line;     // m, from the head
    double spacing;              // m
    struct distribution service; // s
  } queue;
  struct optional flow; // agents/s that may leave by it
};

struct journey_config { // journeys[]
  struct origin from;
  char *name;
  struct leg_list via;
  int then; // 0: leave; 1: start again with the first leg
};

enum density_model { DENSITY_NONE, DENSITY_WEIDMANN, DENSITY_TABLE };
enum walking_model { WALKING_NONE, WALKING_HEADWAY, WALKING_WEIDMANN };

struct profile_config { // profiles[]
  struct origin from;
  char *name;
  struct distribution speed;     // m/s, preferred
  struct distribution radius;    // m
  struct distribution max_speed; // m/s; NOT_GIVEN: a multiple of the sampled speed
  // The next four are never NOT_GIVEN: they default to the options of `avoidance`.
  struct distribution horizon;            // s
  struct distribution neighbour_distance; // m
  struct distribution neighbours;         // number of agents
  struct distribution max_acceleration;   // m/s^2; 0: no limit
  struct distribution yield;              // 1
  struct distribution reaction;           // s
  struct {
    int model;                // enum density_model
    struct numbers window;    // m: length ahead, width
    struct number_list table; // agents/m^2, share of the preferred speed
    double least;             // minimum share of the preferred speed
  } density;
  struct {
    int model;                     // enum walking_model
    int side;                      // 0: right, 1: left, 2: none
    double time_gap, anticipation; // s
    double length, sight;          // m
    double spread;                 // share of the width of the route
    double queue;                  // share of the way to the middle
    double shoulders, steps_aside; // m
  } walking;
};

struct zone_config { // zones[]
  struct origin from;
  char *features; // file of the features that the entry is made of, or NULL
  char *name;
  struct area_list areas;
  double speed;           // factor of the preferred speed
  struct numbers one_way; // allowed direction, of any length
  bool no_go;
  double size; // m^2; build_zones computes it
};

struct door_config { // doors[]
  struct origin from;
  char *name;
  char *features;
  struct number_list line; // m: a wall on both sides; or
  struct area area;        // a solid area
  bool closed;             // at the start
};

struct event_config { // events[]
  struct origin from;
  char *name;
  struct optional at;                       // s; else a condition on the area:
  struct area area;                         // where agents are counted
  struct optional count_above, count_below; // number of agents
  struct optional density_above;            // agents/m^2
  struct text_list open, close, call;       // names of doors and destinations
  struct shares rate;                       // names of sources, factors of their rates
};

enum layout { LAYOUT_RANDOM, LAYOUT_CIRCLE, LAYOUT_GRID };
enum arrivals { ARRIVALS_EVEN, ARRIVALS_RANDOM };

struct source_config { // sources[]
  struct origin from;
  char *name;
  char *features;
  struct area area;
  struct optional count;   // number of agents
  struct optional density; // agents/m^2
  struct optional spacing; // m
  double jitter;           // m
  struct shares profiles;
  // If any of the next four is given, agents enter during the run, else they are present at the
  // start.
  struct optional begin, end;   // s
  struct optional rate;         // agents/s
  struct number_list timetable; // s, number of agents
  int arrivals;                 // enum arrivals
  struct shares destinations;   // one, or several by weight
  char *journey;
  struct numbers goal;     // m
  struct numbers opposite; // m, the centre of reflection
  struct numbers offset;   // m, from the start
  struct area goal_area;
  int layout;                // enum layout
  struct distribution group; // number of agents
};

struct line_config { // measure.lines[]
  struct origin from;
  char *name;
  char *features;
  struct numbers start, end; // m; options `from` and `to`
  struct number_list line;   // m; or
  char *wkt;                 // a LINESTRING, m
};

struct measured_config { // measure.areas[]
  struct origin from;
  char *features; // file of the features that the entry is made of, or NULL
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

// --------------------------------------------------------------------------- the whole scenario

struct selection_config { // which agents a file holds, and which of their data
  struct text_list fields;
  double stride;         // of ids
  struct numbers region; // m
};

enum jam_policy { JAM_REPORT, JAM_PERTURB, JAM_RE_ROUTE };
enum arrival { ARRIVAL_LEAVE, ARRIVAL_STAY, ARRIVAL_TURN_BACK };

// A member is named like its option unless a comment names the option.
struct config {
  const char *path; // of the scenario file, as given; not owned
  struct node *yaml_root;
  struct origin from; // the file itself
  char *name;
  double seed; // an integer
  struct {
    char *geometry; // file name
    int role;       // option world.geometry_is: 0 obstacles, 1 walkable, 2 places
    int units;      // 0 auto, 1 metres, 2 degrees
    struct text_list obstacles, walkable; // WKT, m
    struct numbers extent;                // m
    struct numbers centre;                // degrees: longitude, latitude
    double margin, simplify;              // m
    bool repair;
    struct text_list places; // file names; read into place_files
  } world;
  int place_file_count;
  struct place_file *place_files; // [place_file_count] layers.h
  struct {
    double step, end; // s
  } time;
  struct {
    bool overlap;
  } ranks;
  struct {
    int method;                // enum avoidance_method
    double neighbours;         // number of agents
    double neighbour_distance; // m
    struct optional horizon;   // s
    double horizon_walls;      // s
    struct optional contact;   // share of the sum of two radii
    double max_acceleration;   // m/s^2; 0: no limit
    double deadlock_timeout;   // s; option avoidance.patience; 0: never
    int jam;                   // enum jam_policy
    struct {
      int variant; // 0: relaxed, 1: guaranteed
    } clearpath;
    struct {
      double samples; // number of candidate velocities
      double safety;  // m
    } rvo;
    struct {
      double weight;   // 1/s
      double time_cap; // s
    } directional;
    struct {
      double separation, alignment, cohesion, unaligned; // weights; 0: off
      double separation_distance;                        // m
    } steering;
    struct {
      char *file;
      struct shares parameters; // names and values
    } plugin;
  } avoidance;
  struct {
    int model;                 // enum navigation_kind; NAVIGATION_COUNT: config_choose_navigation
    double cell;               // m
    struct optional clearance; // m
    char *graph;               // file name
    struct {
      double period;       // s; 0: never
      double cell;         // m
      double time, length; // weights
      double discomfort;   // m^2
    } live;
    struct {
      double count; // fields for each destination: an integer
      double noise; // of the cost of a metre, a share
    } routes;
  } navigation;
  struct {
    double radius;  // m
    int on_arrival; // enum arrival
  } goal;
  struct destination_list destinations;
  struct profile_list profiles;
  struct journey_list journeys;
  struct door_list doors;
  struct event_list events;
  struct source_list sources;
  char *od_matrix; // file name; option trips
  struct zone_list zones;
  char *agents; // file name
  struct {
    struct line_list lines;
    struct measured_list areas;
    struct {
      double cell;          // m
      double every, sample; // s
    } grid;
    bool people;
  } measure;
  struct {
    double density; // agents/m^2; 0: no alarm
    double every;   // s
    double jam;     // s; 0: no alarm
  } alarms;
  struct {
    int when;         // enum balance_when
    double every;     // steps
    double threshold; // 1
  } balance;
  struct {
    char *directory;
    double snapshot_every, series_every; // s of simulated time
    double checkpoint_every;             // s of simulated time; 0: none
    double checkpoint_wall;              // s of wall-clock time; 0: none
    char *checkpoint_keep;               // a number, or "all"
    int positions;                       // 0: f32, 1: f64
    double compression;                  // deflate level
    struct selection_config snapshots;   // options output.fields, stride, region
    struct {
      double every; // s of simulated time; 0: none
      int layout;   // enum trajectory_layout
      struct selection_config selection;
    } trajectory;
  } output;

  struct { // the index of each name in its list
    struct name_table destinations, profiles, journeys, doors, sources;
  } names;
};

// Location of an option of a record, or of the record itself if the option was not written.
struct location origin_location(const struct config *c, const struct origin *from, const char *key);

// Index of the destination with that name; -1 and an error that begins with `what` if there is
// none.
int config_find_destination(const struct config *c, const char *name, struct location at,
                            const char *what, struct diagnostics *p);

// The path of a file that a scenario names: relative to the scenario's folder unless absolute.
// Free with memory_destroy.
char *path_resolve(const char *scenario, const char *file);
