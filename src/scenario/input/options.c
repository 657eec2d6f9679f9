#include "options.h"

#include "avoidance.h"
#include "csv.h"
#include "groups.h"
#include "zones.h"
#include <stddef.h>
#include <string.h>

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
#define METHOD(name) "|" #name
#define METHOD_CHOICES &(AVOIDANCE_METHODS(METHOD))[1]
#define CHOICES(noun_, choices_) .noun = noun_, .choices = choices_

const struct option options[] = {
  ROW(F(name), "name", TEXT, NULL, 0, 0, "",
      "Title of the scenario. Default: the file's name without its ending."),
  ROW(F(seed), "seed", INTEGER, "1", 0, 9007199254740992, "",
      "Everything drawn at random follows from it."),

  ROW(F(world.geometry), "world.geometry", TEXT, NULL, 0, 0, "",
      "WKT or GeoJSON file, relative to the scenario's folder."),
  ROW(F(world.role), "world.geometry_is", CHOICE, "obstacles", 0, 0, "",
      "What polygons of that file are that do not say so themselves by a property `throng`.",
      CHOICES("a kind of geometry", "obstacles|walkable")),
  ROW(F(world.units), "world.units", CHOICE, "auto", 0, 0, "",
      "Of the file's coordinates. auto: WKT is metres; GeoJSON is longitude and latitude unless "
      "its `crs` or `throng:projection` says metres.",
      CHOICES("a unit", "auto|metres|degrees")),
  ROW(F(world.centre), "world.centre", POINT, NULL, -180, 180, "degrees",
      "[longitude, latitude] that becomes (0, 0) m. Default: the middle of the geometry."),
  ROW(F(world.obstacles), "world.obstacles", TEXTS, NULL, 0, 0, "",
      "More obstacles as WKT, m. A polygon is solid, a line is a wall both ways."),
  ROW(F(world.walkable), "world.walkable", TEXTS, NULL, 0, 0, "",
      "Walkable polygons as WKT, m. Once anything is walkable, all outside of it is solid."),
  ROW(F(world.extent), "world.extent", RECTANGLE, NULL, -1e8, 1e8, "m",
      "[x0, y0, x1, y1]; agents are kept inside and geometry is cut there. Default: what holds "
      "the geometry, the areas and the agents, and world.margin."),
  ROW(F(world.margin), "world.margin", NUMBER, "5", 0, 10000, "m",
      "Free ground round the default extent."),
  ROW(F(world.simplify), "world.simplify", NUMBER, "0.05", 0, 10, "m",
      "Outlines may be simplified by so much. 0: not at all."),
  ROW(F(world.repair), "world.repair", FLAG, "false", 0, 0, "",
      "Invalid polygons are made valid with a warning; else they are errors."),

  ROW(F(time.step), "time.step", NUMBER, "0.1", 0.001, 10, "s", "Length of one step."),
  ROW(F(time.end), "time.end", NUMBER, "600", 0.001, 1e9, "s",
      "The run ends then, or when everybody has arrived and left."),

  ROW(F(ranks.overlap), "ranks.overlap", FLAG, "true", 0, 0, "",
      "Who sees nobody of another rank chooses while the ranks still tell each other who stands at "
      "their borders. The result is the same."),

  ROW(F(avoidance.method), "avoidance.method", CHOICE, "orca", 0, 0, "",
      "How people avoid each other and walls. none: not at all.",
      CHOICES("a method", METHOD_CHOICES)),
  ROW(F(avoidance.neighbours), "avoidance.neighbours", INTEGER, "10", 1, NEIGHBOURS_MAX, "",
      "How many of the nearest people one sees. A profile may say otherwise, here and below."),
  ROW(F(avoidance.neighbour_distance), "avoidance.neighbour_distance", NUMBER, "5", 0.01, 1000,
      "m", "How far one sees people, from centre to centre."),
  ROW(F(avoidance.horizon), "avoidance.horizon", NUMBER, "2", 0.01, 60, "s",
      "Collisions with people are avoided for so long ahead."),
  ROW(F(avoidance.max_acceleration), "avoidance.max_acceleration", NUMBER, "0", 0, 1e6, "m/s^2",
      "Nobody's velocity changes faster. 0: without limit."),
  ROW(F(avoidance.horizon_walls), "avoidance.horizon_walls", NUMBER, "1", 0.01, 60, "s",
      "Collisions with walls are avoided for so long ahead."),
  ROW(F(avoidance.deadlock_timeout), "avoidance.patience", NUMBER, "5", 0, 1e6, "s",
      "Held up for so long (slower than a tenth of the preferred speed), one steps aside "
      "for a second, at random: dead-locks dissolve. 0: never."),
  ROW(F(avoidance.jam), "avoidance.jam", CHOICE, "perturb", 0, 0, "",
      "What whoever is held up longer than the patience does. perturb: step aside at random. "
      "re_route: that, and on a journey turn to another of the leg's places, at random. report: "
      "nothing; alarms.jam tells of it.",
      CHOICES("a way with jams", "report|perturb|re_route")),
  ROW(F(avoidance.clearpath.variant), "avoidance.clearpath.variant", CHOICE, "relaxed", 0, 0, "",
      "guaranteed: whoever finds a velocity collides with nobody for one step (ClearPath-1). "
      "relaxed: one finds a velocity more often (ClearPath-2).",
      CHOICES("a variant", "relaxed|guaranteed")),
  ROW(F(avoidance.rvo.samples), "avoidance.rvo.samples", INTEGER, "250", 1, 10000, "",
      "How many velocities one tries a step, the preferred one included."),
  ROW(F(avoidance.rvo.safety), "avoidance.rvo.safety", NUMBER, "7.5", 0, 1e6, "m",
      "A velocity's penalty is this over its time to collision, and how far it is from the "
      "preferred one."),
  ROW(F(avoidance.directional.weight), "avoidance.directional.weight", NUMBER, "0.1", 0, 1e6,
      "1/s", "What a second to collision is worth against the preferred direction."),
  ROW(F(avoidance.directional.time_cap), "avoidance.directional.time_cap", NUMBER, "10", 0.01,
      1e6, "s", "A time to collision from here on is as good as none."),
  ROW(F(avoidance.steering.separation), "avoidance.steering.separation", NUMBER, "0", 0, 1000, "",
      "Weight of keeping away from others; of Reynolds' forces on the preferred velocity, like "
      "the next three. 0: without."),
  ROW(F(avoidance.steering.alignment), "avoidance.steering.alignment", NUMBER, "0", 0, 1000, "",
      "Weight of walking as the others do."),
  ROW(F(avoidance.steering.cohesion), "avoidance.steering.cohesion", NUMBER, "0", 0, 1000, "",
      "Weight of keeping together with others."),
  ROW(F(avoidance.steering.unaligned), "avoidance.steering.unaligned", NUMBER, "0", 0, 1000, "",
      "Weight of stepping out of the way of who will come too near."),
  ROW(F(avoidance.steering.separation_distance), "avoidance.steering.separation_distance", NUMBER,
      "0", 0, 1000, "m", "Others nearer than this are kept away from, from disc to disc; nobody beyond "
      "neighbour_distance is seen."),

  ROW(F(navigation.model), "navigation.model", CHOICE, "direct", 0, 0, "",
      "direct: straight to the goal. field: by least travel time to the destination, round walls. "
      "roadmap: by the shortest way round walls, from corner to corner.",
      CHOICES("a navigation", "direct|field|roadmap")),
  ROW(F(navigation.cell), "navigation.cell", NUMBER, "0.5", 0.01, 1000, "m",
      "Side of a cell of the travel time's grid."),
  ROW(F(navigation.clearance), "navigation.clearance", OPTIONAL, NULL, 0, 100, "m",
      "Nobody is led nearer to a wall. Default: the largest radius of any profile."),
  ROW(F(navigation.graph), "navigation.graph", TEXT, NULL, 0, 0, "",
      "With roadmap: WKT or GeoJSON file of lines to walk along, relative to the scenario's folder, "
      "in the units of world.geometry. Default: the roadmap is made of the walls."),

  ROW(F(navigation.live.period), "navigation.live.period", NUMBER, "0", 0, 1e6, "s",
      "So often the travel times are worked out anew for the crowd as it stands and walks then, so "
      "that people go round a jam. 0: never."),
  ROW(F(navigation.live.cell), "navigation.live.cell", NUMBER, "2", 0.1, 1000, "m",
      "Side of the squares whose people are counted for it."),
  ROW(F(navigation.live.time), "navigation.live.time", NUMBER, "0.8", 0, 1000, "",
      "Weight of time in the cost of a metre, that is (length f + time + discomfort g) / f, with f "
      "the share of their speed that people can walk at there and g the people on a square metre."),
  ROW(F(navigation.live.length), "navigation.live.length", NUMBER, "0.2", 0, 1000, "",
      "Weight of length."),
  ROW(F(navigation.live.discomfort), "navigation.live.discomfort", NUMBER, "0", 0, 1000, "m^2",
      "Weight of who stands there."),

  ROW(F(goal.radius), "goal.radius", NUMBER, "0.5", 0.001, 1000, "m",
      "So near to its goal an agent that walks straight has arrived."),
  ROW(F(goal.on_arrival), "goal.on_arrival", CHOICE, "leave", 0, 0, "",
      "Who has arrived leaves the world, stays in it, or turns back to where they came from, "
      "to and fro for ever. turn_back needs navigation.model: direct.",
      CHOICES("an arrival", "leave|stay|turn_back")),

  ROW(F(destinations), "destinations", RECORDS, NULL, 0, 0, "", "Places to go to.",
      .records = SCOPE_DESTINATION),
  ROW(F(profiles), "profiles", RECORDS, NULL, 0, 0, "",
      "Kinds of people. Default: one called person with the defaults below.",
      .records = SCOPE_PROFILE),
  ROW(F(journeys), "journeys", RECORDS, NULL, 0, 0, "", "Ways by several destinations.",
      .records = SCOPE_JOURNEY),
  ROW(F(sources), "sources", RECORDS, NULL, 0, 0, "",
      "Who stands where at the start, and who comes later.", .records = SCOPE_SOURCE),
  ROW(F(doors), "doors", RECORDS, NULL, 0, 0, "",
      "Walls and obstacles that come and go.", .records = SCOPE_DOOR),
  ROW(F(events), "events", RECORDS, NULL, 0, 0, "",
      "What happens at a time or when people have come together.", .records = SCOPE_EVENT),
  ROW(F(od_matrix), "trips", TEXT, NULL, 0, 0, "",
      "CSV file of who goes from where to where (an OD matrix), relative to the scenario's folder. "
      "Header: from,to,people and begin,end or not: so many of that source to that destination "
      "come evenly between the two times, s, or are there at the start."),
  ROW(F(zones), "zones", RECORDS, NULL, 0, 0, "",
      "Areas where one walks at another speed, not at all, or one way only.",
      .records = SCOPE_ZONE),
  ROW(F(agents), "agents", TEXT, NULL, 0, 0, "",
      "CSV file of single agents, relative to the scenario's folder. Header: id,x,y and any of "
      AGENT_CSV_OPTIONAL ". The agents of sources get the ids after the largest in it."),

  ROW(F(measure.lines), "measure.lines", RECORDS, NULL, 0, 0, "",
      "Lines at which people are counted: lines.csv.", .records = SCOPE_LINE),
  ROW(F(measure.areas), "measure.areas", RECORDS, NULL, 0, 0, "",
      "Areas in which density and speed are measured: areas.csv.", .records = SCOPE_MEASURED),
  ROW(F(measure.grid.cell), "measure.grid.cell", NUMBER, "1", 0.01, 1000, "m",
      "Side of a cell of the grid for fields of density and for alarms.density."),
  ROW(F(measure.grid.every), "measure.grid.every", NUMBER, "0", 0, 1e9, "s",
      "Simulated time between density files, each the mean since the last. 0: none."),
  ROW(F(measure.grid.sample), "measure.grid.sample", NUMBER, "0.5", 0, 1e9, "s",
      "So often the grid is looked at for that mean. 0: every step."),
  ROW(F(alarms.density), "alarms.density", NUMBER, "0", 0, 1000, "people/m^2",
      "A cell of the grid with more than this is told of in alarms.csv. 0: none is."),
  ROW(F(alarms.every), "alarms.every", NUMBER, "1", 0, 1e9, "s",
      "So often cells are looked at for that. 0: every step."),
  ROW(F(alarms.jam), "alarms.jam", NUMBER, "0", 0, 1e6, "s",
      "Whoever is held up for so long on end (slower than a tenth of the preferred speed) is told "
      "of in alarms.csv. 0: nobody is."),

  ROW(F(balance.when), "balance.when", CHOICE, "auto", 0, 0, "",
      "When the ranks' boxes are cut anew; no result depends on it. auto: when the ranks have waited for "
      "each other longer than that takes. never. always: at every look.",
      CHOICES("a time", "auto|never|always")),
  ROW(F(balance.every), "balance.every", INTEGER, "10", 1, 1e9, "steps",
      "Between looks at how long each rank computes."),
  ROW(F(balance.threshold), "balance.threshold", NUMBER, "1.05", 1, 1000, "",
      "With auto: the boxes move only while the slowest rank computes for more than so many times "
      "the mean."),

  ROW(F(output.directory), "output.directory", TEXT, NULL, 0, 0, "",
      "Where a run writes. Default: runs/NAME."),
  ROW(F(output.snapshot_every), "output.snapshot_every", NUMBER, "10", 0, 1e9, "s",
      "Simulated time between snapshots. 0: only the first and the last."),
  ROW(F(output.series_every), "output.series_every", NUMBER, "1", 0, 1e9, "s",
      "Simulated time between lines of series.csv. 0: every step."),
  ROW(F(output.checkpoint_every), "output.checkpoint_every", NUMBER, "0", 0, 1e9, "s",
      "Simulated time between checkpoints, from which `throng run CONFIG --restart auto` goes on; "
      "the two newest are kept. 0: none."),
  ROW(F(output.checkpoint_wall), "output.checkpoint_wall", NUMBER, "0", 0, 1e9, "s",
      "Wall time after which another checkpoint is written. 0: none."),
  ROW(F(output.fields), "output.fields", TEXTS, NULL, 0, 0, "",
      "What snapshots hold of everybody besides the position: some of id, velocity, speed, radius, "
      "destination. All of it, if not given."),
  ROW(F(output.stride), "output.stride", INTEGER, "1", 1, 1e9, "",
      "Snapshots hold those whose id is a multiple of it."),
  ROW(F(output.region), "output.region", RECTANGLE, NULL, -1e8, 1e8, "m",
      "[x0, y0, x1, y1]: snapshots hold those who stand in it. Everybody, if not given."),
  ROW(F(output.positions), "output.positions", CHOICE, "f32", 0, 0, "",
      "Coordinates in snapshots: 32 or 64 bits.", CHOICES("a number format", "f32|f64")),
  ROW(F(output.compression), "output.compression", INTEGER, "1", 0, 9, "",
      "Deflate level of snapshots and checkpoints. 0: none."),

  ROW(D(name), "name", TEXT, "!", 0, 0, "", "What sources call it."),
  ROW(D(areas), "areas", AREAS, "!", -1e8, 1e8, "m",
      "Several areas are several exits: the nearest in travel time is taken."),

  ROW(D(stay), "stay", DISTRIBUTION, NULL, 0, 1e9, "s",
      "On a journey one stays somewhere in it for so long. Default: one goes on at once."),
  ROW(D(until_called), "until_called", FLAG, "false", 0, 0, "",
      "On a journey one stays somewhere in it until an event calls."),
  ROW(D(live), "live", FLAG, "true", 0, 0, "",
      "With navigation.live: its travel times follow the crowd. false: they stay, which costs nothing."),
  ROW(D(queue.line), "queue.line", POINTS, NULL, -1e8, 1e8, "m",
      "[[x, y], ...] from its head: whoever comes to the destination on a journey queues here."),
  ROW(D(queue.spacing), "queue.spacing", NUMBER, "0.6", 0.05, 1000, "m",
      "From one to the next in the queue."),
  ROW(D(queue.service), "queue.service", DISTRIBUTION, "10", 0.001, 1e9, "s",
      "So long the head of the queue is served."),
  ROW(D(flow), "flow", OPTIONAL, NULL, 1e-6, 1e6, "people/s",
      "No more than so many leave by it; the others wait in it. Default: without limit."),

  ROW(J(name), "name", TEXT, "!", 0, 0, "", "What sources call it."),
  ROW(J(via), "via", LEGS, "!", 1e-9, 1e9, "",
      "Its places in order, each a destination's name, or one of several: {random: {name: "
      "weight}}, {least: [names]}, that the fewest are on the way to or at, {nearest: [names]} in "
      "travel time."),
  ROW(J(then), "then", CHOICE, "leave", 0, 0, "",
      "Behind the last place one leaves, or begins again with the first.",
      CHOICES("an end", "leave|again")),

  ROW(O(name), "name", TEXT, "!", 0, 0, "", "What events call it."),
  ROW(O(line), "line", POINTS, NULL, -1e8, 1e8, "m", "[[x, y], ...]: a wall both ways. Or give area."),
  ROW(O(area), "area", AREA, NULL, -1e8, 1e8, "m", "All of it is solid."),
  ROW(O(closed), "closed", FLAG, "false", 0, 0, "", "It is there from the start."),

  ROW(E(name), "name", TEXT, NULL, 0, 0, "", "For reports. Default: its number."),
  ROW(E(at), "at", OPTIONAL, NULL, 0, 1e9, "s",
      "It happens then; or, without it, as soon as one of the next three holds, once."),
  ROW(E(area), "area", AREA, NULL, -1e8, 1e8, "m", "Where people are counted, once a second."),
  ROW(E(count_above), "count_above", OPTIONAL, NULL, 0, 1e9, "people", "More than so many are in it."),
  ROW(E(count_below), "count_below", OPTIONAL, NULL, 0, 1e9, "people", "Fewer than so many are in it."),
  ROW(E(density_above), "density_above", OPTIONAL, NULL, 0, 100, "people/m^2",
      "They stand closer than that, on average over the area."),
  ROW(E(open), "open", TEXTS, NULL, 0, 0, "",
      "Doors, destinations, or single areas of them, as in exits.0, that open."),
  ROW(E(close), "close", TEXTS, NULL, 0, 0, "",
      "The same that close: a door as soon as nobody stands in it, and nobody is led any more to an "
      "area that is closed."),
  ROW(E(call), "call", TEXTS, NULL, 0, 0, "",
      "Destinations where everybody who stays until called goes on."),
  ROW(E(rate), "rate", SHARES, NULL, 0, 1000, "",
      "{source: factor}: from now on it gives so many times its usual rate, at most 1000; 0: nobody comes.",
      .noun = "a source"),

  ROW(P(name), "name", TEXT, "!", 0, 0, "", "What sources call it."),
  ROW(P(speed), "speed", DISTRIBUTION, "{normal: [1.34, 0.26, 0.6, 2]}", 0, AGENT_SPEED_MAX / 2,
      "m/s", "Preferred walking speed."),
  ROW(P(radius), "radius", DISTRIBUTION, "0.25", 0.01, AGENT_RADIUS_MAX, "m",
      "Of the disc that an agent is."),
  ROW(P(max_speed), "max_speed", DISTRIBUTION, NULL, 0.001, AGENT_SPEED_MAX, "m/s",
      "Nobody is ever faster. Default: 1.3 times the agent's own speed; never below that speed."),
  ROW(P(horizon), "horizon", DISTRIBUTION, NULL, 0.01, 60, "s",
      "Collisions with people are avoided for so long ahead. Default: avoidance.horizon."),
  ROW(P(neighbour_distance), "neighbour_distance", DISTRIBUTION, NULL, 0.01, 1000, "m",
      "How far one sees people, from centre to centre. Default: avoidance.neighbour_distance."),
  ROW(P(neighbours), "neighbours", INTEGER_DISTRIBUTION, NULL, 1, NEIGHBOURS_MAX, "people",
      "How many of the nearest people one sees. Default: avoidance.neighbours."),
  ROW(P(max_acceleration), "max_acceleration", DISTRIBUTION, NULL, 0, 1e6, "m/s^2",
      "One's velocity changes no faster. 0: without limit. Default: avoidance.max_acceleration."),
  ROW(P(yield), "yield", DISTRIBUTION, "1", 0, 1000, "",
      "Willingness to give way: of what two have to avoid, A's share is yield_A / (yield_A + "
      "yield_B). 0: walks as it wishes, the others make all of the way."),

  ROW(P(reaction), "reaction", DISTRIBUTION, "0", 0, 1e6, "s",
      "One stands for so long before one sets out."),

  ROW(P(density.model), "density.model", CHOICE, "none", 0, 0, "",
      "How one slows down in a crowd. none: not at all. weidmann: as people do, by the density "
      "that one sees ahead. table: by density.table.",
      CHOICES("a model", "none|weidmann|table")),
  ROW(P(density.window), "density.window", POINT, "[2.5, 2]", 0.2, 20, "m",
      "[ahead, width]: where one looks, in the direction of one's wish."),
  ROW(P(density.table), "density.table", PAIRS, NULL, 0, 100, "people/m^2, 1",
      "[density, share of the preferred speed], ascending; between them on a line, beyond the "
      "ends as at them, from 8 people/m^2 on as there."),
  ROW(P(density.least), "density.least", NUMBER, "0.05", 0.001, 1, "",
      "Share of the preferred speed that is always left, so that jams dissolve."),

  ROW(S(name), "name", TEXT, NULL, 0, 0, "", "For reports. Default: its number."),
  ROW(S(area), "area", AREA, "!", -1e8, 1e8, "m", "Where they stand at the start."),
  ROW(S(count), "count", OPTIONAL_INTEGER, NULL, 1, 2e9, "people", "How many. Or give density."),
  ROW(S(density), "density", OPTIONAL, NULL, 1e-9, 100, "people/m^2",
      "How many to a square metre of the area's ground that can be stood on."),
  ROW(S(spacing), "spacing", OPTIONAL, NULL, 0.02, 1e6, "m",
      "With layout grid: from one to the next in a row, and from row to row; in the middle of "
      "the area, as many as fit."),
  ROW(S(jitter), "jitter", NUMBER, "0", 0, 1000, "m",
      "With layout circle or grid: everybody stands off their place at random by up to so much "
      "in x and y. 0.0001 breaks a symmetry."),
  ROW(S(begin), "begin", OPTIONAL, NULL, 0, 1e9, "s",
      "They come from then on, wherever there is room in the area; all at once when neither end nor "
      "rate is given."),
  ROW(S(end), "end", OPTIONAL, NULL, 0, 1e9, "s",
      "Nobody comes later. With count: they come evenly from begin on. Default: as long as there is time."),
  ROW(S(rate), "rate", OPTIONAL, NULL, 1e-9, 1e5, "people/s", "So many come from begin to end."),
  ROW(S(timetable), "timetable", TIMETABLE, NULL, 0, 1e9, "s, people",
      "[[time, people], ...]: so many come at each time, as from trains."),
  ROW(S(arrivals), "arrivals", CHOICE, "even", 0, 0, "",
      "With rate: evenly, or at random times (a Poisson process).",
      CHOICES("a kind of arrivals", "even|random")),
  ROW(S(profiles), "profile", SHARES, NULL, 1e-9, 1e9, "",
      "A profile's name, or shares: {adult: 0.7, child: 0.3}. Default: the first profile.",
      .noun = "a profile"),
  ROW(S(destinations), "destination", SHARES, NULL, 1e-9, 1e9, "",
      "A destination's name, or shares: {east: 2, west: 1}. With direct navigation they walk to "
      "its nearest point.", .noun = "a destination"),
  ROW(S(journey), "journey", TEXT, NULL, 0, 0, "", "A journey's name."),
  ROW(S(goal), "goal", POINT, NULL, -1e8, 1e8, "m", "[x, y] to walk straight to."),
  ROW(S(goal_area), "goal_area", AREA, NULL, -1e8, 1e8, "m",
      "Everybody walks straight to a random point of it."),
  ROW(S(opposite), "opposite", POINT, NULL, -1e8, 1e8, "m",
      "[x, y]: everybody walks straight to the place mirrored in that point."),
  ROW(S(offset), "offset", POINT, NULL, -1e8, 1e8, "m",
      "[x, y]: everybody walks straight to the place that lies so far from their own."),
  ROW(S(layout), "layout", CHOICE, "random", 0, 0, "",
      "random; circle: evenly on the line of the circle that is the area; grid: in rows.",
      CHOICES("a layout", "random|circle|grid")),
  ROW(S(group), "group", INTEGER_DISTRIBUTION, "1", 1, GROUP_SIZE_MAX, "people",
      "People of a source who follow each other are groups of such sizes: they share profile, "
      "destination, reaction and the speed of the slowest, start side by side where they can, and "
      "keep together. 1: everybody walks alone."),

  ROW(Z(name), "name", TEXT, "!", 0, 0, "", "For `throng check`."),
  ROW(Z(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "Where it is."),
  ROW(Z(speed), "speed", NUMBER, "1", ZONE_SPEED_MIN, ZONE_SPEED_MAX, "",
      "Factor of the preferred speed of who is inside (stairs: 0.5); fields know of it. Where "
      "zones overlap they multiply."),
  ROW(Z(no_go), "no_go", FLAG, "false", 0, 0, "",
      "No field leads through; there is no wall. Who is pushed in is led out."),
  ROW(Z(one_way), "one_way", POINT, NULL, -1e6, 1e6, "",
      "[dx, dy]: no field leads against that direction inside."),

  ROW(L(name), "name", TEXT, "!", 0, 0, "", "What lines.csv calls it."),
  ROW(L(start), "from", POINT, NULL, -1e8, 1e8, "m",
      "[x, y]. Who comes from the left, looking from here to the other end, goes forward."),
  ROW(L(end), "to", POINT, NULL, -1e8, 1e8, "m", "[x, y]."),
  ROW(L(wkt), "wkt", TEXT, NULL, 0, 0, "", "Or a LINESTRING of several corners, m."),

  ROW(M(name), "name", TEXT, "!", 0, 0, "", "What areas.csv calls it."),
  ROW(M(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "They are taken as one, without the walls."),
};
// clang-format on
const int option_count = (int)(sizeof options / sizeof *options);

const struct option_scope_info option_scopes[SCOPE_COUNT] = {
    {"", "", sizeof(struct config), NULL, NULL},
    {"destinations[].", "destinations[%d]", sizeof(struct destination_config), "Destinations",
     "`destinations:` is a list of"},
    {"journeys[].", "journeys[%d]", sizeof(struct journey_config), "Journeys",
     "`journeys:` is a list of"},
    {"doors[].", "doors[%d]", sizeof(struct door_config), "Doors",
     "`doors:` is a list of; each gives one of `line` and `area`"},
    {"events[].", "events[%d]", sizeof(struct event_config), "Events",
     "`events:` is a list of; each happens at a time, or when people in an area are many or few"},
    {"profiles[].", "profiles[%d]", sizeof(struct profile_config), "Profiles",
     "`profiles:` is a list of"},
    {"sources[].", "sources[%d]", sizeof(struct source_config), "Sources",
     "`sources:` is a list of; each gives one of `count`, `density`, `spacing`, `rate`, "
     "`timetable` and rows of `trips`, and one of `destination`, `journey`, `goal`, `goal_area`, "
     "`opposite` and `offset`"},
    {"measure.lines[].", "measure.lines[%d]", sizeof(struct line_config), "Lines",
     "`measure.lines:` is a list of; each gives `from` and `to`, or `wkt`"},
    {"measure.areas[].", "measure.areas[%d]", sizeof(struct measured_config), "Measured areas",
     "`measure.areas:` is a list of"},
    {"zones[].", "zones[%d]", sizeof(struct zone_config), "Zones",
     "`zones:` is a list of; each gives one of `speed`, `no_go` and `one_way` at least, and the "
     "last two need `navigation.model: field`"},
};
