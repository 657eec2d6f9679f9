// Lines and cells of comma-separated values, with their locations for messages.
#pragma once
#include "diagnostics.h"

// Optional columns of the table of agents.
#define AGENT_CSV_OPTIONAL                                                                         \
  "vx,vy,radius,speed,goal_x,goal_y,destination,horizon,neighbours,neighbour_distance,"            \
  "max_acceleration,yield"

#define CSV_CELL 80 // bytes; longer cells are truncated

// Copies the next cell of a line without surrounding spaces and stores its column in *at. Start
// with *next = line. False at the end of the line.
bool csv_cell(const char *line, const char **next, struct location *at, char cell[CSV_CELL]);

const char *csv_next(const char *line); // the following line, "" after the last
bool csv_is_blank(const char *line);
// The first line that is not blank; adds the skipped lines to *line.
const char *csv_begin(const char *text, int *line);
