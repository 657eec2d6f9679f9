// The end of a run: travel.csv, and the measurements in the summary.
#include "tables_internal.h"

#include <inttypes.h>

// ----------------------------------------------------------------------------------- travel

static void group_sum(const struct comm *c, const struct travel_times *t,
                      struct travel_times_group *g)
{
  int64_t sums[] = {g->count, g->steps, g->delay_steps};
  int64_t extremes[] = {g->most, g->count ? -g->least : -INT64_MAX};
  comm_sum(c, sums, 3);
  if (sums[0] == 0)
    return;
  comm_max(c, extremes, 2);
  *g =
      (struct travel_times_group){sums[0], sums[1], sums[2], -extremes[1], extremes[0], g->seconds};
  travel_times_reserve(t, g);
  comm_sum(c, g->seconds, t->bins);
}

static void group_write(FILE *out, const struct travel_times *t, const struct travel_times_group *g,
                        const char *const *names)
{
  for (int k = 0; k < 3; k++) {
    table_text(out, names[k]);
    fputc(',', out);
  }
  const double n = (double)g->count;
  fprintf(out, "%" PRId64 ",%.6f,%.9g,%.9g,%.6f,%" PRId64 ",%" PRId64 ",%" PRId64 "\n", g->count,
          (double)g->steps * t->dt / n, (double)g->least * t->dt, (double)g->most * t->dt,
          (double)g->delay_steps * t->dt / n, travel_times_quantile(t, g, 0.5),
          travel_times_quantile(t, g, 0.9), travel_times_quantile(t, g, 0.95));
}

// Merges the groups with source which[0], profile which[1] and destination which[2]; -1: any.
static struct travel_times_group merge_groups(const struct travel_times *t, const int32_t *which)
{
  struct travel_times_group all = {0};
  for (int64_t k = 0; k < travel_times_group_count(t); k++) {
    const int32_t index[] = {(int32_t)(k / t->stops / t->profiles),
                             (int32_t)(k / t->stops % t->profiles), (int32_t)(k % t->stops)};
    bool matches = true;
    for (int d = 0; d < 3; d++)
      matches = matches && (which[d] < 0 || which[d] == index[d]);
    if (matches)
      travel_times_merge(t, &all, &t->groups[k]);
  }
  return all;
}

static void merged_group_write(FILE *out, const struct simulation *s, const int32_t *which)
{
  const struct travel_times *t = &s->measurements.travel_times;
  const struct scenario *c = s->scenario;
  const char *names[] = {which[0] < 0    ? "all"
                         : which[0] == 0 ? "(table)"
                                         : c->source_names[which[0] - 1],
                         which[1] < 0 ? "all" : c->profile_names[which[1]],
                         which[2] < 0    ? "all"
                         : which[2] == 0 ? "(point)"
                                         : c->destination_names[which[2] - 1]};
  struct travel_times_group g = merge_groups(t, which);
  if (g.count)
    group_write(out, t, &g, names);
  memory_destroy(g.seconds);
}

// All agents, then by source, by profile, by destination, then by all three.
static void travel_write(FILE *out, const struct simulation *s)
{
  const struct travel_times *t = &s->measurements.travel_times;
  const int32_t sizes[] = {t->sources, t->profiles, t->stops};
  merged_group_write(out, s, (const int32_t[]){-1, -1, -1});
  for (int d = 0; d < 3; d++)
    for (int32_t k = 0; k < sizes[d]; k++) {
      int32_t which[] = {-1, -1, -1};
      which[d] = k;
      merged_group_write(out, s, which);
    }
  for (int64_t k = 0; k < travel_times_group_count(t); k++)
    if (t->groups[k].count)
      merged_group_write(out, s,
                         (const int32_t[]){(int32_t)(k / t->stops / t->profiles),
                                           (int32_t)(k / t->stops % t->profiles),
                                           (int32_t)(k % t->stops)});
}

enum exit_code tables_finish(struct tables *t, struct simulation *s)
{
  struct travel_times *travel_times = &s->measurements.travel_times;
  for (int64_t k = 0; k < travel_times_group_count(travel_times); k++)
    group_sum(s->comm, travel_times, &travel_times->groups[k]);
  t->travel_total = merge_groups(travel_times, (const int32_t[]){-1, -1, -1});
  t->first = measurements_first_offender(&s->measurements);
  t->overlap = measurements_first_overlap(&s->measurements);
  if (s->scenario->measure.lists_people)
    tables_people_inside(t, s);
  bool good = append_file_flush(&t->people);
  if (s->comm->rank == 0 && s->scenario->leave_at_goal) {
    FILE *out = table_open(t, "travel.csv",
                           "source,profile,destination,count,mean_s,min_s,max_s,mean_waiting_s,"
                           "median_s,p90_s,p95_s");
    if (out)
      travel_write(out, s);
    good = good && out && !ferror(out);
    good = out && fclose(out) == 0 && good;
  }
  return tables_agree(t, s, good);
}

// ---------------------------------------------------------------------------------- summary

static void violation_write(const struct violation *violation, const char *key,
                            const struct simulation *s, FILE *out)
{
  char text[200];
  if (violation->step == INT64_MAX) {
    fprintf(out, "\"%s\": null", key);
    return;
  }
  offender_text(violation, &s->scenario->world.frame, text, sizeof text);
  fprintf(out, "\"%s\": \"%s\"", key, text);
}

// Nobody has travelled: there is no time, not one of 0.
static void travel_write_none(FILE *out)
{
  fprintf(out, "  \"travel\": {\"arrived\": 0, \"mean_s\": null, \"min_s\": null, "
               "\"max_s\": null, \"mean_waiting_s\": null, \"median_s\": null, "
               "\"p90_s\": null, \"p95_s\": null, \"last_arrival_s\": null},\n");
}

static void travel_write_times(const struct travel_times *times, const struct travel_times_group *g,
                               int64_t last_arrival, FILE *out)
{
  const double n = (double)g->count;
  fprintf(out,
          "  \"travel\": {\"arrived\": %" PRId64 ", \"mean_s\": %.6f, \"min_s\": %.9g, "
          "\"max_s\": %.9g, \"mean_waiting_s\": %.6f, \"median_s\": %" PRId64
          ", \"p90_s\": %" PRId64 ", \"p95_s\": %" PRId64 ", \"last_arrival_s\": %.9g},\n",
          g->count, (double)g->steps * times->dt / n, (double)g->least * times->dt,
          (double)g->most * times->dt, (double)g->delay_steps * times->dt / n,
          travel_times_quantile(times, g, 0.5), travel_times_quantile(times, g, 0.9),
          travel_times_quantile(times, g, 0.95), (double)last_arrival * times->dt);
}

void tables_write_summary(const struct tables *t, const struct simulation *s, FILE *out)
{
  const struct travel_times_group *travel = &t->travel_total;
  if (travel->count > 0)
    travel_write_times(&s->measurements.travel_times, travel, s->measurements.last_arrival, out);
  else
    travel_write_none(out);
  fprintf(out, "  \"alarms\": {");
  for (int k = 0; k < ALARM_KINDS; k++)
    fprintf(out, "%s\"%s\": %" PRId64, k ? ", " : "", alarm_names[k], t->alarm_count[k]);
  fprintf(out, "},\n  \"audit\": {");
  for (int k = 0; k < AUDIT_KINDS; k++)
    fprintf(out, "\"%s\": %" PRId64 ", ", audit_names[k], s->measurements.audit_totals[k]);
  violation_write(&t->first, "first", s, out);
  fprintf(out, ", ");
  violation_write(&t->overlap, "first_overlap", s, out);
  fprintf(out, "},\n");
}

void tables_print(const struct tables *t, const struct simulation *s)
{
  const int64_t *audit_totals = s->measurements.audit_totals;
  char text[200];
  if (t->overlap.step < INT64_MAX) {
    offender_text(&t->overlap, &s->scenario->world.frame, text, sizeof text);
    printf("  first overlap: %s\n", text);
  }
  if (t->first.step == INT64_MAX) {
    printf("  audit: no agent crossed a wall, was too fast or left the world\n");
    return;
  }
  offender_text(&t->first, &s->scenario->world.frame, text, sizeof text);
  printf("  audit: wall crossings %" PRId64 ", too fast %" PRId64 "; first: %s\n",
         audit_totals[AUDIT_WALL], audit_totals[AUDIT_TOO_FAST], text);
}
