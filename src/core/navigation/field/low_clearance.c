#include "low_clearance.h"

// depth of a cell: steps to the nearest reached open cell
enum depth { DEPTH_UNKNOWN, DEPTH_SETTLED, DEPTH_SAME };

enum search_stage { STAGE_BEGIN, STAGE_DISCOVER, STAGE_LINK, STAGE_SETTLE };

static bool linked(const struct wavefront *w, int64_t cell, int d)
{
  return w->upwind[cell] >> (NAV_GRID_LINKS + d) & 1;
}

// Are the cell and its neighbour towards d side by side in front of two settled cells, with links
// around all four? Then no wall is between their paths.
static bool side_by_side(const struct wavefront *w, int64_t cell, int d, int side)
{
  const int64_t next = wavefront_neighbour(w, cell, d);
  if (!linked(w, cell, side) || !linked(w, next, side))
    return false;
  const int64_t front = wavefront_neighbour(w, cell, side);
  return w->depth[front] == DEPTH_SETTLED && linked(w, front, d) &&
         w->depth[wavefront_neighbour(w, next, side)] == DEPTH_SETTLED;
}

static uint8_t upwind_links(const struct wavefront *w, int64_t cell)
{
  unsigned taken = 0;
  for (int d = 0; d < 4; d++) {
    const int near = linked(w, cell, d) ? w->depth[wavefront_neighbour(w, cell, d)] : DEPTH_UNKNOWN;
    if (near == DEPTH_SETTLED || (near == DEPTH_SAME && (side_by_side(w, cell, d, (d + 1) % 4) ||
                                                         side_by_side(w, cell, d, (d + 3) % 4))))
      taken |= 1u << d;
  }
  return (uint8_t)taken;
}

static void discover_neighbours(struct low_clearance *l, struct wavefront *w, int64_t cell)
{
  for (int d = 0; d < 4; d++) {
    if (!linked(w, cell, d))
      continue;
    const int64_t next = wavefront_neighbour(w, cell, d);
    if (w->depth[next] == DEPTH_UNKNOWN && !nav_grid_is_open(w->grid, next, w->destination)) {
      w->depth[next] = DEPTH_SAME;
      cell_list_append(l->cells, next);
      wavefront_reach(w, next);
    }
  }
}

static void visit(struct low_clearance *l, struct wavefront *w, int64_t cell)
{
  switch ((enum search_stage)l->stage) {
  case STAGE_DISCOVER:
    discover_neighbours(l, w, cell);
    break;
  case STAGE_LINK:
    w->upwind[cell] |= upwind_links(w, cell);
    break;
  case STAGE_BEGIN: // the frontier is settled
  case STAGE_SETTLE:
    w->depth[cell] = DEPTH_SETTLED;
    break;
  }
}

// The cells [*begin, *end) of the list that a stage visits.
static void stage_range(const struct low_clearance *l, size_t *begin, size_t *end)
{
  const bool found = l->stage == STAGE_LINK || l->stage == STAGE_SETTLE; // those of the next depth
  *begin = found ? l->end : l->begin;
  *end = found ? l->cells->count : l->end;
}

// Each depth is discovered, linked and settled before the next one.
static void next_stage(struct low_clearance *l)
{
  const bool settled = l->stage == STAGE_SETTLE;
  l->begin = settled ? l->end : l->begin;
  l->end = settled ? l->cells->count : l->end;
  l->stage = settled || l->stage == STAGE_BEGIN ? STAGE_DISCOVER : l->stage + 1;
  size_t end;
  stage_range(l, &l->at, &end);
}

bool low_clearance_run(struct low_clearance *l, struct wavefront *w)
{
  size_t begin, end;
  if (l->stage == STAGE_BEGIN && l->at == 0)
    l->end = l->frontier = l->cells->count;
  while (l->begin < l->end || l->stage == STAGE_BEGIN) {
    for (stage_range(l, &begin, &end); l->at < end; l->at++) {
      if (w->visits <= 0)
        return false;
      w->visits--;
      visit(l, w, l->cells->cells[l->at]);
    }
    next_stage(l);
  }
  return true;
}
