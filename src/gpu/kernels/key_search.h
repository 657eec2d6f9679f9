// The nearest agents of an agent by sorted keys, as on the CPU (nearest.h): first the
// candidates, which are the agents of all cells within a range that is expected to hold enough
// of them, then their keys. The threads of a warp stay together, because only the number of
// candidates differs. Where the keys do not decide, or do not hold all candidates, it gives up.
#pragma once
#include "row_search.h"

#include "nearest.h"

#define KEY_NUMBERS    128 // candidates: a power of two
#define SEARCH_GAVE_UP (-1)
#define SEARCH_TOO_FEW (-2) // fewer in the range than looked for, and others may be beyond

struct surroundings {
  int count;
  int32_t item[KEY_NUMBERS + MERGE_BATCH]; // indices in `sorted`; behind the last, the agent itself
};

// -------------------------------------------------------------------------------------- candidates

// Lengths up to this, quanta, add and multiply exactly as int32_t and convert exactly to float.
#define REACH_MAX (1 << 22)

struct grid_place { // of an agent in a grid
  int32_t row, column;
  int32_t x, y; // from its lower left corner, quanta. An agent outside the grid belongs to a border
                // cell; farther than 2 REACH_MAX from it, only the sign matters
};

INLINE int32_t clamped(int64_t value, int32_t low, int32_t high) // low <= high
{
  const int64_t below = value < high ? value : high;
  return (int32_t)(below > low ? below : low);
}

INLINE struct grid_place grid_place_of(const struct grid *g, struct point p)
{
  const int32_t row = grid_row(g, p.y), column = grid_column(g, p.x);
  const int64_t x = p.x - (g->lo.x + (int64_t)column * g->width);
  const int64_t y = p.y - (g->lo.y + (int64_t)row * g->width);
  const struct grid_place place = {row, column, clamped(x, -2 * REACH_MAX, 2 * REACH_MAX),
                                   clamped(y, -2 * REACH_MAX, 2 * REACH_MAX)};
  return place;
}

INLINE int32_t reach_of(float range2) // a little more than sqrt(range2): covers all rounding
{
  return (int32_t)(1.0001f * sqrtf(range2)) + 2;
}

struct grid_range { // both inside
  int32_t low, high;
};

// The cells of a row or column of cells that hold an agent within reach. at: the agent, from the
// edge of its cell `own`.
INLINE struct grid_range grid_cells_around(int32_t own, int32_t at, int32_t reach,
                                           const struct grid *g, int32_t cells)
{
  const float per_cell = 1 / (float)g->width;
  const int32_t down = (int32_t)ceilf((float)(reach - at) * per_cell);
  const int32_t up = (int32_t)floorf((float)(reach + at) * per_cell);
  const struct grid_range range = {clamped(own - down, 0, own), clamped(own + up, own, cells - 1)};
  return range;
}

struct agent_run { // [begin, end) in `sorted`
  int32_t begin, end;
};

INLINE struct agent_run agents_of_cells(const struct grid *g, int32_t row,
                                        struct grid_range columns)
{
  const int32_t *starts = g->start + (int64_t)row * g->runs;
  const bool plain = g->shift == 0; // then starts[columns] is where the next row begins
  const struct agent_run run = {
      plain ? starts[columns.low] : (int32_t)grid_cell_begin(g, row, columns.low),
      plain ? starts[columns.high + 1] : (int32_t)grid_cell_begin(g, row, columns.high + 1)};
  return run;
}

// Appends the agents of a row's cells; false if there is no room.
INLINE bool surroundings_append_row(struct surroundings *c, struct agent_run run)
{
  const int32_t more = run.end - run.begin;
  int32_t *item = c->item + c->count;
  if (more > KEY_NUMBERS - c->count)
    return false;
  for (int32_t j = run.begin; j < run.end; j++)
    *item++ = j;
  c->count += more;
  return true;
}

// Appends every agent closer than sqrt(range2); false if there is no room.
INLINE bool surroundings_append(struct surroundings *c, const struct grid *g, struct point p,
                                float range2)
{
  const struct grid_place at = grid_place_of(g, p);
  const struct grid_range rows = grid_cells_around(at.row, at.y, reach_of(range2), g, g->rows);
  for (int32_t row = rows.low; row <= rows.high; row++) {
    const int32_t up = row - at.row;
    const int32_t gap = up < 0 ? at.y + 1 - (up + 1) * g->width : up * g->width - at.y;
    const float across = up ? (float)gap : 0;
    const int32_t reach = reach_of(max_float(1.0001f * range2 - across * across, 0));
    const struct grid_range columns = grid_cells_around(at.column, at.x, reach, g, g->columns);
    if (!surroundings_append_row(c, agents_of_cells(g, row, columns)))
      return false;
  }
  return true;
}

INLINE bool surroundings_collect(struct surroundings *c, const struct kernel_input *s, int64_t i,
                                 float range2)
{
  const struct point p = point_of(&s->sorted, i);
  c->count = 0;
  for (int k = 0; k < 2; k++)
    if (s->grids[k].count && !surroundings_append(c, &s->grids[k], p, range2))
      return false;
  for (int k = 0; k < MERGE_BATCH; k++)
    c->item[c->count + k] = (int32_t)i;
  return true;
}

// The squared range in which an agent finds that many others, with few exceptions, if agents are
// as dense around it as in the cells nearby. It is wider at the border of a crowd, because cells
// outside the grid count as empty. Any value would do: too small a range is widened.
INLINE float expected_range2(const struct grid *g, struct point p, int wanted)
{
  enum { CELLS = 2, SIDE = 2 * CELLS + 1 };
  const int32_t row = grid_row(g, p.y), column = grid_column(g, p.x);
  const int32_t low = row > CELLS ? row - CELLS : 0;
  const struct grid_range columns = {clamped(column - CELLS, 0, column),
                                     clamped(column + CELLS, column, g->columns - 1)};
  int32_t agents = 1;
  for (int32_t r = low; r <= row + CELLS && r < g->rows; r++) {
    const struct agent_run run = agents_of_cells(g, r, columns);
    agents += run.end - run.begin;
  }
  const float width = (float)g->width, with_margin = (float)wanted + 2 * sqrtf((float)wanted);
  return with_margin * SIDE * SIDE * width * width / (3.14159f * (float)agents);
}

// -------------------------------------------------------------------------------------------- keys

// Keys of the nearest candidates, ascending. places: a constant, so that they are in registers.
INLINE void surroundings_keys(nearest_key *key, const int places, const struct search *q,
                              const struct surroundings *c)
{
  const int32_t self = (int32_t)q->i;
  UNROLL
  for (int u = 0; u < places; u++)
    key[u] = KEY_NONE;
  for (int k = 0; k < c->count; k += MERGE_BATCH) {
    nearest_key incoming[MERGE_BATCH];
    UNROLL
    for (int u = 0; u < MERGE_BATCH; u++) {
      const int32_t j = c->item[k + u];
      const nearest_key one = distance_key(search_distance2(q, j), KEY_NUMBERS) + (k + u);
      incoming[u] = j == self ? KEY_NONE : one;
    }
    keys_merge(key, places, incoming);
  }
}

// Writes the agents of the keys into the list of neighbours; returns their number.
INLINE int keys_decode(const nearest_key *key, const int places, const struct search *q,
                       const struct surroundings *c, nearest_key limit)
{
  const int room = q->s->neighbour_max;
  const int64_t stride = q->s->own;
  int32_t *list = q->s->neighbour_list + q->i;
  int count = 0;
  UNROLL
  for (int u = 0; u < places - 1; u++) {
    if (u >= room)
      break;
    const bool found = key[u] < limit;
    *list = found ? c->item[key[u] & (KEY_NUMBERS - 1)] : -1;
    count += found;
    list += stride;
  }
  return count;
}

// Notes overlaps in a list of `count` neighbours, nearest first, and drops those out of range.
// Returns how many are left.
INLINE int list_check(const struct search *q, int count)
{
  int left = 0;
  for (int u = 0; u < count; u++) {
    int32_t *j = &q->s->neighbour_list[(int64_t)u * q->s->own + q->i];
    const float d2 = search_distance2(q, *j);
    search_note_overlap(q, *j, d2);
    if (d2 < q->range2)
      left++;
    else
      *j = -1;
  }
  return left;
}

// Writes the nearest candidates into the list of neighbours. Returns their number if the keys
// tell them, their order and all overlaps.
INLINE int search_places(const struct search *q, const struct surroundings *c, float range2,
                         const int places)
{
  const int room = q->s->neighbour_max;
  const nearest_key touch = distance_key(q->touch2, KEY_NUMBERS) | (KEY_NUMBERS - 1);
  const nearest_key edge = distance_key(range2, KEY_NUMBERS);
  const nearest_key limit = key_limit(range2, KEY_NUMBERS);
  nearest_key key[NEIGHBOURS_MAX + 1], last = KEY_NONE;
  bool tied = false;
  surroundings_keys(key, places, q, c);
  UNROLL
  for (int u = 0; u < places - 1; u++) {
    tied |= u < room && key[u + 1] < limit && (key[u] ^ key[u + 1]) < KEY_NUMBERS;
    last = u < room ? key[u] : last;
  }
  if (range2 < q->range2 && last >= edge)
    return SEARCH_TOO_FEW;
  if (tied || last <= touch)
    return SEARCH_GAVE_UP;
  const int count = keys_decode(key, places, q, c, limit);
  return key[0] <= touch || last >= edge ? list_check(q, count) : count;
}

// Are all lengths within REACH_MAX, and all agents that can overlap within the range?
INLINE bool keys_apply(const struct search *q)
{
  const struct kernel_input *s = q->s;
  return s->neighbour_max > 0 && q->range2 >= q->touch2 &&
         q->range2 <= (float)REACH_MAX * REACH_MAX / 2 && s->grids[0].width <= REACH_MAX &&
         s->grids[1].width <= REACH_MAX;
}

// Finds what search_by_rows finds, writes the list of neighbours and returns their number, or
// SEARCH_GAVE_UP.
ON_DEVICE int search_by_keys(const struct search *q)
{
  const struct kernel_input *s = q->s;
  const int room = s->neighbour_max;
  if (!keys_apply(q))
    return SEARCH_GAVE_UP;
  struct surroundings c;
  float range2 = max_float(expected_range2(&s->grids[0], q->p, room), q->touch2);
  for (;; range2 *= 2) {
    range2 = range2 < q->range2 ? range2 : q->range2;
    if (!surroundings_collect(&c, s, q->i, range2))
      return SEARCH_GAVE_UP;
    const int count = room < 6    ? search_places(q, &c, range2, 6)
                      : room < 11 ? search_places(q, &c, range2, 11)
                      : room < 16 ? search_places(q, &c, range2, 16)
                                  : search_places(q, &c, range2, NEIGHBOURS_MAX + 1);
    if (count != SEARCH_TOO_FEW)
      return count;
  }
}
