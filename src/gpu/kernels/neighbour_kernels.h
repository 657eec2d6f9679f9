// Kernels that search the grids for neighbours; one thread per agent.
#pragma once
#include "grid_kernels.h"
#include "key_search.h"
#include "row_search.h"

ON_DEVICE int list_neighbours_by_rows(const struct kernel_input *s, int64_t i,
                                      struct overlaps *overlaps)
{
  struct nearest_list nearest;
  search_by_rows(s, i, &nearest, overlaps);
  for (int k = 0; k < s->neighbour_max; k++)
    s->neighbour_list[(int64_t)k * s->own + i] = k < nearest.count ? nearest.list[k].item : -1;
  return nearest.count;
}

KERNEL(find_neighbours)
{
  if (!is_in_part(s, i))
    return;
  struct overlaps overlaps;
  const struct search by_keys = search_of(s, i, NULL, &overlaps);
  int count = search_by_keys(&by_keys);
  if (count == SEARCH_GAVE_UP)
    count = list_neighbours_by_rows(s, i, &overlaps);
  atomic_max(&s->leaf_neighbours[s->memory_index[i] / BOX_TREE_WIDTH], count);
  atomic_reduce_add(&s->tally->overlaps, (int32_t)overlaps.count);
  atomic_reduce_add(&s->tally->in_contact, overlaps.count > 0);
  if (overlaps.count == 0)
    return;
  atomic_max(&s->tally->deepest_overlap_bits, bits_of(overlaps.deepest));
  atomic_min(&s->tally->first_overlap_id, (uint64_t)s->sorted.id[i]);
}

// A second search, so that the tally needs no atomic update of a whole record.
KERNEL(locate_first_overlap)
{
  if ((uint64_t)s->sorted.id[i] != s->tally->first_overlap_id)
    return;
  struct nearest_list nearest;
  struct overlaps overlaps;
  search_by_rows(s, i, &nearest, &overlaps);
  s->tally->first_overlap_at = point_of(&s->sorted, i);
  s->tally->first_overlap_other = overlaps.with;
}

// The same for the deepest overlap, of which both agents of a pair have the depth.
KERNEL(find_deepest_overlap)
{
  struct nearest_list nearest;
  struct overlaps overlaps;
  search_by_rows(s, i, &nearest, &overlaps);
  if (overlaps.count > 0 && bits_of(overlaps.deepest) == s->tally->deepest_overlap_bits)
    atomic_min(&s->tally->deepest_id, (uint64_t)s->sorted.id[i]);
}

KERNEL(locate_deepest_overlap)
{
  if ((uint64_t)s->sorted.id[i] == s->tally->deepest_id)
    s->tally->deepest_at = point_of(&s->sorted, i);
}
