#include "bisection.h"

#include "base.h"

// The weighted median of a node is found by histograms: over the extent of its points, then over
// the bin that holds the median, until that bin is one coordinate wide. Integers only, so every
// rank finds the same cuts. A level of few nodes uses many bins per node, hence few rounds; many
// nodes share the BINS_TOTAL bins of one sum over the ranks.
#define BINS_TOTAL   (1 << 18)
#define BIN_BITS_MAX 10
#define BIN_BITS_MIN 3

// Relative cost of a cut, to compare the two of a node. The heavier side computes the weight off
// the target. Each side receives half of the weight within reach as ghosts, and a ghost costs 0.15
// of an agent: 0.15 / 2 = 3 / 40.
#define COST_IMBALANCE 40
#define COST_HALO      3

static int64_t weight_of(const struct local_points *v, int64_t i)
{
  return v->of->weights ? v->of->weights[i] : 1;
}

static int64_t target_weight(const struct node *n) // of the lower side
{
  const int64_t ranks = n->ranks.count, lower = ranks / 2;
  return n->weight / ranks * lower + n->weight % ranks * lower / ranks;
}

static void reduce_sum(const struct local_points *v, int64_t *values, int64_t count)
{
  if (v->reduce.sum)
    v->reduce.sum(v->reduce.context, values, count);
}

static void sum_weights(struct level *level, const struct local_points *v)
{
  int64_t *total = memory_create((size_t)level->count, sizeof *total);
  for (int64_t i = 0; i < v->of->count; i++)
    if (v->node[i] >= 0)
      total[v->node[i]] += weight_of(v, i);
  reduce_sum(v, total, level->count);
  for (int32_t k = 0; k < level->count; k++)
    level->nodes[k].weight = total[k];
  memory_destroy(total);
}

static void raise_to(int64_t *most, int64_t value)
{
  *most = value > *most ? value : *most;
}

static void find_extents(struct level *level, const struct local_points *v)
{
  int64_t(*extents)[4] = memory_create((size_t)level->count, sizeof *extents); // -lo, hi
  for (int32_t k = 0; k < level->count; k++)
    for (int e = 0; e < 4; e++)
      extents[k][e] = INT32_MIN;
  for (int64_t i = 0; i < v->of->count; i++) {
    if (v->node[i] < 0)
      continue;
    int64_t *m = extents[v->node[i]];
    raise_to(&m[0], -(int64_t)v->of->x[i]);
    raise_to(&m[1], -(int64_t)v->of->y[i]);
    raise_to(&m[2], v->of->x[i]);
    raise_to(&m[3], v->of->y[i]);
  }
  if (v->reduce.max)
    v->reduce.max(v->reduce.context, &extents[0][0], 4 * (int64_t)level->count);
  for (int32_t k = 0; k < level->count; k++) {
    level->nodes[k].lo = (struct point){(int32_t)-extents[k][0], (int32_t)-extents[k][1]};
    level->nodes[k].hi = (struct point){(int32_t)extents[k][2], (int32_t)extents[k][3]};
  }
  memory_destroy(extents);
}

static struct median_search median_search_begin(int64_t weight, int64_t lo, int64_t hi)
{
  struct median_search s = {.low = lo, .inside = weight};
  while (lo + ((int64_t)1 << s.bits) <= hi)
    s.bits++;
  return s;
}

static int bin_bits(const struct level *level) // log2 of the bins per node and axis
{
  int bits = BIN_BITS_MAX;
  while (bits > BIN_BITS_MIN && (int64_t)level->count << (bits + 1) > BINS_TOTAL)
    bits--;
  return bits;
}

static int bin_width_bits(const struct median_search *s, int bits)
{
  return s->bits > bits ? s->bits - bits : 0;
}

static void fill_histograms(int64_t *bins, int bits, const struct level *level,
                            const struct local_points *v)
{
  for (int64_t i = 0; i < v->of->count; i++) {
    if (v->node[i] < 0)
      continue;
    const int64_t at[2] = {v->of->x[i], v->of->y[i]};
    for (int axis = 0; axis < 2; axis++) {
      const struct median_search *s = &level->nodes[v->node[i]].median_search[axis];
      const int64_t from_low = at[axis] - s->low;
      if (from_low >= 0 && from_low >> s->bits == 0)
        bins[((2 * (int64_t)v->node[i] + axis) << bits) + (from_low >> bin_width_bits(s, bits))] +=
            weight_of(v, i);
    }
  }
}

// Narrows the range to the bin that holds the target. Returns whether it is wider than a
// coordinate.
static bool narrow(struct median_search *s, int64_t target, int bits, const int64_t *bins)
{
  const int width_bits = bin_width_bits(s, bits), last = (1 << (s->bits - width_bits)) - 1;
  int bin = 0;
  while (bin < last && s->below + bins[bin] <= target)
    s->below += bins[bin++];
  s->low += (int64_t)bin << width_bits;
  s->bits = width_bits;
  s->inside = bins[bin];
  return s->bits > 0;
}

static void search(struct level *level, const struct local_points *v)
{
  const int bits = bin_bits(level);
  const int64_t count = (int64_t)level->count << (bits + 1);
  for (bool more = true; more;) {
    int64_t *bins = memory_create((size_t)count, sizeof *bins);
    fill_histograms(bins, bits, level, v);
    reduce_sum(v, bins, count);
    more = false;
    for (int32_t k = 0; k < level->count; k++)
      for (int64_t axis = 0; axis < 2 && level->nodes[k].weight > 0; axis++)
        more |= narrow(&level->nodes[k].median_search[axis], target_weight(&level->nodes[k]), bits,
                       bins + ((2 * (int64_t)k + axis) << bits));
    memory_destroy(bins);
  }
}

// Whether the points on the median's coordinate go to the lower side: where the imbalance is
// smaller.
static bool inside_is_lower(const struct node *n, int axis)
{
  const struct median_search *s = &n->median_search[axis];
  const int64_t target = target_weight(n);
  return s->below + s->inside - target <= target - s->below;
}

static int64_t cut_place(const struct node *n, int axis) // quanta
{
  return n->median_search[axis].low + inside_is_lower(n, axis);
}

// Sums the weight within reach of each cut: these points become ghosts on the other side.
static void weigh_halo(struct level *level, const struct local_points *v)
{
  int64_t(*halo_weight)[2] = memory_create((size_t)level->count, sizeof *halo_weight);
  for (int64_t i = 0; i < v->of->count; i++) {
    if (v->node[i] < 0)
      continue;
    const struct node *n = &level->nodes[v->node[i]];
    const int64_t x = v->of->x[i] - cut_place(n, 0), y = v->of->y[i] - cut_place(n, 1);
    halo_weight[v->node[i]][0] += x >= -v->reach && x < v->reach ? weight_of(v, i) : 0;
    halo_weight[v->node[i]][1] += y >= -v->reach && y < v->reach ? weight_of(v, i) : 0;
  }
  reduce_sum(v, &halo_weight[0][0], 2 * (int64_t)level->count);
  for (int32_t k = 0; k < level->count; k++)
    for (int axis = 0; axis < 2; axis++)
      level->nodes[k].median_search[axis].halo_weight = halo_weight[k][axis];
  memory_destroy(halo_weight);
}

void bisection_level(struct level *level, const struct local_points *v)
{
  sum_weights(level, v);
  find_extents(level, v);
  for (int32_t k = 0; k < level->count; k++) {
    struct node *n = &level->nodes[k];
    n->median_search[0] = median_search_begin(n->weight, n->lo.x, n->hi.x);
    n->median_search[1] = median_search_begin(n->weight, n->lo.y, n->hi.y);
  }
  search(level, v);
  weigh_halo(level, v);
}

static int64_t cost_of(const struct node *n, int axis)
{
  const struct median_search *s = &n->median_search[axis];
  const int64_t off = s->below + (inside_is_lower(n, axis) ? s->inside : 0) - target_weight(n);
  return COST_IMBALANCE * (off < 0 ? -off : off) + COST_HALO * s->halo_weight;
}

struct partition_cut bisection_cut(const struct node *n, int32_t former)
{
  if (n->weight == 0) { // no points: any cut will do
    const int64_t lo = n->box.lo.x, hi = n->box.hi.x;
    return (struct partition_cut){.axis = 0, .at = (int32_t)(lo + (hi - lo) / 2)};
  }
  const int64_t along_x = cost_of(n, 0) * (former == 1 ? 5 : 4);
  const int64_t along_y = cost_of(n, 1) * (former == 0 ? 5 : 4);
  const bool higher = (int64_t)n->hi.y - n->lo.y > (int64_t)n->hi.x - n->lo.x;
  const int axis = along_x == along_y ? higher : along_y < along_x;
  return (struct partition_cut){.axis = axis, .at = (int32_t)cut_place(n, axis)};
}
