// Reads comma-separated values (RFC 4180) cell by cell, with their locations for messages. A cell
// in quotes may hold separators, line ends and "" for a quote. If the first row separates its cells
// by semicolons, so does the file, and numbers may have a decimal comma, as spreadsheets write them
// where the comma is the decimal mark.
#pragma once
#include "diagnostics.h"

// Optional columns of the table of agents.
#define AGENT_CSV_OPTIONAL                                                                         \
  "vx,vy,radius,speed,goal_x,goal_y,destination,horizon,neighbours,neighbour_distance,"            \
  "max_acceleration,yield"

struct csv {
  struct diagnostics *diagnostics;
  struct location row, at; // begin of the row, and of the cell read last
  bool failed;             // the quotes of this row are wrong, which is reported
  // The state of the reader.
  const char *next;
  int line, column; // of next
  char separator;   // comma or semicolon
  bool in_row;      // it has more cells
  struct text cell;
};

// text: NUL-terminated; it and the name of the file must outlive the reader.
void csv_open(struct csv *c, const char *text, const char *file, struct diagnostics *p);
void csv_close(struct csv *c);

bool csv_next_row(struct csv *c); // goes to the next row that is not blank; false: there is none
// The next cell of the row, valid until the next call, without the blanks around it and without
// its quotes. NULL: the row has no more cells, or has failed.
const char *csv_next_cell(struct csv *c);
bool csv_number(const struct csv *c, const char *cell, double *value); // number_parse of a cell
