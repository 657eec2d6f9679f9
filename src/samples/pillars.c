#include "pillars.h"

#include <string.h>

struct outlines squares_create(int64_t count, const struct point *lo, int32_t side)
{
  struct outlines squares = {.count = count,
                             .start = memory_create((size_t)count + 1, sizeof(int64_t)),
                             .points = memory_create(4 * (size_t)count, sizeof(struct point)),
                             .closed = memory_create((size_t)count, 1)};
  for (int64_t k = 0; k < count; k++) {
    const int32_t x = lo[k].x, y = lo[k].y;
    const struct point corners[4] = {{x, y}, {x + side, y}, {x + side, y + side}, {x, y + side}};
    memcpy(squares.points + 4 * k, corners, sizeof corners);
    squares.start[k + 1] = 4 * (k + 1);
    squares.closed[k] = 1;
  }
  return squares;
}

void squares_destroy(struct outlines *squares)
{
  memory_destroy(squares->start);
  memory_destroy(squares->points);
  memory_destroy(squares->closed);
}

struct outlines pillars_outlines(const struct world *w, int32_t margin)
{
  const int32_t metre = frame_length(&w->frame, 1), spacing = 12 * metre;
  const int64_t rows = ((int64_t)w->bounds.hi.x - w->bounds.lo.x) / spacing;
  struct point *lo = memory_create((size_t)(rows * rows), sizeof *lo);
  for (int64_t k = 0; k < rows * rows; k++)
    lo[k] = (struct point){w->bounds.lo.x + (int32_t)(k % rows) * spacing + spacing / 2 - margin,
                           w->bounds.lo.y + (int32_t)(k / rows) * spacing + spacing / 2 - margin};
  const struct outlines pillars = squares_create(rows * rows, lo, metre + 2 * margin);
  memory_destroy(lo);
  return pillars;
}

void pillars_create(struct world *w)
{
  struct outlines pillars = pillars_outlines(w, 0);
  obstacles_create(&w->obstacles, &pillars, false);
  squares_destroy(&pillars);
}
