#include "config.h"
#include "options.h"

const struct option_scope_info option_scopes[SCOPE_COUNT] = {
    {"", "", sizeof(struct config), NULL, NULL},
    {"destinations[].", "destinations[%d]", sizeof(struct destination_config), "Destinations",
     "`destinations:` is a list. Options of each entry"},
    {"journeys[].", "journeys[%d]", sizeof(struct journey_config), "Journeys",
     "`journeys:` is a list. Options of each entry"},
    {"doors[].", "doors[%d]", sizeof(struct door_config), "Doors",
     "`doors:` is a list. Each entry gives either `line` or `area`. Options of each entry"},
    {"events[].", "events[%d]", sizeof(struct event_config), "Events",
     "`events:` is a list. Each entry gives either `at`, or `area` and one of `count_above`, "
     "`count_below` and `density_above`. Options of each entry"},
    {"profiles[].", "profiles[%d]", sizeof(struct profile_config), "Profiles",
     "`profiles:` is a list. Options of each entry"},
    {"sources[].", "sources[%d]", sizeof(struct source_config), "Sources",
     "`sources:` is a list. Each entry gives one of `count`, `density`, `spacing`, `rate`, "
     "`timetable` and rows of `trips`, and one of `destination`, `journey`, `goal`, `goal_area`, "
     "`opposite` and `offset`. Options of each entry"},
    {"measure.lines[].", "measure.lines[%d]", sizeof(struct line_config), "Lines",
     "`measure.lines:` is a list. Each entry gives `from` and `to`, `line` or `wkt`. Options of "
     "each entry"},
    {"measure.areas[].", "measure.areas[%d]", sizeof(struct measured_config), "Measured areas",
     "`measure.areas:` is a list. Options of each entry"},
    {"zones[].", "zones[%d]", sizeof(struct zone_config), "Zones",
     "`zones:` is a list. Each entry gives at least one of `speed`, `no_go` and `one_way`; the "
     "last two need `navigation.model: field`. Options of each entry"},
};
