// What was measured, on disk: lines.csv, areas.csv, alarms.csv, travel.csv and the density files,
// each where the scenario asks for it. Rank 0 writes; the others take part in the sums.
#pragma once
#include "append_file.h"
#include "simulation.h"

struct tables {
  char *directory;
  bool quiet;
  struct append_file lines, areas, alarms;
  int64_t last_step;                      // of the last row of lines.csv
  int64_t *last_crossed;                  // [2 * lines] then
  int64_t field_every, field_since;       // steps; every 0: no density files
  int64_t alarm_count[ALARM_KINDS];       // rank 0
  struct travel_times_group travel_total; // who has arrived, after tables_finish
  struct violation first, overlap;        // of the audit, after tables_finish
};

// Each is collective and gives EXIT_IO after a message when a file cannot be written, the same on
// every rank. resuming: from a checkpoint, tables_visit comes next.
enum exit_code tables_create(struct tables *t, struct simulation *s, const char *directory,
                             bool quiet, bool resuming);
void tables_visit(struct tables *t, struct simulation *s, struct state *v);
bool tables_resume(const struct tables *t); // append_file_resume of its files
enum exit_code tables_series(struct tables *t, struct simulation *s); // a row for each moment
enum exit_code tables_field(struct tables *t, struct simulation *s, bool last); // when it is due
bool tables_field_written(const struct tables *t, int64_t step); // the last one is of that step
enum exit_code tables_finish(struct tables *t, struct simulation *s);
void tables_destroy(struct tables *t);

void tables_write_summary(const struct tables *t, const struct simulation *s, FILE *out); // JSON
void tables_print(const struct tables *t, const struct simulation *s); // on standard output
