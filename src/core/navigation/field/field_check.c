// Times are the greatest fixed point of the update if and only if two things hold.
//
// They are a fixed point: the destination has the time 0, and every other cell, with a route or
// without, has the update of its upwind neighbours. No fixed point lies above the greatest.
//
// And they can be derived: in some order, from the destination on, each time is the update of those
// derived before, while all others count as unreached. Such times do not lie below the greatest
// fixed point, as no update of times that do not does. If they are the greatest fixed point, such
// an order exists: that in which any solver set them last, since a time that an update needs is not
// later than its result.
//
// The first alone would not do. Let a straight front that is due at a + f, after the cost f, come
// to two cells side by side. If both have a + f - 1, each is the update of the other.
#include "field_check.h"

#include "field_cells.h"
#include "field_solving.h"
#include "known_squares.h"
#include <stdlib.h>
#include <string.h>

bool field_check_is_on(void)
{
#ifdef NDEBUG
  const bool on = false;
#else
  const bool on = true;
#endif
  const char *said = getenv("THRONG_CHECK_FIELDS");
  return said && *said ? strcmp(said, "0") != 0 : on;
}

struct check {
  const struct field_task *task;
  const struct field *field;
  const struct wavefront *links; // made anew from the grid and the times
  uint8_t *derived;              // [cells]
  const char *problem;           // NULL: none so far
  int64_t cell;                  // that has it
};

static void report(struct check *c, int64_t cell, const char *problem)
{
  if (c->problem)
    return;
  c->problem = problem;
  c->cell = cell;
}

static int64_t square_of(int64_t cell)
{
  return cell >> 2 * CELL_SQUARE_BITS;
}

static bool is_destination(const struct check *c, int64_t cell)
{
  return c->links->destination[cell >> 3] >> (cell & 7) & 1 &&
         !(c->field->nav_grid->bits[cell] & NAV_GRID_SOLID);
}

static uint32_t time_from(const struct check *c, int64_t cell, int d, bool derived_only)
{
  if (!(c->links->upwind[cell] >> d & 1))
    return FIELD_UNREACHED;
  const int64_t next = wavefront_neighbour(c->links, cell, d);
  return derived_only && !c->derived[next] ? FIELD_UNREACHED : field_time_of(c->field, next);
}

static uint32_t updated_time(const struct check *c, int64_t cell, bool derived_only)
{
  uint32_t least[2] = {FIELD_UNREACHED, FIELD_UNREACHED};
  if (is_destination(c, cell))
    return 0;
  for (int d = 0; d < 4; d++)
    least[d % 2] = min_uint32(least[d % 2], time_from(c, cell, d, derived_only));
  return eikonal_update(least[0], least[1], c->task->cost ? c->task->cost[cell] : FIELD_UNIT);
}

// ------------------------------------------------------------------------- a field of all routes

static void check_fixed_point(struct check *c)
{
  for (int64_t cell = 0; cell < nav_grid_cell_count(c->field->nav_grid); cell++)
    if (c->field->reached[square_of(cell)] &&
        field_time_of(c->field, cell) != updated_time(c, cell, false))
      report(c, cell, "is not the update of its neighbours");
}

// Routes lead from cells of low clearance to open ones, not back: nobody passes a closed door.
static bool may_lead_to(const struct check *c, int64_t next, int64_t cell)
{
  const struct wavefront *w = c->links;
  return nav_grid_is_open(w->grid, cell, w->destination) ||
         !nav_grid_is_open(w->grid, next, w->destination);
}

// A neighbour with a route to the cell is not in a square that is taken for one without routes.
static void check_squares(struct check *c, int64_t cell)
{
  for (int d = 0; d < 4; d++) {
    if (!(c->links->upwind[cell] >> (NAV_GRID_LINKS + d) & 1))
      continue;
    const int64_t next = wavefront_neighbour(c->links, cell, d);
    if (may_lead_to(c, next, cell) && !c->field->reached[square_of(next)])
      report(c, cell, "has a neighbour in a square that is not reached");
  }
}

static void derive_from(struct check *c, struct cell_list *derived, int64_t cell)
{
  for (int d = 0; d < 4; d++) {
    if (!(c->links->upwind[cell] >> (NAV_GRID_LINKS + d) & 1))
      continue;
    const int64_t next = wavefront_neighbour(c->links, cell, d);
    const uint32_t time = field_time_of(c->field, next);
    if (c->derived[next] || time == FIELD_UNREACHED || updated_time(c, next, true) != time)
      continue;
    c->derived[next] = 1;
    cell_list_append(derived, next);
  }
}

static void check_derivation(struct check *c)
{
  struct cell_list derived = {0};
  const struct cell_list *destination = c->task->destination;
  for (size_t i = 0; i < destination->count; i++) {
    const uint32_t cell = destination->cells[i];
    if (!is_destination(c, cell) || c->derived[cell])
      continue;
    if (field_time_of(c->field, cell) != 0)
      report(c, cell, "is in the destination");
    c->derived[cell] = 1;
    cell_list_append(&derived, cell);
  }
  for (size_t i = 0; i < derived.count && !c->problem; i++) {
    check_squares(c, derived.cells[i]);
    derive_from(c, &derived, derived.cells[i]);
  }
  for (int64_t cell = 0; cell < nav_grid_cell_count(c->field->nav_grid); cell++)
    if (!c->derived[cell] && field_time_of(c->field, cell) != FIELD_UNREACHED)
      report(c, cell, "does not follow from the destination");
  cell_list_destroy(&derived);
}

static bool same_cell(struct field_cell a, struct field_cell b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

// Cells near the destination are marked after all others.
static struct field_cell expected_cell(const struct check *c, int64_t cell)
{
  const struct field *f = c->field;
  struct field_cell made = {0};
  if (f->reached[square_of(cell)])
    made = field_cell_made(c->links, cell);
  if (f->cells[cell].flags & FIELD_NEAR)
    made.flags |=
        (uint8_t)(FIELD_NEAR | (f->nav_grid->bits[cell] & NAV_GRID_CROSSED ? FIELD_CROSSED : 0));
  return made;
}

static void check_cells(struct check *c)
{
  const struct field *f = c->field;
  for (int64_t cell = 0; cell < nav_grid_cell_count(f->nav_grid); cell++)
    if (!same_cell(f->cells[cell], expected_cell(c, cell)))
      report(c, cell, "has a direction or paths that do not follow from the times around it");
}

static const char *problem_of_whole(const struct field_task *t, int64_t *cell)
{
  struct field_solving *links = field_solving_create(t->field->nav_grid);
  field_solving_learn(links, t, t->field);
  struct check c = {.task = t,
                    .field = t->field,
                    .links = field_solving_wavefront(links),
                    .derived = memory_create((size_t)nav_grid_cell_count(t->field->nav_grid), 1)};
  check_derivation(&c);
  check_fixed_point(&c);
  check_cells(&c);
  memory_destroy(c.derived);
  field_solving_destroy(links);
  *cell = c.cell;
  return c.problem;
}

// ------------------------------------------------------ a field that is known around agents only

static int32_t beyond(int32_t at, int32_t first) // how many cells outside a square
{
  return at < first ? first - at : at >= first + CELL_SQUARE ? at - first - CELL_SQUARE + 1 : 0;
}

// May an agent in the square read the cell?
static bool is_read_from(const struct nav_grid *g, int64_t square, int64_t cell)
{
  const struct cell_place at = nav_grid_place(g, cell);
  const struct cell_place first = nav_grid_place(g, square * CELL_SQUARE_CELLS);
  return beyond(at.column, first.column) <= KNOWN_REACH && beyond(at.row, first.row) <= KNOWN_REACH;
}

static bool is_same(const struct field *f, const struct field *whole, int64_t cell)
{
  if (field_time_of(whole, cell) == FIELD_UNREACHED)
    return field_time_of(f, cell) == FIELD_UNREACHED && f->cells[cell].paths == 0;
  return field_time_of(f, cell) == field_time_of(whole, cell) &&
         same_cell(f->cells[cell], whole->cells[cell]);
}

static void check_known_square(struct check *c, const struct field *whole, int64_t square)
{
  const struct nav_grid *g = c->field->nav_grid;
  const int32_t columns = (int32_t)g->square_columns, rows = (int32_t)g->square_rows;
  const int32_t column = (int32_t)(square % columns), row = (int32_t)(square / columns);
  for (int32_t r = row - (row > 0); r <= row + (row + 1 < rows); r++)
    for (int32_t k = column - (column > 0); k <= column + (column + 1 < columns); k++) {
      const int64_t first = ((int64_t)r * columns + k) * CELL_SQUARE_CELLS;
      for (int64_t cell = first; cell < first + CELL_SQUARE_CELLS; cell++)
        if (is_read_from(g, square, cell) && !is_same(c->field, whole, cell))
          report(c, cell, "is read near agents, but not that of the whole solution");
    }
}

static const char *problem_of_part(const struct field_task *t, int64_t *cell)
{
  const struct nav_grid *g = t->field->nav_grid;
  struct check c = {.task = t, .field = t->field};
  struct field_task task = *t;
  struct field whole;
  field_create(&whole, g, NULL);
  task.field = &whole;
  task.needed = NULL;
  struct field_solving *s = field_solving_create(g);
  field_solving_begin(s, &task);
  field_solving_continue(s, INT64_MAX);
  for (int64_t square = 0; square < nav_grid_square_count(g); square++)
    if (t->field->known[square])
      check_known_square(&c, &whole, square);
  for (int64_t k = 0; k < nav_grid_cell_count(g); k++)
    if (field_has_route(t->field, k) != field_has_route(&whole, k))
      report(&c, k, "has a route in this solution or in the whole one, not in both");
  field_solving_destroy(s);
  field_destroy(&whole);
  *cell = c.cell;
  return c.problem;
}

const char *field_problem(const struct field_task *t, int64_t *cell)
{
  return t->field->routes ? problem_of_part(t, cell) : problem_of_whole(t, cell);
}

void field_check(const struct field_task *t)
{
  int64_t cell;
  const char *problem = field_problem(t, &cell);
  if (!problem)
    return;
  const struct cell_place at = nav_grid_place(t->field->nav_grid, cell);
  fail(EXIT_INTERNAL_ERROR, "a field is wrong: its cell in column %d and row %d, of time %u, %s",
       at.column, at.row, field_time_of(t->field, cell), problem);
}
