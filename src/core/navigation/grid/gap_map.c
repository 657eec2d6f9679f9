// The gap map: how far each cell is from the nearest wall. The border of the grid counts as a wall,
// since nobody leaves the world.
//
// The grid is divided into tiles, these into blocks, and these into cells. A tile or block hands on
// to its parts only the walls that may be the nearest one of some part: those no farther from its
// middle than the nearest wall and its diameter. So a cell is compared with few walls however many
// there are, and the work grows with the area alone. It is exact: a test compares all pairs.
#include "wall_search.h"
#include <assert.h>
#include <math.h>

#define TILE  16 // cells
#define BLOCK 4

struct gap_builder { // of one thread
  struct nav_grid *g;
  double metre;                 // quanta
  struct wall_list near_tile;   // walls within reach of the tile
  struct wall_list tile, block; // those that may be the nearest of a cell in it
};

struct cells { // [row, row_end) x [column, column_end)
  int32_t row, column, row_end, column_end;
};

static struct point centre_of(const struct nav_grid *g, int32_t row, int32_t column)
{
  return nav_grid_centre(g, nav_grid_cell(g, (uint32_t)column, (uint32_t)row));
}

static void find_walls(struct gap_builder *b, const struct cells *tile)
{
  const struct point lo = centre_of(b->g, tile->row, tile->column);
  const struct point hi = centre_of(b->g, tile->row_end - 1, tile->column_end - 1);
  const float reach = 1.01f * (float)(b->metre * UINT8_MAX / NAV_GRID_GAPS_PER_METRE) + 1024;
  wall_list_find(&b->near_tile, b->g->obstacles, (struct box){lo, hi}, reach);
}

// to: those walls of `from` that may be the nearest one of some cell.
static void keep_nearest(const struct gap_builder *b, struct wall_list *from,
                         const struct cells *cells, struct wall_list *to)
{
  const struct nav_grid *g = b->g;
  const double width = (double)(cells->column_end - cells->column) * g->cell;
  const double height = (double)(cells->row_end - cells->row) * g->cell;
  const struct double_point middle = {g->origin.x + (double)cells->column * g->cell + 0.5 * width,
                                      g->origin.y + (double)cells->row * g->cell + 0.5 * height};
  double least = HUGE_VAL;
  for (int64_t k = 0; k < from->count; k++) {
    from->distance[k] = wall_distance(from->walls[k], middle);
    least = from->distance[k] < least ? from->distance[k] : least;
  }
  const double most = least + sqrt(width * width + height * height) + 1; // 1: rounding
  to->count = 0;
  for (int64_t k = 0; k < from->count; k++)
    if (from->distance[k] <= most)
      wall_list_append(to, from->walls[k]);
}

// Of the middle of the cell, quanta.
static double distance_to_border(const struct nav_grid *g, int32_t row, int32_t column)
{
  const int32_t columns = g->columns - 1 - column, rows = g->rows - 1 - row;
  const int32_t x = column < columns ? column : columns, y = row < rows ? row : rows;
  return (0.5 + (x < y ? x : y)) * g->cell;
}

static uint8_t gap_of(const struct gap_builder *b, int32_t row, int32_t column)
{
  const int64_t cell = nav_grid_cell(b->g, (uint32_t)column, (uint32_t)row);
  const struct point p = nav_grid_centre(b->g, cell);
  double least = distance_to_border(b->g, row, column);
  if (b->g->bits[cell] & NAV_GRID_SOLID)
    return 0;
  for (int64_t k = 0; k < b->block.count; k++) {
    const double d = wall_distance(b->block.walls[k], (struct double_point){p.x, p.y});
    least = d < least ? d : least;
  }
  const double gap = least * NAV_GRID_GAPS_PER_METRE / b->metre;
  return gap < UINT8_MAX ? (uint8_t)gap : UINT8_MAX;
}

// The part of the cells that begins at (row, column), at most `side` wide and high.
static struct cells part_of(const struct cells *whole, int32_t row, int32_t column, int32_t side)
{
  const int32_t rows = whole->row_end - row, columns = whole->column_end - column;
  return (struct cells){row, column, row + (rows < side ? rows : side),
                        column + (columns < side ? columns : side)};
}

static void measure_block(struct gap_builder *b, const struct cells *block)
{
  keep_nearest(b, &b->tile, block, &b->block);
  for (int32_t row = block->row; row < block->row_end; row++)
    for (int32_t column = block->column; column < block->column_end; column++)
      b->g->gap[nav_grid_cell(b->g, (uint32_t)column, (uint32_t)row)] = gap_of(b, row, column);
}

static bool all_solid(const struct nav_grid *g, const struct cells *cells)
{
  for (int32_t row = cells->row; row < cells->row_end; row++)
    for (int32_t column = cells->column; column < cells->column_end; column++)
      if (!(g->bits[nav_grid_cell(g, (uint32_t)column, (uint32_t)row)] & NAV_GRID_SOLID))
        return false;
  return true;
}

static void measure_tile(struct gap_builder *b, const struct cells *tile)
{
  if (all_solid(b->g, tile))
    return; // gaps of 0, as created
  find_walls(b, tile);
  keep_nearest(b, &b->near_tile, tile, &b->tile);
  for (int32_t row = tile->row; row < tile->row_end; row += BLOCK)
    for (int32_t column = tile->column; column < tile->column_end; column += BLOCK) {
      const struct cells block = part_of(tile, row, column, BLOCK);
      measure_block(b, &block);
    }
}

void nav_grid_measure_gaps(struct nav_grid *g, int32_t metre)
{
  assert(nav_grid_is_valid(g) && !g->gap && metre > 0);
  const struct cells all = {0, 0, g->rows, g->columns};
  const int64_t far = NAV_GRID_FAR * (int64_t)metre * FIELD_UNIT / g->cell;
  g->far = far < INT32_MAX ? (int32_t)far : INT32_MAX;
  g->gap = memory_create((size_t)nav_grid_cell_count(g), sizeof *g->gap);
#pragma omp parallel
  {
    struct gap_builder b = {.g = g, .metre = metre};
#pragma omp for schedule(dynamic, 1)
    for (int32_t row = 0; row < g->rows; row += TILE)
      for (int32_t column = 0; column < g->columns; column += TILE) {
        const struct cells tile = part_of(&all, row, column, TILE);
        measure_tile(&b, &tile);
      }
    wall_list_destroy(&b.near_tile);
    wall_list_destroy(&b.tile);
    wall_list_destroy(&b.block);
  }
}

void nav_grid_raise_costs_near_walls(struct nav_grid *g)
{
  assert(nav_grid_is_valid(g) && g->gap && !g->cost);
  const uint32_t reach = NAV_GRID_WALL_COST_REACH * NAV_GRID_GAPS_PER_METRE;
  g->cost = memory_create((size_t)nav_grid_cell_count(g), sizeof *g->cost);
#pragma omp parallel for schedule(static)
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++) {
    const uint32_t within = g->gap[cell] < reach ? reach - g->gap[cell] : 0;
    g->cost[cell] =
        (uint16_t)(FIELD_UNIT + FIELD_UNIT * NAV_GRID_WALL_COST_PERCENT * within / (100 * reach));
  }
}
