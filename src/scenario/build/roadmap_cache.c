#include "roadmap_cache.h"

#include "length.h"
#include <geos_c.h>
#include <string.h>

#define MAGIC   "throngRM"
#define VERSION 1 // of the file and of how a roadmap is made
#define START   0xcbf29ce484222325u

struct head {
  char magic[8];
  uint64_t version, hash, checksum; // of all behind the head
};

static uint64_t hashed(uint64_t h, const void *bytes, size_t count)
{
  const unsigned char *c = bytes;
  for (size_t i = 0; i < count; i++)
    h = (h ^ c[i]) * 0x100000001b3u;
  return h;
}

static uint64_t outlines_hashed(uint64_t h, const struct outlines *o)
{
  const size_t lines = (size_t)o->count, points = lines ? (size_t)o->start[lines] : 0;
  h = hashed(h, &o->count, sizeof o->count);
  h = hashed(h, o->start, lines ? (lines + 1) * sizeof *o->start : 0);
  h = hashed(h, o->points, points * sizeof *o->points);
  return hashed(h, o->closed, lines);
}

uint64_t roadmap_hash(const struct outlines *walls, bool outside_solid, struct box bounds,
                      int32_t clearance, const struct outlines *areas, int area_count)
{
  const int64_t numbers[] = {VERSION,     outside_solid, clearance,   bounds.lo.x,
                             bounds.lo.y, bounds.hi.x,   bounds.hi.y, area_count};
  uint64_t h = hashed(START, numbers, sizeof numbers);
  h = hashed(h, GEOSversion(), strlen(GEOSversion()));
  h = outlines_hashed(h, walls);
  for (int i = 0; i < area_count; i++)
    h = outlines_hashed(h, &areas[i]);
  return h;
}

char *roadmap_file_path(const char *folder, uint64_t hash)
{
  struct text t = {0};
  text_add(&t, "%s/roadmap-%016llx.bin", folder, (unsigned long long)hash);
  return t.bytes;
}

// -------------------------------------------------------------------------------- reading

static bool bytes_read(FILE *file, struct roadmap_file *f)
{
  if (fseek(file, 0, SEEK_END) != 0)
    return false;
  const long length = ftell(file);
  if (length < (long)sizeof(struct head) || fseek(file, 0, SEEK_SET) != 0)
    return false;
  f->length = (size_t)length;
  f->bytes = memory_create(f->length, 1);
  return fread(f->bytes, 1, f->length, file) == f->length;
}

static const char *fault_of(const struct roadmap_file *f, uint64_t hash)
{
  struct head head;
  memcpy(&head, f->bytes, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof head.magic) != 0)
    return "not a roadmap";
  if (head.version != VERSION || head.hash != hash)
    return "the roadmap of another ground or version";
  return head.checksum == hashed(START, f->bytes + sizeof head, f->length - sizeof head)
             ? NULL
             : "damaged";
}

bool roadmap_file_open(struct roadmap_file *f, const char *path, uint64_t hash, struct problems *p)
{
  *f = (struct roadmap_file){.at = sizeof(struct head)};
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  const char *fault = bytes_read(file, f) ? fault_of(f, hash) : "cut short";
  fclose(file);
  if (fault)
    warning_add(p, (struct place){path, NULL, 0, 0}, "%s: the roadmap is made anew", fault);
  if (fault)
    roadmap_file_close(f);
  return !fault;
}

void roadmap_file_close(struct roadmap_file *f)
{
  memory_destroy(f->bytes);
  *f = (struct roadmap_file){0};
}

// The next count things of that size, or NULL where the file ends before.
static void *taken(struct roadmap_file *f, int64_t count, size_t size)
{
  if (count < 0 || (size_t)count > (f->length - f->at) / size)
    return NULL;
  void *copy = memory_create((size_t)count, size);
  memcpy(copy, f->bytes + f->at, (size_t)count * size);
  f->at += (size_t)count * size;
  return copy;
}

static int64_t number_taken(struct roadmap_file *f) // or -1
{
  int64_t *number = taken(f, 1, sizeof *number);
  const int64_t value = number ? *number : -1;
  memory_destroy(number);
  return value;
}

static bool is_ascending(const int64_t *start, int64_t count)
{
  bool good = start && start[0] == 0;
  for (int64_t i = 0; good && i < count; i++)
    good = start[i] <= start[i + 1];
  return good;
}

bool roadmap_file_grown(struct roadmap_file *f, struct outlines *grown)
{
  *grown = (struct outlines){.count = number_taken(f)};
  grown->start = taken(f, grown->count + 1, sizeof *grown->start);
  if (grown->count < 0 || !is_ascending(grown->start, grown->count))
    return false;
  grown->points = taken(f, grown->start[grown->count], sizeof *grown->points);
  grown->closed = taken(f, grown->count, 1);
  return grown->points && grown->closed;
}

static bool links_right(const struct roadmap *r)
{
  bool good = r->to && r->legs;
  for (int64_t e = 0; good && e < r->first[r->node_count]; e++)
    good = r->to[e] >= 0 && r->to[e] < r->node_count;
  for (int64_t k = 0; good && k < r->target_count * r->node_count; k++)
    good = r->legs[k].aim <= ROADMAP_NONE && r->legs[k].length >= 0 &&
           (int64_t)ROADMAP_EDGE - r->legs[k].aim < r->targets[k / r->node_count].edges.count;
  return good;
}

bool roadmap_file_links(struct roadmap_file *f, struct roadmap *r)
{
  if (number_taken(f) != r->node_count || number_taken(f) != r->target_count)
    return false;
  r->first = taken(f, r->node_count + 1, sizeof *r->first);
  if (!is_ascending(r->first, r->node_count))
    return false;
  r->to = taken(f, r->first[r->node_count], sizeof *r->to);
  r->legs = taken(f, r->node_count * r->target_count, sizeof *r->legs);
  if (!links_right(r))
    return false;
  r->length = memory_create((size_t)r->first[r->node_count], sizeof *r->length);
  for (int64_t u = 0; u < r->node_count; u++)
    for (int64_t e = r->first[u]; e < r->first[u + 1]; e++)
      r->length[e] = length_between(r->nodes[u], r->nodes[r->to[e]]);
  return true;
}

// -------------------------------------------------------------------------------- writing

static void put(struct text *t, const void *bytes, int64_t count, size_t size)
{
  text_add_bytes(t, bytes, (size_t)count * size);
}

static void body_put(struct text *t, const struct outlines *grown, const struct roadmap *r)
{
  const int64_t nodes = r->node_count, targets = r->target_count;
  put(t, &grown->count, 1, sizeof grown->count);
  put(t, grown->start, grown->count + 1, sizeof *grown->start);
  put(t, grown->points, grown->start[grown->count], sizeof *grown->points);
  put(t, grown->closed, grown->count, 1);
  put(t, &nodes, 1, sizeof nodes);
  put(t, &targets, 1, sizeof targets);
  put(t, r->first, nodes + 1, sizeof *r->first);
  put(t, r->to, r->first[nodes], sizeof *r->to);
  put(t, r->legs, nodes * targets, sizeof *r->legs);
}

// Under another name first: nobody ever reads half of it.
static bool bytes_write(const char *path, const struct text *t)
{
  struct text other = {0};
  text_add(&other, "%s.tmp", path);
  FILE *file = fopen(other.bytes, "wb");
  bool good = file && fwrite(t->bytes, 1, t->length, file) == t->length;
  good = file && fclose(file) == 0 && good && rename(other.bytes, path) == 0;
  if (file && !good)
    remove(other.bytes);
  memory_destroy(other.bytes);
  return good;
}

bool roadmap_file_write(const char *path, uint64_t hash, const struct outlines *grown,
                        const struct roadmap *r)
{
  struct head head = {MAGIC, VERSION, hash, 0};
  struct text t = {0};
  put(&t, &head, 1, sizeof head);
  body_put(&t, grown, r);
  head.checksum = hashed(START, t.bytes + sizeof head, t.length - sizeof head);
  memcpy(t.bytes, &head, sizeof head);
  const bool good = bytes_write(path, &t);
  memory_destroy(t.bytes);
  return good;
}
