// Walls for benchmarks and tests.
#pragma once
#include "world.h"

// Closed squares. lo[count]: their lower left corners; side: quanta.
struct outlines squares_create(int64_t count, const struct point *lo, int32_t side);
void squares_destroy(struct outlines *squares);

// Square pillars with sides of 1 m, 12 m apart in rows, within the world's bounds.
void pillars_create(struct world *w);
// Their outlines, each side moved outward by the margin (quanta); free with squares_destroy.
struct outlines pillars_outlines(const struct world *w, int32_t margin);
