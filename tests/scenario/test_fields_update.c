// Fields that are solved in parts, while agents follow the old ones, are those that are solved at
// once, whatever the number of threads and of parts.
#include "field_kernel.h"
#include "fields_update.h"
#include "known_squares.h"
#include "support.h"

#include <inttypes.h>
#include <omp.h>

#define FIELDS 5
#define TOWN                                                                                       \
  "seed: 3\n"                                                                                      \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 120, 90]\n"                                                                    \
  "  obstacles:\n"                                                                                 \
  "    - POLYGON ((10 10, 30 10, 30 30, 10 30, 10 10), (12 12, 12 28, 28 28, 28 12, 12 12))\n"     \
  "    - POLYGON ((35 5, 45 8, 40 20, 35 5))\n"                                                    \
  "    - POLYGON ((60 20, 100 20, 100 60, 60 60, 60 20))\n"                                        \
  "navigation: {model: field, cell: 0.4, live: {period: 10}}\n"                                    \
  "destinations:\n"                                                                                \
  "  - {name: a, areas: [{border: 1}]}\n"                                                          \
  "  - {name: b, areas: [{circle: [5, 5, 2]}]}\n"                                                  \
  "  - {name: c, areas: [{circle: [110, 80, 3]}]}\n"                                               \
  "  - {name: d, areas: [{circle: [50, 50, 3]}, {circle: [20, 80, 2]}]}\n"                         \
  "  - {name: e, areas: [{circle: [110, 5, 1]}]}\n"                                                \
  "sources: [{area: {rectangle: [45, 2, 58, 18]}, count: 9, destination: b}]\n"

// A crowd in some squares, another one for each seed.
static void crowd_factors(const void *context, int64_t square, float *factors)
{
  const int64_t seed = *(const int64_t *)context;
  for (int64_t k = 0; k < CELL_SQUARE_CELLS; k++)
    factors[k] = 1 + (float)((square * 7 + k / 64 * 3 + seed) % 5) / 3;
}

// Of millions of cells: an assertion for each would take most of the time.
static bool same_cell(const struct field *a, const struct field *b, int64_t cell)
{
  return field_time_of(a, cell) == field_time_of(b, cell) &&
         field_cell_word(a->cells[cell]) == field_cell_word(b->cells[cell]);
}

static void check_same_times(const struct field *a, const struct field *b, const char *how)
{
  int64_t different = 0;
  for (int64_t cell = 0; cell < nav_grid_cell_count(a->nav_grid); cell++)
    different += !same_cell(a, b, cell);
  cr_assert_eq(different, 0, "%s: %" PRId64 " cells", how, different);
}

static const int32_t all_destinations[FIELDS] = {0, 1, 2, 3, 4};

// In parts; some are made by one thread, some by another.
static void update_in_parts(struct fields_update *u, const struct crowd_cost *crowd, int32_t parts)
{
  fields_update_begin(u, crowd);
  for (; parts > 0; parts--)
    fields_update_continue(u, parts);
  fields_update_end(u);
}

Test(fields_update, parts_make_the_fields_that_are_made_at_once)
{
  for (int32_t threads = 1; threads <= 3; threads++) {
    omp_set_num_threads(threads);
    struct scenario *once = support_load(TOWN), *parts = support_load(TOWN);
    struct fields_update *u =
        fields_update_create(&parts->environment, &parts->world, all_destinations, FIELDS, true);
    struct fields_update *v =
        fields_update_create(&once->environment, &once->world, all_destinations, FIELDS, false);
    for (int64_t seed = 0; seed < 6; seed++) {
      char how[60];
      const struct crowd_cost crowd = {crowd_factors, &seed};
      const int32_t part_counts[] = {1, 0, 2, 40, 1000, 7};
      snprintf(how, sizeof how, "%d threads, %d parts", threads, part_counts[seed]);
      update_in_parts(u, &crowd, part_counts[seed]);
      fields_update_solve(v, &crowd);
      for (int32_t k = 0; k < FIELDS; k++)
        check_same_times(world_field(&parts->world, k, 0), world_field(&once->world, k, 0), how);
    }
    fields_update_destroy(u);
    fields_update_destroy(v);
    scenario_destroy(once);
    scenario_destroy(parts);
  }
}

// From the second time on, when the time of a visit is known, the parts leave little for the end.
// Most of ten trials: on a machine with other work, parts may come short.
Test(fields_update, parts_leave_little_for_the_end)
{
  const int64_t seed = 1;
  const struct crowd_cost crowd = {crowd_factors, &seed};
  struct scenario *s = support_load(TOWN);
  struct fields_update *u =
      fields_update_create(&s->environment, &s->world, all_destinations, FIELDS, true);
  int early = 0;
  for (int trial = 0; trial < 11; trial++) {
    double start = clock_seconds();
    fields_update_begin(u, &crowd);
    for (int32_t parts = 40; parts > 0; parts--)
      fields_update_continue(u, parts);
    const double solved = clock_seconds() - start;
    start = clock_seconds();
    fields_update_end(u);
    early += trial > 0 && clock_seconds() - start < 0.1 * solved;
  }
  cr_expect(early >= 6, "%d of 10", early);
  fields_update_destroy(u);
  scenario_destroy(s);
}

// ------------------------------------------------------------------------------ where agents are

#define COURTS                                                                                     \
  "seed: 3\n"                                                                                      \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 130, 130]\n"                                                                   \
  "  obstacles:\n"                                                                                 \
  "    - POLYGON ((20 20, 60 20, 60 60, 20 60, 20 20), (22 22, 22 58, 58 58, 58 22, 22 22))\n"     \
  "    - POLYGON ((70 10, 71 10, 71 62, 70 62, 70 10))\n"                                          \
  "    - POLYGON ((71.3 10, 120 10, 120 62, 71.3 62, 71.3 10))\n"                                  \
  "    - POLYGON ((5 70, 125 70, 125 72, 5 72, 5 70))\n"                                           \
  "    - POLYGON ((10 80, 40 85, 30 110, 10 80))\n"                                                \
  "navigation: {model: field, cell: 0.2, live: {period: 10}}\n"                                    \
  "destinations:\n"                                                                                \
  "  - {name: a, areas: [{border: 1}]}\n"                                                          \
  "  - {name: b, areas: [{circle: [5, 5, 2]}]}\n"                                                  \
  "  - {name: c, areas: [{circle: [110, 120, 3]}]}\n"                                              \
  "  - {name: d, areas: [{circle: [64, 40, 3]}, {circle: [60, 100, 2]}]}\n"                        \
  "  - {name: e, areas: [{circle: [126, 5, 1]}]}\n"                                                \
  "zones:\n"                                                                                       \
  "  - {name: u, areas: [{rectangle: [5, 73, 100, 79]}], one_way: [1, 0]}\n"                       \
  "  - {name: v, areas: [{rectangle: [100, 62, 120, 69]}], no_go: true}\n"                         \
  "  - {name: w, areas: [{rectangle: [5, 60.5, 60, 69]}], speed: 0.3}\n"                           \
  "sources: [{area: {rectangle: [45, 2, 58, 18]}, count: 9, destination: b}]\n"

static int known_squares_count(const struct field *f)
{
  int count = 0;
  for (int64_t k = 0; k < nav_grid_square_count(f->nav_grid); k++)
    count += f->known[k] != 0;
  return count;
}

// What agents in a known square may read is as in the whole field.
static void check_known(const struct field *part, const struct field *whole)
{
  const struct nav_grid *g = part->nav_grid;
  int64_t routes = 0, different = 0;
  for (int64_t k = 0; k < nav_grid_cell_count(g); k++)
    routes += field_has_route(part, k) != field_has_route(whole, k);
  cr_assert_eq(routes, 0);
  for (int32_t row = 0; row < g->rows; row++)
    for (int32_t column = 0; column < g->columns; column++) {
      const int64_t cell = nav_grid_cell(g, (uint32_t)column, (uint32_t)row);
      bool read = false; // by an agent in a known square
      for (int32_t r = row - KNOWN_REACH; r <= row + KNOWN_REACH && !read; r += KNOWN_REACH)
        for (int32_t c = column - KNOWN_REACH; c <= column + KNOWN_REACH; c += KNOWN_REACH)
          read = read || (r >= 0 && r < g->rows && c >= 0 && c < g->columns &&
                          field_known_at(part, nav_grid_cell(g, (uint32_t)c, (uint32_t)r)));
      different += read && !same_cell(part, whole, cell);
    }
  cr_assert_eq(different, 0);
}

// Walls, a slit between two of them, a court without a route, zones; agents in more squares each
// time.
Test(fields_update, a_field_is_whole_where_agents_are)
{
  struct scenario *once = support_load(COURTS), *parts = support_load(COURTS);
  struct fields_update *u =
      fields_update_create(&parts->environment, &parts->world, all_destinations, FIELDS, true);
  struct fields_update *v =
      fields_update_create(&once->environment, &once->world, all_destinations, FIELDS, false);
  const int64_t squares = nav_grid_square_count(&parts->world.nav_grid);
  int partly = 0;
  fields_update_keep_to_agents(u);
  for (int64_t seed = 0; seed < 12; seed++) {
    const struct crowd_cost crowd = {crowd_factors, &seed};
    for (int32_t k = 0; k < FIELDS; k++)
      fields_update_needed(u, k)[(seed * 37 + k * 11) % squares] = seed > 0;
    update_in_parts(u, &crowd, 1 + 7 * (int32_t)(seed % 3));
    fields_update_solve(v, &crowd);
    for (int32_t k = 0; k < FIELDS; k++) {
      const struct field *f = world_field(&parts->world, k, 0);
      check_known(f, world_field(&once->world, k, 0));
      for (int64_t q = 0; q < squares; q++)
        cr_assert(f->known[q] || !fields_update_needed(u, k)[q]);
      partly += known_squares_count(f) < squares;
    }
    if (seed == 5) { // known everywhere, and so are the next solutions
      fields_update_complete(u, 1, &crowd);
      cr_assert_eq(known_squares_count(world_field(&parts->world, 1, 0)), squares);
      check_same_times(world_field(&parts->world, 1, 0), world_field(&once->world, 1, 0), "");
    }
    if (seed > 5 && seed <= 5 + FIELDS_WHOLE)
      cr_assert_eq(known_squares_count(world_field(&parts->world, 1, 0)), squares);
  }
  cr_expect(partly >= 15, "%d", partly); // else this tests nothing
  fields_update_destroy(u);
  fields_update_destroy(v);
  scenario_destroy(once);
  scenario_destroy(parts);
}
