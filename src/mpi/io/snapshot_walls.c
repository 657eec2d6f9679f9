// The walls file, which rank 0 writes.
#include "snapshot_file.h"

#include <string.h>

struct walls {
  const struct outlines *lines;
  const struct frame *frame;
};

static void fill_points(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct walls *w = source;
  double(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    p[i][0] = frame_x(w->frame, w->lines->points[begin + i].x);
    p[i][1] = frame_y(w->frame, w->lines->points[begin + i].y);
    p[i][2] = 0;
  }
}

static void fill_numbers(const void *source, int64_t begin, int64_t count, void *out)
{
  memcpy(out, (const int64_t *)source + begin, (size_t)count * sizeof(int64_t));
}

// The lines as cells of VTKHDF (offsets and point numbers) and of XDMF, whose mixed topology
// prefixes each line with its type (2: polyline) and its number of points.
struct cells {
  int64_t count, id_count, xdmf_count;
  int64_t *offsets, *ids, *xdmf_topology; // [count + 1], [id_count], [xdmf_count]
};

static void cells_create(struct cells *c, const struct outlines *lines)
{
  c->count = lines->count;
  c->offsets = memory_create((size_t)c->count + 1, sizeof(int64_t));
  for (int64_t l = 0; l < c->count; l++)
    c->offsets[l + 1] =
        c->offsets[l] + lines->start[l + 1] - lines->start[l] + (lines->closed[l] ? 1 : 0);
  c->id_count = c->offsets[c->count];
  c->xdmf_count = c->id_count + 2 * c->count;
  c->ids = memory_create((size_t)c->id_count, sizeof(int64_t));
  c->xdmf_topology = memory_create((size_t)c->xdmf_count, sizeof(int64_t));
  for (int64_t l = 0; l < c->count; l++) {
    const int64_t first = c->offsets[l], length = c->offsets[l + 1] - first;
    const int64_t points = lines->start[l + 1] - lines->start[l];
    int64_t *xdmf_topology = c->xdmf_topology + first + 2 * l;
    *xdmf_topology++ = 2;
    *xdmf_topology++ = length;
    for (int64_t i = 0; i < length; i++) // a closed line repeats its first point
      xdmf_topology[i] = c->ids[first + i] = lines->start[l] + (i < points ? i : 0);
  }
}

static void cells_destroy(struct cells *c)
{
  memory_destroy(c->offsets);
  memory_destroy(c->ids);
  memory_destroy(c->xdmf_topology);
}

static void lines_write(struct snapshot_file *f, const struct walls *w, const struct cells *cells)
{
  const int64_t points = w->lines->count ? w->lines->start[w->lines->count] : 0;
  const hid_t polydata = snapshot_polydata_create(f, points);
  const struct snapshot_rows rows = {.name = "Points",
                                     .unit = "m",
                                     .description = "in the coordinates of the scenario, exact",
                                     .type = H5T_NATIVE_DOUBLE,
                                     .width = 3,
                                     .count = points,
                                     .total = points,
                                     .fill = fill_points,
                                     .source = w};
  snapshot_rows_write(f, polydata, &rows);
  snapshot_empty_cells_write(f, polydata, "Vertices");
  snapshot_cells_write(f, polydata, "Lines", cells->count, cells->offsets,
                       (struct snapshot_rows){.count = cells->id_count,
                                              .total = cells->id_count,
                                              .fill = fill_numbers,
                                              .source = cells->ids});
  snapshot_empty_cells_write(f, polydata, "Polygons");
  snapshot_empty_cells_write(f, polydata, "Strips");
  snapshot_group_close(f, polydata);
}

static void throng_write(struct snapshot_file *f, const struct walls *w, const struct cells *cells)
{
  const hid_t group = snapshot_group_create(f, f->file, "throng");
  snapshot_attribute(f, group, "walls", H5T_NATIVE_INT64, 1, &w->lines->count);
  snapshot_points_frame_write(f, group, w->frame);
  snapshot_attribute_text(f, group, "units", "origin, frame_origin, quantum: m");
  const struct snapshot_rows rows = {.name = "xdmf_topology",
                                     .unit = "1",
                                     .description = "the same lines for snapshots.xdmf",
                                     .type = H5T_NATIVE_INT64,
                                     .width = 1,
                                     .count = cells->xdmf_count,
                                     .total = cells->xdmf_count,
                                     .fill = fill_numbers,
                                     .source = cells->xdmf_topology};
  snapshot_rows_write(f, group, &rows);
  snapshot_group_close(f, group);
}

static enum snapshot_result write_serial(const char *path, const struct frame *frame,
                                         const struct outlines *lines)
{
  const struct comm self = comm_self();
  const struct walls walls = {lines, frame};
  struct cells cells;
  struct snapshot_file f;
  cells_create(&cells, lines);
  const int64_t bytes = (64 << 10) + 64 * cells.id_count + 48 * cells.count;
  enum snapshot_result result = snapshot_file_create(&f, &self, path, bytes, 1, false);
  if (result == SNAPSHOT_WRITTEN) {
    lines_write(&f, &walls, &cells);
    throng_write(&f, &walls, &cells);
    result = snapshot_file_publish(&f);
  }
  cells_destroy(&cells);
  return result;
}

enum snapshot_result snapshot_write_walls(const struct comm *c, const char *path,
                                          const struct frame *frame, const struct outlines *walls)
{
  enum snapshot_result result = SNAPSHOT_WRITTEN;
  if (c->rank == 0)
    result = write_serial(path, frame, walls);
  comm_broadcast(c, &result, sizeof result, 0);
  return result;
}
