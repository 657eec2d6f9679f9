// What was measured, on disk: lines.csv, areas.csv, alarms.csv, travel.csv and the density files,
// each where the scenario asks for it. Rank 0 writes; the others take part in the sums.
#pragma once
#include "rows.h"
#include "simulation.h"

struct tables {
  char *directory;
  bool quiet;
  struct rows lines, areas, alarms;
  int64_t last_step;                // of the last row of lines.csv
  int64_t *last_crossed;            // [2 * lines] then
  int64_t field_every, field_since; // steps; every 0: no density files
  int64_t alarm_count[ALARM_KINDS]; // rank 0
  struct travel_group everybody;    // who has arrived, after tables_finish
  struct offender first, overlap;   // of the audit, after tables_finish
};

// Each is collective and gives EXIT_IO after a message when a file cannot be written, the same on
// every rank. going_on: from a checkpoint, tables_visit comes next.
enum exit_code tables_create(struct tables *t, struct simulation *s, const char *directory,
                             bool quiet, bool going_on);
void tables_visit(struct tables *t, struct simulation *s, struct state *v);
bool tables_continue(const struct tables *t);                         // rows_continue of its files
enum exit_code tables_series(struct tables *t, struct simulation *s); // a row for each moment
enum exit_code tables_field(struct tables *t, struct simulation *s, bool last); // when it is due
bool tables_field_written(const struct tables *t, int64_t step); // the last one is of that step
enum exit_code tables_finish(struct tables *t, struct simulation *s);
void tables_destroy(struct tables *t);

void tables_summarise(const struct tables *t, const struct simulation *s, FILE *out); // JSON
void tables_say(const struct tables *t, const struct simulation *s); // on standard output
