// Builds what obstacles_inside looks a point up in (obstacles_inside_kernel.h), for one wall or
// more.
#pragma once
#include "exact.h"
#include "obstacles.h"

static inline struct box wall_box(const struct wall *w) // hi inside
{
  return segment_box(w->a, w->b);
}

struct row_index *row_index_create(const struct obstacles *o);
void row_index_destroy(struct row_index *rows);                        // or NULL
struct ground_raster *ground_raster_create(const struct obstacles *o); // needs o->rows
void ground_raster_destroy(struct ground_raster *g);                   // or NULL
