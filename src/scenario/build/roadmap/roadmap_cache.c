#include "roadmap_cache.h"

#include "integer_length.h"
#include "regular_file.h"
#include <geos_c.h>
#include <string.h>

#define MAGIC            "throngRM"
#define VERSION          1 // of the format and of the construction of roadmaps
#define FNV_OFFSET_BASIS 0xcbf29ce484222325u

struct header {
  char magic[8];
  uint64_t version, hash;
  uint64_t checksum; // of everything behind the header
};

static uint64_t fnv1a(uint64_t h, const void *bytes, size_t count)
{
  const unsigned char *c = bytes;
  for (size_t i = 0; i < count; i++)
    h = (h ^ c[i]) * 0x100000001b3u;
  return h;
}

static uint64_t fnv1a_outlines(uint64_t h, const struct outlines *o)
{
  const size_t lines = (size_t)o->count, points = lines ? (size_t)o->start[lines] : 0;
  h = fnv1a(h, &o->count, sizeof o->count);
  h = fnv1a(h, o->start, lines ? (lines + 1) * sizeof *o->start : 0);
  h = fnv1a(h, o->points, points * sizeof *o->points);
  return fnv1a(h, o->closed, lines);
}

uint64_t roadmap_hash(const struct outlines *walls, bool outside_solid, struct box bounds,
                      int32_t clearance, const struct outlines *areas, int area_count)
{
  const int64_t numbers[] = {VERSION,     outside_solid, clearance,   bounds.lo.x,
                             bounds.lo.y, bounds.hi.x,   bounds.hi.y, area_count};
  uint64_t h = fnv1a(FNV_OFFSET_BASIS, numbers, sizeof numbers);
  h = fnv1a(h, GEOSversion(), strlen(GEOSversion()));
  h = fnv1a_outlines(h, walls);
  for (int i = 0; i < area_count; i++)
    h = fnv1a_outlines(h, &areas[i]);
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
  if (length < (long)sizeof(struct header) || fseek(file, 0, SEEK_SET) != 0)
    return false;
  f->length = (size_t)length;
  f->bytes = memory_create(f->length, 1);
  return fread(f->bytes, 1, f->length, file) == f->length;
}

static const char *file_fault(const struct roadmap_file *f, uint64_t hash)
{
  struct header header;
  memcpy(&header, f->bytes, sizeof header);
  if (memcmp(header.magic, MAGIC, sizeof header.magic) != 0)
    return "not a roadmap";
  if (header.version != VERSION || header.hash != hash)
    return "of other walls or another version";
  return header.checksum ==
                 fnv1a(FNV_OFFSET_BASIS, f->bytes + sizeof header, f->length - sizeof header)
             ? NULL
             : "damaged";
}

bool roadmap_file_open(struct roadmap_file *f, const char *path, uint64_t hash,
                       struct diagnostics *p)
{
  *f = (struct roadmap_file){.at = sizeof(struct header)};
  FILE *file = regular_file_read(path);
  if (!file)
    return false;
  const char *fault = bytes_read(file, f) ? file_fault(f, hash) : "truncated";
  fclose(file);
  if (fault)
    diagnostics_warning(p, (struct location){path, NULL, 0, 0}, "%s; the roadmap is rebuilt",
                        fault);
  if (fault)
    roadmap_file_close(f);
  return !fault;
}

void roadmap_file_close(struct roadmap_file *f)
{
  memory_destroy(f->bytes);
  *f = (struct roadmap_file){0};
}

// The next count elements, or NULL if the file ends before.
static void *array_read(struct roadmap_file *f, int64_t count, size_t size)
{
  if (count < 0 || (size_t)count > (f->length - f->at) / size)
    return NULL;
  void *copy = memory_create((size_t)count, size);
  memcpy(copy, f->bytes + f->at, (size_t)count * size);
  f->at += (size_t)count * size;
  return copy;
}

static int64_t int64_read(struct roadmap_file *f) // -1 at the end of the file
{
  int64_t *number = array_read(f, 1, sizeof *number);
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

bool roadmap_file_inflated(struct roadmap_file *f, struct outlines *inflated)
{
  *inflated = (struct outlines){.count = int64_read(f)};
  if (inflated->count < 0 || inflated->count == INT64_MAX)
    return false;
  inflated->start = array_read(f, inflated->count + 1, sizeof *inflated->start);
  if (!is_ascending(inflated->start, inflated->count))
    return false;
  inflated->points = array_read(f, inflated->start[inflated->count], sizeof *inflated->points);
  inflated->closed = array_read(f, inflated->count, 1);
  return inflated->points && inflated->closed;
}

static bool links_valid(const struct roadmap *r)
{
  bool good = r->to && r->last_edges;
  for (int64_t e = 0; good && e < r->first[r->node_count]; e++)
    good = r->to[e] >= 0 && r->to[e] < r->node_count;
  for (int64_t k = 0; good && k < r->destination_count * r->node_count; k++)
    good = r->last_edges[k].waypoint <= ROADMAP_NONE && r->last_edges[k].length >= 0 &&
           (int64_t)ROADMAP_EDGE - r->last_edges[k].waypoint <
               r->destinations[k / r->node_count].edges.count;
  return good;
}

bool roadmap_file_links(struct roadmap_file *f, struct roadmap *r)
{
  if (int64_read(f) != r->node_count || int64_read(f) != r->destination_count)
    return false;
  r->first = array_read(f, r->node_count + 1, sizeof *r->first);
  if (!is_ascending(r->first, r->node_count))
    return false;
  r->to = array_read(f, r->first[r->node_count], sizeof *r->to);
  r->last_edges = array_read(f, r->node_count * r->destination_count, sizeof *r->last_edges);
  if (!links_valid(r))
    return false;
  r->length = memory_create((size_t)r->first[r->node_count], sizeof *r->length);
  for (int64_t u = 0; u < r->node_count; u++)
    for (int64_t e = r->first[u]; e < r->first[u + 1]; e++)
      r->length[e] = length_between(r->nodes[u], r->nodes[r->to[e]]);
  return true;
}

// -------------------------------------------------------------------------------- writing

static void append_array(struct text *t, const void *bytes, int64_t count, size_t size)
{
  text_add_bytes(t, bytes, (size_t)count * size);
}

static void append_body(struct text *t, const struct outlines *inflated, const struct roadmap *r)
{
  const int64_t nodes = r->node_count, destinations = r->destination_count;
  append_array(t, &inflated->count, 1, sizeof inflated->count);
  append_array(t, inflated->start, inflated->count + 1, sizeof *inflated->start);
  append_array(t, inflated->points, inflated->start[inflated->count], sizeof *inflated->points);
  append_array(t, inflated->closed, inflated->count, 1);
  append_array(t, &nodes, 1, sizeof nodes);
  append_array(t, &destinations, 1, sizeof destinations);
  append_array(t, r->first, nodes + 1, sizeof *r->first);
  append_array(t, r->to, r->first[nodes], sizeof *r->to);
  append_array(t, r->last_edges, nodes * destinations, sizeof *r->last_edges);
}

// The rename makes the file appear complete or not at all.
static bool bytes_write(const char *path, const struct text *t)
{
  struct text temporary = {0};
  text_add(&temporary, "%s.tmp", path);
  FILE *file = regular_file_create(temporary.bytes);
  bool good = file && fwrite(t->bytes, 1, t->length, file) == t->length;
  good = file && fclose(file) == 0 && good && rename(temporary.bytes, path) == 0;
  if (file && !good)
    remove(temporary.bytes);
  memory_destroy(temporary.bytes);
  return good;
}

bool roadmap_file_write(const char *path, uint64_t hash, const struct outlines *inflated,
                        const struct roadmap *r)
{
  struct header header = {MAGIC, VERSION, hash, 0};
  struct text t = {0};
  append_array(&t, &header, 1, sizeof header);
  append_body(&t, inflated, r);
  header.checksum = fnv1a(FNV_OFFSET_BASIS, t.bytes + sizeof header, t.length - sizeof header);
  memcpy(t.bytes, &header, sizeof header);
  const bool good = bytes_write(path, &t);
  memory_destroy(t.bytes);
  return good;
}
