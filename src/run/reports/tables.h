// The measurements of a run as files: lines.csv, areas.csv, alarms.csv, people.csv, queues.csv,
// travel.csv, the density fields and their totals, each if the scenario configures it. Rank 0
// writes; all ranks take part in the reductions.
#pragma once
#include "append_file.h"
#include "simulation.h"
#include "worker.h"

struct tables {
  char *directory;
  bool quiet;
  struct append_file lines, areas, alarms, people, queues;
  int64_t last_step;                      // of the last row of lines.csv
  int64_t *last_crossed;                  // [2 * lines] totals at last_step
  int64_t field_every, field_since;       // steps; every 0: no density files
  struct measure_sum *unused_cells;       // of the last field, all 0, for the next; or NULL
  int64_t alarm_count[ALARM_KINDS];       // rank 0
  struct travel_times_group travel_total; // of all arrived agents, after tables_finish
  struct violation first, overlap;        // of the audit, after tables_finish
};

// The functions with an exit code are collective. EXIT_IO, after a message: a file cannot be
// written; equal on every rank. resuming: keeps the existing files; the caller then reads a
// checkpoint by tables_visit.
enum exit_code tables_create(struct tables *t, struct simulation *s, const char *directory,
                             bool quiet, bool resuming);
void tables_visit(struct tables *t, struct simulation *s, struct state *v);
bool tables_resume(const struct tables *t); // append_file_resume of its files
enum exit_code tables_series(struct tables *t, struct simulation *s); // appends the rows of a step
// Writes the density field if it is due; last: due at the end of the run. writer: writes the file
// while the run goes on, and has the code of a failure; needs one rank. NULL: the file is complete
// on return.
enum exit_code tables_field(struct tables *t, struct simulation *s, bool last,
                            struct worker *writer);
// Writes the totals of the run up to now, with the interval that has not ended. No other thread may
// be writing.
enum exit_code tables_totals(const struct tables *t, struct simulation *s);
bool tables_field_written(const struct tables *t, int64_t step); // the last field is of that step
enum exit_code tables_finish(struct tables *t, struct simulation *s);
void tables_destroy(struct tables *t);

void tables_write_summary(const struct tables *t, const struct simulation *s, FILE *out); // JSON
void tables_print(const struct tables *t, const struct simulation *s); // to standard output
