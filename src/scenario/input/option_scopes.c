// The table of options: those of the entries of lists, and where each group of options belongs.
#include "avoidance.h"
#include "config.h"
#include "groups.h"
#include "option_rows.h"
#include "zones.h"

// clang-format off
#define D(member) SCOPE_DESTINATION, offsetof(struct destination_config, member)
#define J(member) SCOPE_JOURNEY, offsetof(struct journey_config, member)
#define O(member) SCOPE_DOOR, offsetof(struct door_config, member)
#define E(member) SCOPE_EVENT, offsetof(struct event_config, member)
#define P(member) SCOPE_PROFILE, offsetof(struct profile_config, member)
#define Z(member) SCOPE_ZONE, offsetof(struct zone_config, member)
#define S(member) SCOPE_SOURCE, offsetof(struct source_config, member)
#define L(member) SCOPE_LINE, offsetof(struct line_config, member)
#define M(member) SCOPE_MEASURED, offsetof(struct measured_config, member)
#define FEATURES_ROW(of, replaced) \
  ROW(of(features), "features", FEATURES, NULL, 0, 0, "", \
      "A file of world.places, or properties of its features: an entry for each name among " \
      "them. Replaces name and " replaced ".")

static const struct option destination_options[] = {
  ROW(D(name), "name", TEXT, "!", 0, 0, "", "Name used by sources and journeys."),
  FEATURES_ROW(D, "areas"),
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
};

static const struct option journey_options[] = {
  ROW(J(name), "name", TEXT, "!", 0, 0, "", "Name used by sources."),
  ROW(J(via), "via", LEGS, "!", 1e-9, 1e9, "",
      "Destinations in order. Each is the name of a destination, or a choice of one of several: "
      "{random: {name: weight}}, {least: [names]} (the one with the fewest agents at it or on "
      "their way to it), or {nearest: [names]} (in travel time)."),
  ROW(J(then), "then", CHOICE, "leave", 0, 0, "",
      "After the last destination, agents leave or start again at the first.",
      CHOICES("a journey end", "leave|again")),
};

static const struct option door_options[] = {
  ROW(O(name), "name", TEXT, "!", 0, 0, "", "Name used by events."),
  FEATURES_ROW(O, "line or area"),
  ROW(O(line), "line", POINTS, NULL, -1e8, 1e8, "m",
      "[[x, y], ...]: a wall on both sides. Alternative to area."),
  ROW(O(area), "area", AREA, NULL, -1e8, 1e8, "m", "A solid area. Alternative to line."),
  ROW(O(closed), "closed", FLAG, "false", 0, 0, "", "true: the door is closed at the start."),
};

static const struct option event_options[] = {
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
};

static const struct option profile_options[] = {
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
  ROW(P(walking.queue), "walking.queue", NUMBER, "0.3", 0, 1, "",
      "headway: agents that spread and walk slower than half of their speed head for their own "
      "place in the narrowest place ahead: this share of the way from the route to its middle (by "
      "trajectories of HERMES ao-300 and 040_c_56). 0: they follow the route."),
  ROW(P(walking.shoulders), "walking.shoulders", NUMBER, "0.46", 0, 2, "m",
      "headway: width of the shoulders. In a passage of width w agents turn them, and keep w less "
      "this from its walls, at least 0.04 m and at most their radius (by trajectories of "
      "experiment 040_c_56). 0: they keep their radius."),
  ROW(P(walking.steps_aside), "walking.steps_aside", NUMBER, "1", 0, 100, "m",
      "headway: agents slow down for an oncoming one as for one ahead that is this much farther "
      "away, since it steps aside (by the flow of two ways, Zhang and others 2012). 100: they do "
      "not slow down."),
};

static const struct option source_options[] = {
  ROW(S(name), "name", TEXT, NULL, 0, 0, "", "Name in reports. Default: its number in the list."),
  FEATURES_ROW(S, "area"),
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
};

static const struct option zone_options[] = {
  ROW(Z(name), "name", TEXT, "!", 0, 0, "", "Name in the output of `throng check`."),
  FEATURES_ROW(Z, "areas"),
  ROW(Z(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "Where the zone is."),
  ROW(Z(speed), "speed", NUMBER, "1", ZONE_SPEED_MIN, ZONE_SPEED_MAX, "",
      "Factor of the preferred speed of agents inside (stairs: 0.5); fields account for it. "
      "Where zones overlap, the factors multiply."),
  ROW(Z(no_go), "no_go", FLAG, "false", 0, 0, "",
      "No route of a field leads through the zone. It is not a wall: agents pushed into it are "
      "led out."),
  ROW(Z(one_way), "one_way", POINT, NULL, -1e6, 1e6, "",
      "[dx, dy]: inside, no route of a field leads against this direction."),
};

static const struct option line_options[] = {
  ROW(L(name), "name", TEXT, "!", 0, 0, "", "Name in lines.csv."),
  FEATURES_ROW(L, "the line"),
  ROW(L(start), "from", PLACE, NULL, -1e8, 1e8, "m",
      "[x, y]. Looking from here to the other end, an agent that crosses from left to right "
      "counts as forward."),
  ROW(L(end), "to", PLACE, NULL, -1e8, 1e8, "m", "[x, y]: the other end."),
  ROW(L(line), "line", POINTS, NULL, -1e8, 1e8, "m",
      "Alternative to from and to: a line of several points, or {feature: name}."),
  ROW(L(wkt), "wkt", TEXT, NULL, 0, 0, "", "Alternative to line: a LINESTRING, m."),
};

static const struct option measured_options[] = {
  ROW(M(name), "name", TEXT, "!", 0, 0, "", "Name in areas.csv."),
  FEATURES_ROW(M, "areas"),
  ROW(M(areas), "areas", AREAS, "!", -1e8, 1e8, "m", "Measured as one area, without the walls."),
};
// clang-format on

#define ENTRIES(options) (const struct option_section[]){SECTION(NULL, options)}, 1

const struct option_scope_info option_scopes[SCOPE_COUNT] = {
    {"", "", sizeof(struct config), NULL, NULL, file_sections, FILE_SECTIONS},
    {"destinations[].", "destinations[%d]", sizeof(struct destination_config), "Destinations",
     "`destinations:` is a list. Options of each entry", ENTRIES(destination_options)},
    {"journeys[].", "journeys[%d]", sizeof(struct journey_config), "Journeys",
     "`journeys:` is a list. Options of each entry", ENTRIES(journey_options)},
    {"doors[].", "doors[%d]", sizeof(struct door_config), "Doors",
     "`doors:` is a list. Each entry gives either `line` or `area`. Options of each entry",
     ENTRIES(door_options)},
    {"events[].", "events[%d]", sizeof(struct event_config), "Events",
     "`events:` is a list. Each entry gives either `at`, or `area` and one of `count_above`, "
     "`count_below` and `density_above`. Options of each entry",
     ENTRIES(event_options)},
    {"profiles[].", "profiles[%d]", sizeof(struct profile_config), "Profiles",
     "`profiles:` is a list. Options of each entry", ENTRIES(profile_options)},
    {"sources[].", "sources[%d]", sizeof(struct source_config), "Sources",
     "`sources:` is a list. Each entry gives one of `count`, `density`, `spacing`, `rate`, "
     "`timetable` and rows of `trips`, and one of `destination`, `journey`, `goal`, `goal_area`, "
     "`opposite` and `offset`. Options of each entry",
     ENTRIES(source_options)},
    {"measure.lines[].", "measure.lines[%d]", sizeof(struct line_config), "Lines",
     "`measure.lines:` is a list. Each entry gives `from` and `to`, `line` or `wkt`. Options of "
     "each entry",
     ENTRIES(line_options)},
    {"measure.areas[].", "measure.areas[%d]", sizeof(struct measured_config), "Measured areas",
     "`measure.areas:` is a list. Options of each entry", ENTRIES(measured_options)},
    {"zones[].", "zones[%d]", sizeof(struct zone_config), "Zones",
     "`zones:` is a list. Each entry gives at least one of `speed`, `no_go` and `one_way`; the "
     "last two need `navigation.model: field`. Options of each entry",
     ENTRIES(zone_options)},
};

const struct option *option_at(enum option_scope scope, int i)
{
  const struct option_scope_info *info = &option_scopes[scope];
  for (int k = 0; k < info->section_count; i -= info->sections[k++].count)
    if (i < info->sections[k].count)
      return &info->sections[k].options[i];
  return NULL;
}
