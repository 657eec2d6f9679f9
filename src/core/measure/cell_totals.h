// What happens in each cell of the grid over a whole run. All values are integers, so they do not
// depend on the number of ranks and threads.
//
// Sums (people, speed, delay, crossings) are partial on each rank. The highest density of a sample
// and the samples above a level need the agents of all ranks in a cell: of a sample, each cell is
// judged by one rank (cell_totals_judge), which may be another one in the next sample; maxima and
// sums over the ranks are then exact.
#pragma once
#include "cell_list.h"
#include "cell_move_kernel.h"
#include "measure.h"

// The densities, persons/m^2, above which samples are counted: fruin_limits and hbs_limits.
#define TOTALS_LEVELS 10
extern const double totals_levels[TOTALS_LEVELS];

struct cell_samples { // of one cell, on one rank
  int64_t delay;      // of agents that walk: missing shares of their preferred speed, 1e-6
  int32_t present;    // agents of the sample that is under way; 0 between samples
  int32_t most;       // agents of one sample
  int32_t highest[TOTALS_LEVELS]; // samples whose highest level was this one
};

struct cell_means { // of one cell, on rank 0: of the intervals so far
  struct measure_sum sum;
  float most; // highest mean density of an interval, persons/m^2
};

#define FEW_AGENTS 64

struct cell_totals {
  struct measure_grid grid;
  double side;                     // of a cell, m
  int32_t least[TOTALS_LEVELS];    // the fewest agents in a cell that reach a level
  int8_t level_of_few[FEW_AGENTS]; // cell_totals_level
  int64_t samples;                 // so far
  // [cells], which take memory where people have been; NULL: nothing is measured
  struct cell_samples *cells;
  int64_t *crossed;          // [CELL_SIDES * cells] cell_move_kernel.h
  struct cell_means *means;  // NULL on other ranks
  struct cell_list occupied; // cells with agents of the sample that is under way
  int64_t densest;           // of the last sample: cell_totals_densest; 0: nobody
};

#define CELL_TOTALS_BYTES                                                                          \
  (sizeof(struct cell_samples) + CELL_SIDES * sizeof(int64_t) + sizeof(struct cell_means))

// quantum: m. is_root: rank 0.
void cell_totals_create(struct cell_totals *t, const struct measure_grid *g, double quantum,
                        bool is_root);
void cell_totals_destroy(struct cell_totals *t);
// The highest level that so many agents in a cell reach; -1: none.
int cell_totals_level(const struct cell_totals *t, int32_t agents);

// Begins a sample: counts the owned agents in `present` and lists the cells where they are; adds
// their speeds to sums[cells].
void cell_totals_count(struct cell_totals *t, const struct agents *a, struct measure_sum *sums);
// The same, from list[count] of the cells where owned agents are, each there once.
void cell_totals_add_people(struct cell_totals *t, const struct cell_people *list, int64_t count,
                            struct measure_sum *sums);

// Touches the cells where the owned agents are. Otherwise the first sample would have to wait for
// their pages.
void cell_totals_touch(struct cell_totals *t, const struct agents *a, struct measure_sum *sums);

struct cell_range { // columns and rows [lo, hi)
  int32_t column_lo, column_hi, row_lo, row_hi;
};
struct cell_range cells_within(const struct measure_grid *g, struct box b); // that b holds whole

// Judges the occupied cells within the range, and adds their people to sums[cells]. Returns how
// many occupied cells are left: their `present` is not 0.
int64_t cell_totals_judge(struct cell_totals *t, struct cell_range own, struct measure_sum *sums);
// Takes the people of the cells that are left from `present`: adds them to sums and writes them to
// counts[number of them].
struct cell_count {
  int32_t cell, agents;
};
void cell_totals_take(struct cell_totals *t, struct measure_sum *sums, struct cell_count *counts);
// Judges cells by counts of several ranks: each cell by the sum of its counts.
void cell_totals_judge_counts(struct cell_totals *t, const struct cell_count *counts,
                              int64_t length);

// The place of the densest cell of a sample: the more agents the greater, then the first cell.
static inline int64_t cell_totals_densest(int64_t agents, int64_t cell)
{
  return agents << 32 | (UINT32_MAX - cell);
}

// Finds the crossings of the last move of the agents [first, end), at most AGENTS_PART. Threads may
// share the agents. Each thread collects crossings of its own and adds them at the end: the
// counters are prefetched meanwhile, because no cache holds them all.
#define CROSSINGS_MAX 1024
struct cell_crossings {
  int32_t count;               // 0 at first
  int64_t edge[CROSSINGS_MAX]; // in `crossed`
};
void cell_totals_find_moves(struct cell_totals *t, struct cell_crossings *c, const struct agents *a,
                            int64_t first, int64_t end);
void cell_totals_add_crossings(struct cell_totals *t, struct cell_crossings *c);

// Adds the sums of an interval to the means of the cells [first, end). sums[cells]: over all ranks;
// samples: their number in the interval. Call it on rank 0. Any thread may: the steps do not touch
// the means.
void cell_totals_end_interval(struct cell_totals *t, const struct measure_sum *sums, int64_t first,
                              int64_t end, int64_t samples);

// The totals over all ranks, up to a step.
struct run_totals {
  struct cell_totals cells; // of the whole run; `means` without the interval under way
  struct measure_sum *sums; // [cells] of the interval under way
  int64_t samples;          // of the interval under way
  bool is_view;             // of arrays that belong to somebody else
};
void run_totals_destroy(struct run_totals *t);
struct measure_sum run_totals_sum(const struct run_totals *t, int64_t cell); // over all samples
// The highest mean density of an interval in a cell, persons/m^2.
float run_totals_max_mean(const struct run_totals *t, int64_t cell);
