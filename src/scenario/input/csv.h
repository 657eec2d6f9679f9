// Lines and cells of comma-separated values, each with its place for complaints.
#pragma once

#include "diagnostics.h"

// The columns of the CSV of single agents that may be missing.
#define AGENT_CSV_OPTIONAL                                                                         \
  "vx,vy,radius,speed,goal_x,goal_y,destination,horizon,neighbours,neighbour_distance,"            \
  "max_acceleration,yield"

#define CSV_CELL 80 // bytes; no number or name is longer

// The next cell of a line, without the spaces round it, and its column in *at. False: the line is
// over. *next begins as the line and is NULL behind the last cell.
bool csv_cell(const char *line, const char **next, struct location *at, char cell[CSV_CELL]);

const char *csv_next(const char *line); // the line behind it, "" after the last
bool csv_is_blank(const char *line);
const char *csv_begin(const char *text, int *line); // the first line that is not blank, its number
