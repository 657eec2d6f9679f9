#include "options.h"

#include "avoidance.h"
#include "config.h"
#include "csv.h"
#include "groups.h"
#include "navigation_model.h"
#include "zones.h"
#include <stddef.h>

// clang-format off
#define F(member) SCOPE_FILE, offsetof(struct config, member)
#define D(member) SCOPE_DESTINATION, offsetof(struct destination_config, member)
#define J(member) SCOPE_JOURNEY, offsetof(struct journey_config, member)
#define O(member) SCOPE_DOOR, offsetof(struct door_config, member)
#define E(member) SCOPE_EVENT, offsetof(struct event_config, member)
#define P(member) SCOPE_PROFILE, offsetof(struct profile_config, member)
#define Z(member) SCOPE_ZONE, offsetof(struct zone_config, member)
#define S(member) SCOPE_SOURCE, offsetof(struct source_config, member)
#define L(member) SCOPE_LINE, offsetof(struct line_config, member)
#define M(member) SCOPE_MEASURED, offsetof(struct measured_config, member)
#define ROW(...) ROW_(__VA_ARGS__)
#define ROW_(scope_, offset_, path_, type_, fallback_, min_, max_, unit_, ...) \
  {.scope = scope_, .offset = offset_, .path = path_, .type = OPTION_##type_, \
   .fallback = fallback_, .min = min_, .max = max_, .unit = unit_, .meaning = __VA_ARGS__}
#define WORD(name) "|" #name
#define METHOD_CHOICES &(AVOIDANCE_METHODS(WORD))[1]
#define NAVIGATION_CHOICES &(NAVIGATION_MODELS(WORD))[1]
#define CHOICES(noun_, choices_) .noun = noun_, .choices = choices_

const struct option options[] = {
  ROW(F(name), "name", TEXT, NULL, 0, 0, "",
      "Title of the scenario. Default: the file name without its extension."),
  ROW(F(seed), "seed", INTEGER, "1", 0, 9007199254740992, "", "Seed of every random draw."),

  ROW(F(world.geometry), "world.geometry", TEXT, NULL, 0, 0, "",
      "WKT or GeoJSON file, relative to the scenario's folder."),
  ROW(F(world.role), "world.geometry_is", CHOICE, "obstacles", 0, 0, "",
      "Role of the features in that file that have no property `throng` of their own. places: "
      "polygons, lines and points that the scenario refers to.",
      CHOICES("a kind of geometry", "obstacles|walkable|places")),
  ROW(F(world.units), "world.units", CHOICE, "auto", 0, 0, "",
      "Units of the coordinates in that file. auto: WKT is in metres; GeoJSON is in longitude "
      "and latitude unless its `crs` or `throng:projection` says metres.",
      CHOICES("a unit", "auto|metres|degrees")),
  ROW(F(world.centre), "world.centre", POINT, NULL, -180, 180, "degrees",
      "[longitude, latitude] that becomes (0, 0) m. Default: the centre of the bbox of a geometry in "
      "degrees or, without a bbox, of the geometry; without any geometry, that of the first file of "
      "places in degrees."),
  ROW(F(world.obstacles), "world.obstacles", TEXTS, NULL, 0, 0, "",
      "Additional obstacles as WKT, m. A polygon is solid; a line is a wall on both sides."),
  ROW(F(world.walkable), "world.walkable", TEXTS, NULL, 0, 0, "",
      "Walkable polygons as WKT, m. If there are any walkable polygons, everything outside them "
      "is solid."),
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
      "true: invalid polygons are repaired with a warning. false: they are errors."),

  ROW(F(time.step), "time.step", NUMBER, "0.1", 0.001, 10, "s", "Length of one time step."),
  ROW(F(time.end), "time.end", NUMBER, "600", 0.001, 1e9, "s",
      "The run ends at this time, or earlier once all agents have arrived and left."),

  ROW(F(ranks.overlap), "ranks.overlap", FLAG, "true", 0, 0, "",
      "true overlaps communication with computation: agents that perceive no agent of another "
      "rank compute their velocity while the halo exchange is in progress. The result is the "
      "same."),

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
      "speed) sidesteps in a random direction for 10 time steps, which dissolves deadlocks. 0: "
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

  ROW(F(navigation.model), "navigation.model", CHOICE, "direct", 0, 0, "",
      "direct: straight to the goal. field: along the least travel time to the destination, "
      "around walls. roadmap: along the shortest path around walls, from corner to corner.",
      CHOICES("a navigation model", NAVIGATION_CHOICES)),
  ROW(F(navigation.cell), "navigation.cell", NUMBER, "0.5", 0.01, 1000, "m",
      "Cell size of the travel-time grid."),
  ROW(F(navigation.clearance), "navigation.clearance", OPTIONAL, NULL, 0, 100, "m",
      "Minimum distance between a route and a wall. Default: the largest radius of any profile."),
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

  ROW(F(goal.radius), "goal.radius", NUMBER, "0.5", 0.001, 1000, "m",
      "An agent that walks straight to its goal has arrived within this distance of it."),
  ROW(F(goal.on_arrival), "goal.on_arrival", CHOICE, "leave", 0, 0, "",
      "What an agent does when it has arrived: leave the world, stay in it, or turn back to "
      "where it started, to and fro without end. turn_back needs navigation.model: direct.",
      CHOICES("an arrival action", "leave|stay|turn_back")),

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
      "which area of its destination, and how long it was blocked."),
  ROW(F(alarms.density), "alarms.density", NUMBER, "0", 0, 1000, "people/m^2",
      "Cells of the grid with a higher density are reported in alarms.csv. 0: no report."),
  ROW(F(alarms.every), "alarms.every", NUMBER, "1", 0, 1e9, "s",
      "Interval at which the cells are checked. 0: every step."),
  ROW(F(alarms.jam), "alarms.jam", NUMBER, "0", 0, 1e6, "s",
      "Agents blocked without a break for this long (slower than 10 % of the preferred speed) "
      "are reported in alarms.csv. 0: no report."),

  ROW(F(balance.when), "balance.when", CHOICE, "auto", 0, 0, "",
      "When the boxes of the ranks are repartitioned; no result depends on it. auto: when the "
      "time that ranks have waited for each other exceeds the cost of repartitioning. never. "
      "always: at every check.", CHOICES("a balance mode", "auto|never|always")),
  ROW(F(balance.every), "balance.every", INTEGER, "10", 1, 1e9, "steps",
      "Interval between checks of the computing time of each rank."),
  ROW(F(balance.threshold), "balance.threshold", NUMBER, "1.05", 1, 1000, "",
      "With auto: the minimum ratio of the slowest rank's computing time to the mean at which "
      "boxes are repartitioned."),

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
      "Precision of coordinates in snapshots: 32 or 64 bits.", CHOICES("a number format", "f32|f64")),
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

  ROW(D(name), "name", TEXT, "!", 0, 0, "", "Name used by sources and journeys."),
  ROW(D(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and areas."),
  ROW(D(areas), "areas", AREAS, "!", -1e8, 1e8, "m",
      "Several areas are several exits: each agent takes the nearest in travel time."),
  ROW(D(stay), "stay", DISTRIBUTION, NULL, 0, 1e9, "s",
      "On a journey, agents stay at a place in the destination for this long. Default: they "
      "continue at once."),
  ROW(D(until_called), "until_called", FLAG, "false", 0, 0, "",
      "On a journey, agents stay at a place in the destination until an event calls them."),
  ROW(D(live), "live", FLAG, "true", 0, 0, "",
      "With navigation.live: true: the travel times to it follow the crowd. false: they stay "
      "fixed, at no cost."),
  ROW(D(queue.line), "queue.line", POINTS, NULL, -1e8, 1e8, "m",
      "[[x, y], ...] from the head of the queue: agents that reach the destination on a journey "
      "queue along this line."),
  ROW(D(queue.spacing), "queue.spacing", NUMBER, "0.6", 0.05, 1000, "m",
      "Distance between consecutive agents in the queue."),
  ROW(D(queue.service), "queue.service", DISTRIBUTION, "10", 0.001, 1e9, "s",
      "Service time of the agent at the head of the queue."),
  ROW(D(flow), "flow", OPTIONAL, NULL, 1e-6, 1e6, "people/s",
      "Maximum rate at which agents leave by this destination; the others wait in it. Default: "
      "no limit."),

  ROW(J(name), "name", TEXT, "!", 0, 0, "", "Name used by sources."),
  ROW(J(via), "via", LEGS, "!", 1e-9, 1e9, "",
      "Destinations in order. Each is the name of a destination, or a choice of one of several: "
      "{random: {name: weight}}, {least: [names]} (the one with the fewest agents at it or on "
      "their way to it), or {nearest: [names]} (in travel time)."),
  ROW(J(then), "then", CHOICE, "leave", 0, 0, "",
      "After the last destination, agents leave or start again at the first.",
      CHOICES("a journey end", "leave|again")),

  ROW(O(name), "name", TEXT, "!", 0, 0, "", "Name used by events."),
  ROW(O(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and line or area."),
  ROW(O(line), "line", POINTS, NULL, -1e8, 1e8, "m",
      "[[x, y], ...]: a wall on both sides. Alternative to area."),
  ROW(O(area), "area", AREA, NULL, -1e8, 1e8, "m", "A solid area. Alternative to line."),
  ROW(O(closed), "closed", FLAG, "false", 0, 0, "", "true: the door is closed at the start."),

  ROW(E(name), "name", TEXT, NULL, 0, 0, "", "Name in reports. Default: its number in the list."),
  ROW(E(at), "at", OPTIONAL, NULL, 0, 1e9, "s",
      "Time of the event. Without it, the event occurs once, as soon as the condition on its "
      "area holds."),
  ROW(E(area), "area", AREA, NULL, -1e8, 1e8, "m",
      "Area in which agents are counted, once a second."),
  ROW(E(count_above), "count_above", OPTIONAL, NULL, 0, 1e9, "people",
      "Condition: more than this many agents are in the area."),
  ROW(E(count_below), "count_below", OPTIONAL, NULL, 0, 1e9, "people",
      "Condition: fewer than this many agents are in the area."),
  ROW(E(density_above), "density_above", OPTIONAL, NULL, 0, 100, "people/m^2",
      "Condition: the mean density in the area is higher than this."),
  ROW(E(open), "open", TEXTS, NULL, 0, 0, "",
      "Doors, destinations, or single areas of destinations (such as exits.0) to open."),
  ROW(E(close), "close", TEXTS, NULL, 0, 0, "",
      "Doors, destinations, or single areas of destinations to close. A door closes as soon as "
      "nobody stands in it; agents are no longer routed to a closed area."),
  ROW(E(call), "call", TEXTS, NULL, 0, 0, "",
      "Destinations whose agents, staying until called, continue."),
  ROW(E(rate), "rate", SHARES, NULL, 0, 1000, "",
      "{source: factor}: from now on the source's rate is multiplied by this factor, at most "
      "1000; 0: no agents enter.", .noun = "a source"),

  ROW(P(name), "name", TEXT, "!", 0, 0, "", "Name used by sources."),
  ROW(P(speed), "speed", DISTRIBUTION, "{normal: [1.34, 0.26, 0.6, 2]}", 0, AGENT_SPEED_MAX / 2,
      "m/s", "Preferred walking speed."),
  ROW(P(radius), "radius", DISTRIBUTION, NULL, 0.01, AGENT_RADIUS_MAX, "m",
      "Radius of the disc that represents an agent. Default: 0.2 m for profiles that walk by "
      "walking.model: headway, else 0.25 m."),
  ROW(P(max_speed), "max_speed", DISTRIBUTION, NULL, 0.001, AGENT_SPEED_MAX, "m/s",
      "Maximum speed. Default: 1.3 times the agent's preferred speed; never below that speed."),
  ROW(P(horizon), "horizon", DISTRIBUTION, NULL, 0.01, 60, "s",
      "Time horizon for collisions with other agents. Default: avoidance.horizon."),
  ROW(P(neighbour_distance), "neighbour_distance", DISTRIBUTION, NULL, 0.01, 1000, "m",
      "Perception range for other agents, from centre to centre. Default: "
      "avoidance.neighbour_distance."),
  ROW(P(neighbours), "neighbours", INTEGER_DISTRIBUTION, NULL, 1, NEIGHBOURS_MAX, "people",
      "Maximum number of neighbours that an agent perceives, nearest first. Default: "
      "avoidance.neighbours."),
  ROW(P(max_acceleration), "max_acceleration", DISTRIBUTION, NULL, 0, 1e6, "m/s^2",
      "Maximum change of velocity per unit of time. 0: no limit. Default: "
      "avoidance.max_acceleration."),
  ROW(P(yield), "yield", DISTRIBUTION, "1", 0, 1000, "",
      "Willingness to give way: A takes the share yield_A / (yield_A + yield_B) of the avoidance "
      "between A and B. 0: the agent keeps its preferred velocity, and the others do all of the "
      "avoidance."),
  ROW(P(reaction), "reaction", DISTRIBUTION, "0", 0, 1e6, "s",
      "Time that an agent waits before it starts to walk."),
  ROW(P(density.model), "density.model", CHOICE, "none", 0, 0, "",
      "How agents slow down in a crowd by the density ahead, instead of walking by headway. none: "
      "not by density. weidmann: by Weidmann's fundamental diagram. table: by density.table.",
      CHOICES("a model", "none|weidmann|table")),
  ROW(P(density.window), "density.window", POINT, "[2.5, 2]", 0.2, 20, "m",
      "[length ahead, width] of the window in which the density is measured, in the direction of "
      "the preferred velocity."),
  ROW(P(density.table), "density.table", PAIRS, NULL, 0, 100, "people/m^2, 1",
      "[density, share of the preferred speed], by ascending density; linear between rows, "
      "constant outside them and from 8 people/m^2 on."),
  ROW(P(density.least), "density.least", NUMBER, "0.05", 0.001, 1, "",
      "Minimum share of the preferred speed, so that jams dissolve."),

  ROW(P(walking.model), "walking.model", CHOICE, "headway", 0, 0, "",
      "How agents walk in a crowd. headway: they follow at a distance that grows with the speed, "
      "choose among seven directions by quickest progress, and pass oncoming agents on one side. "
      "weidmann: density.model: weidmann. none: straight on at the preferred speed, unless "
      "density.model slows them down. The default is none for a profile with density.model: "
      "weidmann or table.",
      CHOICES("a walking model", "none|headway|weidmann")),
  ROW(P(walking.side), "walking.side", CHOICE, "right", 0, 0, "",
      "headway: side on which agents pass oncoming ones. none: each the nearer one.",
      CHOICES("a side", "right|left|none")),
  ROW(P(walking.time_gap), "walking.time_gap", NUMBER, "1", 0.1, 10, "s",
      "headway: time T between an agent and the one that it follows; speed = (distance - length) "
      "/ T (Tordeux, Chraibi, Seyfried 2016)."),
  ROW(P(walking.length), "walking.length", NUMBER, "0.36", 0.1, 5, "m",
      "headway: distance l at which an agent stops behind another one, and half the width of the "
      "strip ahead in which others are followed or avoided."),
  ROW(P(walking.anticipation), "walking.anticipation", NUMBER, "1", 0, 10, "s",
      "headway: time for which an agent expects those ahead to keep their velocity."),
  ROW(P(walking.sight), "walking.sight", NUMBER, "5", 0.5, 5, "m",
      "headway: how far ahead an agent looks for a free way."),
  ROW(P(walking.spread), "walking.spread", NUMBER, "1", 0, 1, "",
      "headway: share of the free width on either side of the shortest route that agents use: "
      "each keeps to a line of its own, drawn once for its whole way. 0: all follow the shortest "
      "route. If a profile spreads, routes along a field keep a little away from walls. Without "
      "effect with navigation.model: direct and along a street graph (navigation.graph)."),

  ROW(S(name), "name", TEXT, NULL, 0, 0, "", "Name in reports. Default: its number in the list."),
  ROW(S(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and area."),
  ROW(S(area), "area", AREA, "!", -1e8, 1e8, "m",
      "Where the agents of this source stand at the start, or enter."),
  ROW(S(count), "count", OPTIONAL_INTEGER, NULL, 1, 2e9, "people",
      "Number of agents. Alternative to density."),
  ROW(S(density), "density", OPTIONAL, NULL, 1e-9, 100, "people/m^2",
      "Number of agents per square metre of the area's free ground."),
  ROW(S(spacing), "spacing", OPTIONAL, NULL, 0.02, 1e6, "m",
      "With layout grid: distance between agents in a row and between rows. The grid is centred "
      "in the area and holds as many agents as fit."),
  ROW(S(jitter), "jitter", NUMBER, "0", 0, 1000, "m",
      "With layout circle or grid: each agent is displaced at random by up to this much in x and "
      "y. 0.0001 breaks a symmetry."),
  ROW(S(begin), "begin", OPTIONAL, NULL, 0, 1e9, "s",
      "Agents enter from this time on, wherever the area has room; all at once if neither end "
      "nor rate is given."),
  ROW(S(end), "end", OPTIONAL, NULL, 0, 1e9, "s",
      "No agent enters later. With count: agents enter evenly between begin and end. Default: "
      "the end of the run."),
  ROW(S(rate), "rate", OPTIONAL, NULL, 1e-9, 1e5, "people/s",
      "Agents per second that enter between begin and end."),
  ROW(S(timetable), "timetable", TIMETABLE, NULL, 0, 1e9, "s, people",
      "[[time, people], ...]: this many agents enter at each time, as from trains."),
  ROW(S(arrivals), "arrivals", CHOICE, "even", 0, 0, "",
      "With rate: agents enter evenly, or at random times (a Poisson process).",
      CHOICES("a kind of arrivals", "even|random")),
  ROW(S(profiles), "profile", SHARES, NULL, 1e-9, 1e9, "",
      "Name of a profile, or shares: {adult: 0.7, child: 0.3}. Default: the first profile.",
      .noun = "a profile"),
  ROW(S(destinations), "destination", SHARES, NULL, 1e-9, 1e9, "",
      "Name of a destination, or shares: {east: 2, west: 1}. With direct navigation, agents walk "
      "to its nearest point.", .noun = "a destination"),
  ROW(S(journey), "journey", TEXT, NULL, 0, 0, "", "Name of a journey."),
  ROW(S(goal), "goal", PLACE, NULL, -1e8, 1e8, "m", "[x, y]: agents walk straight to this point."),
  ROW(S(goal_area), "goal_area", AREA, NULL, -1e8, 1e8, "m",
      "Each agent walks straight to a random point of this area."),
  ROW(S(opposite), "opposite", PLACE, NULL, -1e8, 1e8, "m",
      "[x, y]: each agent walks straight to the reflection of its starting point in this point."),
  ROW(S(offset), "offset", POINT, NULL, -1e8, 1e8, "m",
      "[x, y]: each agent walks straight to the point at this offset from its starting point."),
  ROW(S(layout), "layout", CHOICE, "random", 0, 0, "",
      "random; circle: evenly along the circle that is the area; grid: in rows.",
      CHOICES("a layout", "random|circle|grid")),
  ROW(S(group), "group", INTEGER_DISTRIBUTION, "1", 1, GROUP_SIZE_MAX, "people",
      "Group size: consecutive agents of the source form groups of these sizes. Members share "
      "profile, destination, reaction and the speed of the slowest, start side by side where "
      "possible, and stay together. 1: no groups."),

  ROW(Z(name), "name", TEXT, "!", 0, 0, "", "Name in the output of `throng check`."),
  ROW(Z(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and areas."),
  ROW(Z(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "Where the zone is."),
  ROW(Z(speed), "speed", NUMBER, "1", ZONE_SPEED_MIN, ZONE_SPEED_MAX, "",
      "Factor of the preferred speed of agents inside (stairs: 0.5); fields account for it. "
      "Where zones overlap, the factors multiply."),
  ROW(Z(no_go), "no_go", FLAG, "false", 0, 0, "",
      "No route of a field leads through the zone. It is not a wall: agents pushed into it are "
      "led out."),
  ROW(Z(one_way), "one_way", POINT, NULL, -1e6, 1e6, "",
      "[dx, dy]: inside, no route of a field leads against this direction."),

  ROW(L(name), "name", TEXT, "!", 0, 0, "", "Name in lines.csv."),
  ROW(L(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and the line."),
  ROW(L(start), "from", PLACE, NULL, -1e8, 1e8, "m",
      "[x, y]. Looking from here to the other end, an agent that crosses from left to right "
      "counts as forward."),
  ROW(L(end), "to", PLACE, NULL, -1e8, 1e8, "m", "[x, y]: the other end."),
  ROW(L(line), "line", POINTS, NULL, -1e8, 1e8, "m",
      "Alternative to from and to: a line of several points, or {feature: name}."),
  ROW(L(wkt), "wkt", TEXT, NULL, 0, 0, "", "Alternative to line: a LINESTRING, m."),

  ROW(M(name), "name", TEXT, "!", 0, 0, "", "Name in areas.csv."),
  ROW(M(features), "features", FEATURES, NULL, 0, 0, "",
      "A file of world.places, or properties of its features: an entry for each name among "
      "them. Replaces name and areas."),
  ROW(M(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "Measured as one area, without the walls."),
};
// clang-format on
const int option_count = (int)(sizeof options / sizeof *options);
