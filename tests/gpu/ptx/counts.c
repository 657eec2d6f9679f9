// Counts what a launch costs: warp instructions issued, lanes that are active in them, and 32-byte
// sectors: those that L1 serves, those that it asks of L2, those that differ within a launch (DRAM,
// if L2 keeps all of them for its time) and those that are written.
//
// L1 is modelled as the least recently used 192 kB, shared by 16 warps that take turns of 16
// requests. Local memory is laid out as on a GPU: word by word, the lanes side by side. It is
// written back when it leaves L1; stores to global memory are written through.
#include "ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 32, L1_SECTORS = 192 * 1024 / SECTOR, WARPS = 16, TURN = 16, BUCKETS = 1 << 14 };
#define OF_LOCAL (UINT64_C(1) << 62)
#define IS_STORE (UINT64_C(1) << 63)

struct requests { // of a warp
  uint64_t *list;
  size_t count, room, done;
};

struct line { // of L1: in a chain of its bucket, and in a list by age
  uint64_t sector;
  int32_t next, older, newer;
  bool dirty;
};

static struct ptx_kernel *kernel; // that runs; NULL: nothing is counted
static struct requests warps[WARPS];
static int warp_count;
static struct line lines[L1_SECTORS];
static int32_t buckets[BUCKETS];
static int32_t oldest, newest, line_count;
static uint64_t *seen; // sectors of this launch: an open hash table
static size_t seen_room, seen_count;

static size_t hash(uint64_t sector, size_t room)
{
  return (size_t)(sector * 0x9e3779b97f4a7c15u >> 20) & (room - 1);
}

static bool insert(uint64_t *table, size_t room, uint64_t sector)
{
  size_t at = hash(sector, room);
  while (table[at] && table[at] != sector)
    at = (at + 1) & (room - 1);
  const bool is_new = !table[at];
  table[at] = sector;
  return is_new;
}

static bool is_first(uint64_t sector)
{
  if (2 * seen_count >= seen_room) {
    const size_t room = seen_room ? 2 * seen_room : 1 << 16;
    uint64_t *larger = calloc(room, sizeof *larger);
    for (size_t k = 0; k < seen_room; k++)
      if (seen[k])
        insert(larger, room, seen[k]);
    free(seen);
    seen = larger;
    seen_room = room;
  }
  const bool first = insert(seen, seen_room, sector);
  seen_count += first;
  return first;
}

// ------------------------------------------------------------------------------------------ L1

static void unlink_line(int32_t k)
{
  if (lines[k].older >= 0)
    lines[lines[k].older].newer = lines[k].newer;
  else
    oldest = lines[k].newer;
  if (lines[k].newer >= 0)
    lines[lines[k].newer].older = lines[k].older;
  else
    newest = lines[k].older;
}

static void make_newest(int32_t k)
{
  lines[k].older = newest;
  lines[k].newer = -1;
  if (newest >= 0)
    lines[newest].newer = k;
  newest = k;
  if (oldest < 0)
    oldest = k;
}

static int32_t line_for(uint64_t sector) // a free line, or the oldest
{
  int32_t k = line_count;
  if (k < L1_SECTORS) {
    line_count++;
  } else {
    k = oldest;
    kernel->counts.written += lines[k].dirty;
    unlink_line(k);
    int32_t *p = &buckets[hash(lines[k].sector, BUCKETS)];
    while (*p != k)
      p = &lines[*p].next;
    *p = lines[k].next;
  }
  int32_t *bucket = &buckets[hash(sector, BUCKETS)];
  lines[k] = (struct line){sector, *bucket, -1, -1, false};
  *bucket = k;
  make_newest(k);
  return k;
}

static void request(uint64_t entry)
{
  const uint64_t sector = entry & ~IS_STORE;
  const bool stores = entry & IS_STORE, local = entry & OF_LOCAL;
  int32_t k = buckets[hash(sector, BUCKETS)];
  while (k >= 0 && lines[k].sector != sector)
    k = lines[k].next;
  kernel->counts.written += stores && !local;
  if (k < 0 && stores && !local)
    return;
  kernel->counts.l2 += k < 0 && !stores;
  if (k < 0) {
    k = line_for(sector);
  } else {
    unlink_line(k);
    make_newest(k);
  }
  lines[k].dirty |= stores && local;
}

static void run_l1(void)
{
  memset(buckets, 0xff, sizeof buckets);
  oldest = newest = -1;
  line_count = 0;
  for (bool some = true; some;) {
    some = false;
    for (int w = 0; w < warp_count; w++)
      for (int k = 0; k < TURN && warps[w].done < warps[w].count; k++) {
        request(warps[w].list[warps[w].done++]);
        some = true;
      }
  }
  for (int w = 0; w < warp_count; w++)
    warps[w].count = warps[w].done = 0;
  warp_count = 0;
}

static void append(uint64_t entry)
{
  struct requests *r = &warps[warp_count];
  if (r->count == r->room) {
    r->room = 2 * r->room + 4096;
    r->list = realloc(r->list, r->room * sizeof *r->list);
    if (!r->list)
      ptx_fail("out of memory");
  }
  r->list[r->count++] = entry;
}

// -------------------------------------------------------------------------------------- counts

void ptx_count_begin(struct ptx_kernel *k)
{
  kernel = ptx_settings.counts ? k : NULL;
}

void ptx_count_issue(uint32_t lanes)
{
  if (kernel) {
    kernel->counts.issues++;
    kernel->counts.lanes += (uint64_t)__builtin_popcount(lanes);
  }
}

static int compare_sectors(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static int local_sectors(uint64_t *list, int lane, uint64_t offset, unsigned bytes)
{
  int count = 0;
  for (uint64_t word = offset / 4; 4 * word < offset + bytes; word++)
    list[count++] = OF_LOCAL | (uint64_t)warp_count << 48 | word << 2 | (uint64_t)lane / 8;
  return count;
}

void ptx_count_access(const struct ptx_instruction *in, uint32_t lanes, const uint64_t *addresses)
{
  if (!kernel)
    return;
  uint64_t list[LANES * 5];
  const unsigned bytes = (unsigned)(in->bytes * in->elements);
  int count = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    const uint64_t a = addresses[lane];
    if (a >= SHARED_WINDOW)
      continue;
    if (a >= LOCAL_WINDOW) {
      count += local_sectors(list + count, lane, a - LOCAL_WINDOW, bytes);
      continue;
    }
    list[count++] = a / SECTOR;
    if ((a + bytes - 1) / SECTOR != a / SECTOR)
      list[count++] = a / SECTOR + 1;
  }
  qsort(list, (size_t)count, sizeof *list, compare_sectors);
  for (int k = 0; k < count; k++) {
    if (k && list[k] == list[k - 1])
      continue;
    kernel->counts.l1++;
    kernel->counts.dram += !(list[k] & OF_LOCAL) && is_first(list[k]);
    if (in->kind != ATOMIC)
      append(list[k] | (in->kind == STORE ? IS_STORE : 0));
  }
}

void ptx_count_warp_end(void)
{
  if (kernel && ++warp_count == WARPS)
    run_l1();
}

void ptx_count_end(void)
{
  if (!kernel)
    return;
  if (warp_count)
    run_l1();
  if (seen_count)
    memset(seen, 0, seen_room * sizeof *seen);
  seen_count = 0;
  kernel = NULL;
}

// The function's name, from the mangled one: _Z13compute_cellsPK12kernel_inputl
static void print_name(FILE *f, const struct ptx_kernel *k)
{
  char *rest;
  const long length = strncmp(k->name, "_Z", 2) == 0 ? strtol(k->name + 2, &rest, 10) : 0;
  if (ptx_is_cub(k))
    fprintf(f, "cub");
  else if (length > 0)
    fprintf(f, "%.*s", (int)length, rest);
  else
    fprintf(f, "%s", k->name);
}

void ptx_count_write(void)
{
  FILE *f = fopen(ptx_settings.counts, "w");
  if (!f)
    ptx_fail("%s cannot be written", ptx_settings.counts);
  fprintf(f, "kernel,launches,threads,issues,lanes,l1_sectors,l2_sectors,dram_sectors,"
             "written_sectors\n");
  for (int k = 0; k < ptx_module.kernel_count; k++) {
    const struct ptx_counts *c = &ptx_module.kernels[k].counts;
    if (!c->launches)
      continue;
    print_name(f, &ptx_module.kernels[k]);
    fprintf(f, ",%lu,%lu,%lu,%lu,%lu,%lu,%lu,%lu\n", c->launches, c->threads, c->issues, c->lanes,
            c->l1, c->l2, c->dram, c->written);
  }
  if (fclose(f))
    ptx_fail("%s cannot be written", ptx_settings.counts);
}
