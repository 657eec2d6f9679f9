// The table of options: those of the scenario file itself. Those of the entries of its lists are in
// option_scopes.c.
#include "avoidance.h"
#include "config.h"
#include "csv.h"
#include "navigation_model.h"
#include "option_rows.h"

// clang-format off
#define F(member) SCOPE_FILE, offsetof(struct config, member)
#define WORD(name) "|" #name
#define METHOD_CHOICES &(AVOIDANCE_METHODS(WORD))[1]
#define NAVIGATION_CHOICES &(NAVIGATION_MODELS(WORD) WORD(auto))[1] // auto: NAVIGATION_COUNT

static const struct option general_options[] = {
  ROW(F(name), "name", TEXT, NULL, 0, 0, "",
      "Title of the scenario. Default: the file name without its extension."),
  ROW(F(seed), "seed", INTEGER, "1", 0, 9007199254740992, "", "Seed of every random draw."),
};

static const struct option world_options[] = {
  ROW(F(world.geometry), "world.geometry", TEXT, NULL, 0, 0, "",
      "WKT or GeoJSON file, relative to the scenario's folder."),
  ROW(F(world.role), "world.geometry_is", CHOICE, "obstacles", 0, 0, "",
      "Role of the features in that file that have no property `throng` of their own. places: "
      "polygons, lines and points that the scenario refers to.",
      CHOICES("a kind of geometry", "obstacles|walkable|places")),
  ROW(F(world.units), "world.units", CHOICE, "auto", 0, 0, "",
      "Units of the coordinates in that file. auto: WKT is in metres; GeoJSON is in longitude "
      "and latitude unless its `crs` or `throng:projection` says metres (docs/maps.md).",
      CHOICES("a unit", "auto|metres|degrees")),
  ROW(F(world.centre), "world.centre", POINT, NULL, -180, 180, "degrees",
      "[longitude, latitude] that becomes (0, 0) m. Default: the centre of the bbox of a geometry in "
      "degrees or, without a bbox, of the geometry; without any geometry, that of the first file of "
      "places in degrees."),
  ROW(F(world.obstacles), "world.obstacles", TEXTS, NULL, 0, 0, "",
      "Additional obstacles as WKT, m. A polygon is solid; a line is a wall on both sides."),
  ROW(F(world.walkable), "world.walkable", TEXTS, NULL, 0, 0, "",
      "Walkable polygons as WKT, m. If there are any walkable polygons, everything outside them "
      "is solid. A gap of up to 1 mm between two of them is closed, with a warning."),
  ROW(F(world.extent), "world.extent", RECTANGLE, NULL, -1e8, 1e8, "m",
      "[x0, y0, x1, y1]; agents are kept inside and geometry is clipped to it. Default: the "
      "smallest one that holds the geometry with its bbox, areas and agents, plus world.margin."),
  ROW(F(world.margin), "world.margin", NUMBER, "5", 0, 10000, "m",
      "Free ground around the default extent."),
  ROW(F(world.simplify), "world.simplify", NUMBER, "0.05", 0, 10, "m",
      "Tolerance for simplifying outlines. 0: no simplification."),
  ROW(F(world.places), "world.places", TEXTS, NULL, 0, 0, "",
      "GeoJSON files of polygons, lines and points that the scenario refers to by their properties "
      "({feature: name}), such as layers of QGIS. They are no walls. Units and projection: as "
      "world.geometry."),
  ROW(F(world.repair), "world.repair", FLAG, "false", 0, 0, "",
      "true: invalid polygons are repaired, with a warning that says where and how large they were "
      "and are: outlines are joined and holes cut out of them. false: they are errors."),
};

static const struct option time_options[] = {
  ROW(F(time.step), "time.step", NUMBER, "0.1", 0.001, 10, "s", "Length of one time step."),
  ROW(F(time.end), "time.end", NUMBER, "600", 0.001, 1e9, "s",
      "The run ends at this time, or earlier once all agents have arrived and left."),
};

static const struct option ranks_options[] = {
  ROW(F(ranks.overlap), "ranks.overlap", FLAG, "true", 0, 0, "",
      "true overlaps communication with computation: agents that perceive no agent of another "
      "rank compute their velocity while the halo exchange is in progress. The result is the "
      "same."),
};

static const struct option avoidance_options[] = {
  ROW(F(avoidance.method), "avoidance.method", CHOICE, "orca", 0, 0, "",
      "How agents avoid each other and walls. none: no avoidance.",
      CHOICES("a method", METHOD_CHOICES)),
  ROW(F(avoidance.neighbours), "avoidance.neighbours", INTEGER, "10", 1, NEIGHBOURS_MAX, "",
      "Maximum number of neighbours that an agent perceives, nearest first. A profile can "
      "override this option, neighbour_distance, horizon and max_acceleration."),
  ROW(F(avoidance.neighbour_distance), "avoidance.neighbour_distance", NUMBER, "5", 0.01, 1000, "m",
      "Perception range for other agents, from centre to centre."),
  ROW(F(avoidance.horizon), "avoidance.horizon", OPTIONAL, NULL, 0.01, 60, "s",
      "Time horizon for collisions with other agents. Default: 1.5 s for profiles that walk by "
      "headway (walking.model, the default), else 2 s."),
  ROW(F(avoidance.max_acceleration), "avoidance.max_acceleration", NUMBER, "0", 0, 1e6, "m/s^2",
      "Maximum change of velocity per unit of time. 0: no limit."),
  ROW(F(avoidance.contact), "avoidance.contact", OPTIONAL, NULL, 0.1, 1, "",
      "Distance that two agents keep from each other, as a share of the sum of their radii: a body "
      "is less deep than wide, and shoulders turn. Walls keep the whole radius. Default: 0.8 if a "
      "profile walks by headway (walking.model, the default), else 1."),
  ROW(F(avoidance.horizon_walls), "avoidance.horizon_walls", NUMBER, "1", 0.01, 60, "s",
      "Time horizon for collisions with walls."),
  ROW(F(avoidance.deadlock_timeout), "avoidance.patience", NUMBER, "5", 0, 1e6, "s",
      "Deadlock timeout: an agent blocked for this long (slower than 10 % of its preferred "
      "speed, or moving away from where it wants to go) sidesteps in a random direction for 10 time steps, which dissolves deadlocks. 0: "
      "never."),
  ROW(F(avoidance.jam), "avoidance.jam", CHOICE, "perturb", 0, 0, "",
      "What an agent does when it has been blocked for longer than avoidance.patience. perturb: "
      "sidestep in a random direction. re_route: the same, and on a journey the agent also "
      "switches at random to another destination of the leg. report: nothing; alarms.jam reports "
      "the agent.", CHOICES("a jam response", "report|perturb|re_route")),
  ROW(F(avoidance.clearpath.variant), "avoidance.clearpath.variant", CHOICE, "relaxed", 0, 0, "",
      "guaranteed (ClearPath-1): two agents that perceive each other and both find a velocity do "
      "not collide in the step; the others are counted as relaxed. relaxed (ClearPath-2): an agent "
      "finds a velocity more often, without that guarantee.",
      CHOICES("a variant", "relaxed|guaranteed")),
  ROW(F(avoidance.rvo.samples), "avoidance.rvo.samples", INTEGER, "249", 1, 10000, "",
      "Number of candidate velocities per agent and step: the preferred velocity and sets of four "
      "that are a quarter turn apart."),
  ROW(F(avoidance.rvo.safety), "avoidance.rvo.safety", NUMBER, "7.5", 0, 1e6, "m",
      "Weight of the time to collision: the penalty of a velocity is this value divided by its "
      "time to collision, plus its distance from the preferred velocity."),
  ROW(F(avoidance.directional.weight), "avoidance.directional.weight", NUMBER, "0.1", 0, 1e6, "1/s",
      "Weight of one second of time to collision relative to the preferred direction."),
  ROW(F(avoidance.directional.time_cap), "avoidance.directional.time_cap", NUMBER, "10", 0.01,
      1e6, "s", "Times to collision at or above this value count as no collision."),
  ROW(F(avoidance.steering.separation), "avoidance.steering.separation", NUMBER, "0", 0, 1000, "",
      "Weight of separation from nearby agents. This and the next three options weight Reynolds' "
      "forces on the preferred velocity. 0: off."),
  ROW(F(avoidance.steering.alignment), "avoidance.steering.alignment", NUMBER, "0", 0, 1000, "",
      "Weight of aligning with the velocity of neighbours. 0: off."),
  ROW(F(avoidance.steering.cohesion), "avoidance.steering.cohesion", NUMBER, "0", 0, 1000, "",
      "Weight of staying close to neighbours. 0: off."),
  ROW(F(avoidance.steering.unaligned), "avoidance.steering.unaligned", NUMBER, "0", 0, 1000, "",
      "Weight of unaligned collision avoidance, that is, of moving out of the way of agents on a "
      "collision course. 0: off."),
  ROW(F(avoidance.steering.separation_distance), "avoidance.steering.separation_distance", NUMBER,
      "0", 0, 1000, "m",
      "Separation acts on agents closer than this, from disc to disc. Agents beyond "
      "neighbour_distance are not perceived."),
  ROW(F(avoidance.plugin.file), "avoidance.plugin.file", TEXT, NULL, 0, 0, "",
      "A plug-in compiled by throng-plugin (docs/plugins.md): an avoidance method, which replaces "
      "avoidance.method, or a preferred velocity. On the CPU only."),
  ROW(F(avoidance.plugin.parameters), "avoidance.plugin.parameters", SHARES, NULL, -1e9, 1e9, "",
      "{name: value} of the plug-in's parameters that are not to have their defaults.",
      .noun = "a parameter"),
};

static const struct option navigation_options[] = {
  ROW(F(navigation.model), "navigation.model", CHOICE, "auto", 0, 0, "",
      "direct: straight to the goal, also where walls are in between. field: along the least "
      "travel time to the destination, around walls. roadmap: along the shortest path around "
      "walls, from corner to corner. auto: field if there are walls or doors, and destinations; "
      "else, and with goal.on_arrival: turn_back, direct.",
      CHOICES("a navigation model", NAVIGATION_CHOICES)),
  ROW(F(navigation.cell), "navigation.cell", NUMBER, "0.5", 0.01, 1000, "m",
      "Cell size of the travel-time grid."),
  ROW(F(navigation.clearance), "navigation.clearance", OPTIONAL, NULL, 0, 100, "m",
      "Minimum distance between a route and a wall. Default: the largest radius of any profile "
      "times avoidance.contact, as shoulders turn."),
  ROW(F(navigation.graph), "navigation.graph", TEXT, NULL, 0, 0, "",
      "With roadmap: WKT or GeoJSON file of the lines to walk along, relative to the scenario's "
      "folder, in the units of world.geometry. Default: the roadmap is built from the walls."),

  ROW(F(navigation.live.period), "navigation.live.period", NUMBER, "0", 0, 1e6, "s",
      "Interval at which travel times are recomputed for the current crowd, so that agents route "
      "around jams. They hold from half of the interval after the agents were counted. 0: "
      "never."),
  ROW(F(navigation.live.cell), "navigation.live.cell", NUMBER, "2", 0.1, 1000, "m",
      "Cell size of the grid on which agents are counted for the recomputed travel times."),
  ROW(F(navigation.live.time), "navigation.live.time", NUMBER, "0.8", 0, 1000, "",
      "Weight of time in the cost of a metre, (length f + time + discomfort g) / f, where f is "
      "the fraction of their speed that agents can reach there and g is the density in agents "
      "per square metre."),
  ROW(F(navigation.live.length), "navigation.live.length", NUMBER, "0.2", 0, 1000, "",
      "Weight of length in that cost."),
  ROW(F(navigation.live.discomfort), "navigation.live.discomfort", NUMBER, "0", 0, 1000, "m^2",
      "Weight of the density in that cost."),
  ROW(F(navigation.routes.count), "navigation.routes.count", INTEGER, "1", 1, 16, "",
      "Fields for each destination; each person follows one of them all the way, groups together. "
      "The first leads along the best route. The costs of the others have smooth random noise, so "
      "that people take different ways across a square and among streets of similar length. Each "
      "takes as much memory and time as the first."),
  ROW(F(navigation.routes.noise), "navigation.routes.noise", NUMBER, "0.2", 0, 1, "",
      "How much more a metre costs where this noise is highest. No route costs more than this share "
      "above the best."),
};

static const struct option goal_options[] = {
  ROW(F(goal.radius), "goal.radius", NUMBER, "0.5", 0.001, 1000, "m",
      "An agent whose goal is a point has arrived within this distance of it, or of its own radius "
      "if that is larger. Who walks to a destination has arrived in one of its areas."),
  ROW(F(goal.on_arrival), "goal.on_arrival", CHOICE, "leave", 0, 0, "",
      "What an agent does when it has arrived: leave the world, stay in it and rest, or turn back "
      "to where it started, to and fro without end. Of many who stay at one point, those who get "
      "no closer rest around it. turn_back needs navigation.model: direct.",
      CHOICES("an arrival action", "leave|stay|turn_back")),
};

static const struct option crowd_options[] = {
  ROW(F(destinations), "destinations", RECORDS, NULL, 0, 0, "",
      "Places to go to.", .records = SCOPE_DESTINATION),
  ROW(F(profiles), "profiles", RECORDS, NULL, 0, 0, "",
      "Types of pedestrians. Default: one profile named person with the defaults below.",
      .records = SCOPE_PROFILE),
  ROW(F(journeys), "journeys", RECORDS, NULL, 0, 0, "",
      "Routes through several destinations.", .records = SCOPE_JOURNEY),
  ROW(F(sources), "sources", RECORDS, NULL, 0, 0, "",
      "Where agents stand at the start, and where and when more enter.", .records = SCOPE_SOURCE),
  ROW(F(doors), "doors", RECORDS, NULL, 0, 0, "",
      "Walls and obstacles that can appear and disappear.", .records = SCOPE_DOOR),
  ROW(F(events), "events", RECORDS, NULL, 0, 0, "",
      "Actions at a given time, or when the number of agents in an area crosses a threshold.",
      .records = SCOPE_EVENT),
  ROW(F(od_matrix), "trips", TEXT, NULL, 0, 0, "",
      "CSV file of trips between sources and destinations (an OD matrix), relative to the "
      "scenario's folder. Header: from,to,people and optionally begin,end. That many agents of "
      "the source enter evenly between the two times, s, and walk to the destination; without "
      "times they are there at the start."),
  ROW(F(zones), "zones", RECORDS, NULL, 0, 0, "",
      "Areas with a different walking speed, no access, or one-way movement.",
      .records = SCOPE_ZONE),
  ROW(F(agents), "agents", TEXT, NULL, 0, 0, "",
      "CSV file of individual agents, relative to the scenario's folder. Header: id,x,y and any of "
      AGENT_CSV_OPTIONAL ". lon,lat in degrees may stand for x,y, and goal_lon,goal_lat for "
      "goal_x,goal_y. Agents of sources get ids above the largest id in this file."),
};

static const struct option measure_options[] = {
  ROW(F(measure.lines), "measure.lines", RECORDS, NULL, 0, 0, "",
      "Lines at which crossings are counted: lines.csv.", .records = SCOPE_LINE),
  ROW(F(measure.areas), "measure.areas", RECORDS, NULL, 0, 0, "",
      "Areas in which density and speed are measured: areas.csv.", .records = SCOPE_MEASURED),
  ROW(F(measure.grid.cell), "measure.grid.cell", NUMBER, "1", 0.01, 1000, "m",
      "Cell size of the grid for density fields and for alarms.density."),
  ROW(F(measure.grid.every), "measure.grid.every", NUMBER, "0", 0, 1e9, "s",
      "Simulated time between density files. Each holds the mean since the previous one. 0: none."),
  ROW(F(measure.grid.sample), "measure.grid.sample", NUMBER, "0.5", 0, 1e9, "s",
      "Sampling interval for that mean. 0: every step."),
  ROW(F(measure.people), "measure.people", FLAG, "false", 0, 0, "",
      "true: people.csv, a row for each agent: when and where it entered, when it left and by "
      "which area of its destination, and how long it was blocked, queued or waited to be let out."),
};

static const struct option alarms_options[] = {
  ROW(F(alarms.density), "alarms.density", NUMBER, "0", 0, 1000, "people/m^2",
      "Cells of the grid with a higher density are reported in alarms.csv. 0: no report."),
  ROW(F(alarms.every), "alarms.every", NUMBER, "1", 0, 1e9, "s",
      "Interval at which the cells are checked. 0: every step."),
  ROW(F(alarms.jam), "alarms.jam", NUMBER, "0", 0, 1e6, "s",
      "Agents blocked without a break for this long (slower than 10 % of the preferred speed, "
      "or moving away from where they want to go) are reported in alarms.csv. 0: no report."),
};

static const struct option balance_options[] = {
  ROW(F(balance.when), "balance.when", CHOICE, "auto", 0, 0, "",
      "When the boxes of the ranks are repartitioned; no result depends on it. auto: when the "
      "time that ranks have waited for each other exceeds the cost of repartitioning. never. "
      "always: at every check.", CHOICES("a balance mode", "auto|never|always")),
  ROW(F(balance.every), "balance.every", INTEGER, "10", 1, 1e9, "steps",
      "Interval between checks of the computing time of each rank."),
  ROW(F(balance.threshold), "balance.threshold", NUMBER, "1.05", 1, 1000, "",
      "With auto: the minimum ratio of the slowest rank's computing time to the mean at which "
      "boxes are repartitioned."),
};

static const struct option output_options[] = {
  ROW(F(output.directory), "output.directory", TEXT, NULL, 0, 0, "",
      "Output folder of the run. Default: runs/NAME."),
  ROW(F(output.snapshot_every), "output.snapshot_every", NUMBER, "10", 0, 1e9, "s",
      "Simulated time between snapshots. 0: only the first and the last."),
  ROW(F(output.series_every), "output.series_every", NUMBER, "1", 0, 1e9, "s",
      "Simulated time between rows of series.csv. 0: every step."),
  ROW(F(output.checkpoint_every), "output.checkpoint_every", NUMBER, "0", 0, 1e9, "s",
      "Simulated time between checkpoints, from which `throng run CONFIG --restart auto` "
      "continues. 0: none."),
  ROW(F(output.checkpoint_keep), "output.checkpoint_keep", TEXT, "2", 0, 0, "",
      "How many checkpoints are kept, the newest ones: at least 2, or all. `throng replay` starts "
      "from the one before its window."),
  ROW(F(output.checkpoint_wall), "output.checkpoint_wall", NUMBER, "0", 0, 1e9, "s",
      "Wall-clock time between checkpoints. 0: none."),
  ROW(F(output.snapshots.fields), "output.fields", TEXTS, NULL, 0, 0, "",
      "Data of each agent in a snapshot besides its position: any of id, velocity, speed, "
      "radius, destination. Default: all of them."),
  ROW(F(output.snapshots.stride), "output.stride", INTEGER, "1", 1, 1e9, "",
      "Snapshots hold only the agents whose id is a multiple of this."),
  ROW(F(output.snapshots.region), "output.region", RECTANGLE, NULL, -1e8, 1e8, "m",
      "[x0, y0, x1, y1]: snapshots hold only the agents in this rectangle. Default: all agents."),
  ROW(F(output.positions), "output.positions", CHOICE, "f32", 0, 0, "",
      "Precision of coordinates in snapshots: 32 or 64 bits. f32: still 64 bits where the world "
      "reaches farther than 4096 m from (0, 0) m, so that no coordinate is off by more than 0.13 mm.", CHOICES("a number format", "f32|f64")),
  ROW(F(output.compression), "output.compression", INTEGER, "1", 0, 9, "",
      "Deflate level of snapshots, checkpoints and the trajectory. 0: none."),
  ROW(F(output.trajectory.every), "output.trajectory.every", NUMBER, "0", 0, 1e9, "s",
      "Simulated time between frames of trajectory.h5, the positions of all agents in one file. "
      "0: no such file."),
  ROW(F(output.trajectory.layout), "output.trajectory.layout", CHOICE, "compact", 0, 0, "",
      "compact: columns of integers, for large crowds. archive: the HDF5 layout of the Pedestrian "
      "Dynamics Data Archive, which PedPy loads.", CHOICES("a layout", "compact|archive")),
  ROW(F(output.trajectory.selection.fields), "output.trajectory.fields", TEXTS, NULL, 0, 0, "",
      "Data of each agent besides its id and position, in the compact layout: any of velocity, "
      "speed, radius, destination. Default: none."),
  ROW(F(output.trajectory.selection.stride), "output.trajectory.stride", INTEGER, "1", 1, 1e9, "",
      "The trajectory holds only the agents whose id is a multiple of this."),
  ROW(F(output.trajectory.selection.region), "output.trajectory.region", RECTANGLE, NULL, -1e8, 1e8,
      "m", "[x0, y0, x1, y1]: only agents while they are in this rectangle. Default: all agents."),
};
// clang-format on

const struct option_section file_sections[FILE_SECTIONS] = {
    SECTION("General", general_options),     SECTION("world", world_options),
    SECTION("time", time_options),           SECTION("ranks", ranks_options),
    SECTION("avoidance", avoidance_options), SECTION("navigation", navigation_options),
    SECTION("goal", goal_options),           SECTION("Crowd", crowd_options),
    SECTION("measure", measure_options),     SECTION("alarms", alarms_options),
    SECTION("balance", balance_options),     SECTION("output", output_options)};
