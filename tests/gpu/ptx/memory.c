// The memory of the simulated devices, and the checks of every access: is it aligned, inside what
// was allocated, on this device, written before it is read, and free of races within a launch?
//
// Each device has a range of addresses. Memory that was freed is not used again, so that a stale
// pointer is found.
#include "ptx.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MAX_DEVICES = 8, GRANULE = 4, GUARD = 256 };
enum byte_state { NOT_ALLOCATED, NOT_WRITTEN, WRITTEN };

// Who accessed 4 bytes of device memory last: the launch in the upper 24 bits, the thread in the
// next 32, then the bytes (4 bits) and flags. An access of an earlier launch is as none.
struct history {
  uint64_t write, read, relaxed_read;
};
enum { BYTES = 15, RELAXED = 16, SEVERAL = 32, OF_THREAD = 8 };

static uint8_t *memory; // [MAX_DEVICES * DEVICE_BYTES_MAX]
static uint8_t *states; // the same, with checks
static struct history *histories;
static size_t used_bytes[MAX_DEVICES];
static int device_count;
static uint64_t launch;
static bool races_checked; // of the kernel that runs

static void *reserved(size_t bytes)
{
  void *p =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    ptx_fail("cannot reserve %zu MB of addresses", bytes >> 20);
  return p;
}

void ptx_memory_begin(int devices)
{
  device_count = devices < MAX_DEVICES ? devices : MAX_DEVICES;
  const size_t bytes = (size_t)device_count * DEVICE_BYTES_MAX;
  memory = reserved(bytes);
  if (ptx_settings.check) {
    states = reserved(bytes);
    histories = reserved(bytes / GRANULE * sizeof *histories);
  }
}

int ptx_memory_device(const void *at)
{
  const uintptr_t offset = (uintptr_t)at - (uintptr_t)memory;
  return memory && offset < (size_t)device_count * DEVICE_BYTES_MAX
             ? (int)(offset / DEVICE_BYTES_MAX)
             : -1;
}

// In front of an allocation stands its size.
void *ptx_memory_allocate(int device, size_t bytes)
{
  const size_t whole = (bytes + GUARD - 1) / GUARD * GUARD + 2 * GUARD;
  if (whole > ptx_memory_free_bytes(device))
    return NULL;
  uint8_t *at = memory + (size_t)device * DEVICE_BYTES_MAX + used_bytes[device] + GUARD;
  used_bytes[device] += whole;
  memcpy(at - sizeof bytes, &bytes, sizeof bytes);
  memset(at, 0xa5, bytes);
  if (states)
    memset(states + (at - memory), NOT_WRITTEN, bytes);
  return at;
}

void ptx_memory_free(void *at)
{
  size_t bytes;
  memcpy(&bytes, (uint8_t *)at - sizeof bytes, sizeof bytes);
  if (states)
    memset(states + ((uint8_t *)at - memory), NOT_ALLOCATED, bytes);
  const uintptr_t page = 4096, first = ((uintptr_t)at + page - 1) / page * page;
  const uintptr_t end = ((uintptr_t)at + bytes) / page * page;
  if (end > first)
    madvise((void *)first, end - first, MADV_DONTNEED);
}

size_t ptx_memory_free_bytes(int device)
{
  return ptx_settings.device_bytes - used_bytes[device];
}

static void check_allocated(const void *at, size_t bytes, const char *what)
{
  const uint8_t *s = states + ((const uint8_t *)at - memory);
  for (size_t k = 0; k < bytes; k++)
    if (s[k] == NOT_ALLOCATED)
      ptx_find(NULL, "%s of %zu bytes leaves its allocation after %zu bytes", what, bytes, k);
}

void ptx_memory_written(void *to, size_t bytes, const char *what)
{
  if (!states || ptx_memory_device(to) < 0)
    return;
  check_allocated(to, bytes, what);
  memset(states + ((uint8_t *)to - memory), WRITTEN, bytes);
}

// What was not written stays so in the copy; on the way to the host it is an error: it decides
// something, or reaches a file.
void ptx_memory_copied(void *to, const void *from, size_t bytes)
{
  if (states && ptx_memory_device(to) >= 0)
    check_allocated(to, bytes, "a copy");
  if (!states || ptx_memory_device(from) < 0) {
    ptx_memory_written(to, bytes, "a copy");
    return;
  }
  check_allocated(from, bytes, "a copy");
  const uint8_t *s = states + ((const uint8_t *)from - memory);
  if (ptx_memory_device(to) >= 0) {
    memcpy(states + ((uint8_t *)to - memory), s, bytes);
    return;
  }
  const uint8_t *unwritten = memchr(s, NOT_WRITTEN, bytes);
  if (unwritten)
    ptx_find(NULL, "a copy of %zu bytes to the host has bytes that were never written, from %zu on",
             bytes, (size_t)(unwritten - s));
}

void ptx_memory_next_launch(const struct ptx_kernel *k)
{
  launch = (launch + 1) & 0xffffff;
  races_checked = states && !ptx_is_cub(k); // cub's blocks wait for one another by volatile reads
}

// --------------------------------------------------------------------------------------- races

static bool is_by_other(uint64_t entry, uint64_t thread, uint64_t bytes)
{
  const bool same_launch = entry >> 40 == launch && entry;
  const bool other = entry >> OF_THREAD != thread >> OF_THREAD || (entry & SEVERAL);
  return same_launch && other && (entry & bytes);
}

static uint64_t noted(uint64_t entry, uint64_t thread, uint64_t bytes)
{
  if (entry >> 40 != launch)
    return thread | bytes;
  const bool other = entry >> OF_THREAD != thread >> OF_THREAD;
  return thread | bytes | (entry & (BYTES | SEVERAL | RELAXED)) | (other ? (uint64_t)SEVERAL : 0);
}

// Two threads of a launch access the same bytes, one of them writes, and not both are relaxed.
static void check_race(struct ptx_thread t, struct history *h, uint64_t bytes, enum access what)
{
  const struct ptx_launch *l = t.warp->block->launch;
  const uint64_t number =
      (uint64_t)t.warp->block->number * l->threads + t.warp->first_thread + (uint64_t)t.lane;
  const uint64_t thread = launch << 40 | (number & UINT32_MAX) << OF_THREAD;
  const bool relaxed = t.instruction->relaxed;
  if (is_by_other(h->write, thread, bytes) && !(relaxed && (h->write & RELAXED)))
    ptx_find(&t, "a race: another thread of this launch writes the same bytes");
  if (what != READ && (is_by_other(h->read, thread, bytes) ||
                       (!relaxed && is_by_other(h->relaxed_read, thread, bytes))))
    ptx_find(&t, "a race: another thread of this launch reads the same bytes");
  if (what != WRITE) {
    uint64_t *read = relaxed ? &h->relaxed_read : &h->read;
    *read = noted(*read, thread, bytes);
  }
  if (what != READ) {
    h->write = noted(h->write, thread, bytes);
    h->write = relaxed ? h->write | RELAXED : h->write & ~(uint64_t)RELAXED;
  }
}

static void check_races(struct ptx_thread t, uint64_t address, unsigned bytes, enum access what)
{
  const uint64_t first = address - (uintptr_t)memory, end = first + bytes;
  for (uint64_t g = first / GRANULE; g * GRANULE < end; g++) {
    const uint64_t begin = g * GRANULE > first ? 0 : first - g * GRANULE;
    const uint64_t stop = end < (g + 1) * GRANULE ? end - g * GRANULE : GRANULE;
    const uint64_t mask = (UINT64_C(1) << stop) - (UINT64_C(1) << begin);
    check_race(t, &histories[g], mask, what);
  }
}

// -------------------------------------------------------------------------------------- checks

static void check_written(struct ptx_thread t, const uint8_t *written, unsigned bytes,
                          const char *where)
{
  const struct ptx_instruction *in = t.instruction;
  for (unsigned k = 0; k < bytes; k++)
    if (!written[k] && (in->used >> k & 1)) {
      if (in->bytes == 1 && in->elements > 1)
        return; // a struct is copied byte by byte, with its padding
      ptx_find(&t, "byte %u of %u in %s memory is read and was never written", k, bytes, where);
    }
}

static void check_device(struct ptx_thread t, uint64_t address, unsigned bytes, enum access what)
{
  const int device = ptx_memory_device((const void *)(uintptr_t)address);
  if (device < 0)
    ptx_find(&t, "address %#lx is no memory of a device", (unsigned long)address);
  if (device != t.warp->block->launch->device)
    ptx_find(&t, "a kernel on device %d accesses memory of device %d",
             t.warp->block->launch->device, device);
  uint8_t *s = states + (address - (uintptr_t)memory);
  for (unsigned k = 0; k < bytes; k++) {
    const bool used = what != READ || (t.instruction->used >> k & 1);
    if (s[k] == NOT_ALLOCATED && used)
      ptx_find(&t, "byte %u of %u is outside of every allocation", k, bytes);
    if (s[k] == NOT_WRITTEN && used && what != WRITE)
      ptx_find(&t, "byte %u of %u is read and was never written", k, bytes);
  }
  if (what != READ)
    memset(s, WRITTEN, bytes);
  if (races_checked)
    check_races(t, address, bytes, what);
}

static bool is_variable(uint64_t address, unsigned bytes)
{
  for (int k = 0; k < ptx_module.variable_count; k++) {
    const uint64_t first = (uintptr_t)ptx_module.variables[k].memory;
    if (address >= first && address + bytes <= first + ptx_module.variables[k].bytes)
      return true;
  }
  return false;
}

// Memory of a thread or of a block: an array of that size and a byte for each that says whether it
// was written.
static void *window_at(struct ptx_thread t, uint64_t address, unsigned bytes, enum access what)
{
  const struct ptx_warp *w = t.warp;
  const struct ptx_kernel *k = w->block->launch->kernel;
  const bool shared = address >= SHARED_WINDOW;
  const uint64_t offset = address - (shared ? SHARED_WINDOW : LOCAL_WINDOW);
  const size_t size = (size_t)(shared ? k->shared_bytes : k->local_bytes);
  const size_t base = shared ? 0 : (size_t)t.lane * size;
  if (offset + bytes > size)
    ptx_find(&t, "%u bytes at %lu of %zu bytes of %s memory", bytes, (unsigned long)offset, size,
             shared ? "shared" : "local");
  uint8_t *written = (shared ? w->block->shared_written : w->local_written) + base + offset;
  if (ptx_settings.check && what != WRITE)
    check_written(t, written, bytes, shared ? "shared" : "local");
  if (what != READ)
    memset(written, 1, bytes);
  return (shared ? w->block->shared : w->local) + base + offset;
}

void *ptx_memory_at(struct ptx_thread t, uint64_t address, unsigned bytes, enum access what)
{
  if (ptx_settings.check && address % bytes)
    ptx_find(&t, "%u bytes at an address that is not a multiple of it: %#lx", bytes,
             (unsigned long)address);
  if (address >= LOCAL_WINDOW)
    return window_at(t, address, bytes, what);
  if (ptx_settings.check && !(what == READ && is_variable(address, bytes)))
    check_device(t, address, bytes, what);
  return (void *)(uintptr_t)address;
}
