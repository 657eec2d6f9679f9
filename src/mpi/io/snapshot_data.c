// The contents of a snapshot file: groups, datasets, attributes, VTKHDF cells.
#include "snapshot_file.h"
#include "worker.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// With one rank a chunk takes at most 96 KiB, which are compressed within a millisecond or so: a
// file that is written between the steps makes none of them much longer.
#define CHUNK_ROWS      16384
#define CHUNK_ROWS_WIDE 4096              // with one rank, of rows longer than 4 bytes
#define PIECE_ROWS      (16 * CHUNK_ROWS) // rows per write: bounds the memory of a write
#define COMPACT_BYTES   60000 // smaller datasets are stored in their headers (HDF5: below 64 KiB)

hid_t snapshot_number_type(enum number_type n)
{
  const hid_t types[] = {H5T_NATIVE_INT32, H5T_NATIVE_INT64, H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE};
  return types[n];
}

// Without times, so that the same data gives the same bytes.
static hid_t untimed(hid_t creation_list)
{
  H5Pset_obj_track_times(creation_list, false);
  return creation_list;
}

hid_t snapshot_group_create(struct snapshot_file *f, hid_t where, const char *name)
{
  if (!f->ok)
    return H5I_INVALID_HID;
  const hid_t list = untimed(H5Pcreate(H5P_GROUP_CREATE));
  const hid_t group = H5Gcreate2(where, name, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  snapshot_check(f, group, "a group cannot be created");
  snapshot_agree(f);
  return group;
}

void snapshot_group_close(struct snapshot_file *f, hid_t group)
{
  if (f->ok)
    snapshot_check(f, H5Gclose(group), "a group cannot be closed");
}

static hid_t space_create(int64_t rows, int32_t width)
{
  const hsize_t dims[2] = {(hsize_t)rows, (hsize_t)width};
  return H5Screate_simple(width == 1 ? 1 : 2, dims, NULL);
}

static int64_t chunk_rows(const struct snapshot_file *f, const struct snapshot_rows *r)
{
  const int64_t row = (int64_t)H5Tget_size(r->type) * r->width; // bytes
  const int64_t rows = f->comm->size == 1 && row > 4 ? CHUNK_ROWS_WIDE : CHUNK_ROWS;
  return r->total < rows ? r->total : rows;
}

// Chunks only for filters, which need them. HDF5 allows no chunk of size 0.
static hid_t layout_create(const struct snapshot_file *f, const struct snapshot_rows *r)
{
  const hid_t list = untimed(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  if ((f->compression == 0 && !f->exact) || r->total == 0)
    return list;
  const hsize_t dims[2] = {(hsize_t)chunk_rows(f, r), (hsize_t)r->width};
  H5Pset_chunk(list, r->width == 1 ? 1 : 2, dims);
  if (f->compression > 0) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, (unsigned)f->compression);
  }
  H5Pset_fletcher32(list);
  return list;
}

int64_t snapshot_rows_allocated(int64_t rows)
{
  return rows < CHUNK_ROWS ? rows : (rows + CHUNK_ROWS - 1) / CHUNK_ROWS * CHUNK_ROWS;
}

// The first row of the k-th piece of this rank. Pieces end at chunk borders of the dataset: then
// almost every chunk is written once.
static int64_t piece_begin(const struct snapshot_rows *r, int64_t k)
{
  const int64_t at = (r->first / PIECE_ROWS + k) * PIECE_ROWS - r->first;
  return at < 0 ? 0 : at > r->count ? r->count : at;
}

static int64_t piece_count(const struct snapshot_rows *r)
{
  return r->count ? (r->first + r->count - 1) / PIECE_ROWS - r->first / PIECE_ROWS + 1 : 0;
}

static void piece_write(struct snapshot_file *f, hid_t dataset, hid_t space,
                        const struct snapshot_rows *r, int64_t k, void *buffer)
{
  const int64_t begin = piece_begin(r, k), count = piece_begin(r, k + 1) - begin;
  const hid_t memory = space_create(count ? count : 1, r->width);
  if (count) {
    const hsize_t start[2] = {(hsize_t)(r->first + begin), 0};
    const hsize_t extent[2] = {(hsize_t)count, (hsize_t)r->width};
    r->fill(r->source, begin, count, buffer);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
  } else { // no rows, but the write is collective
    H5Sselect_none(space);
    H5Sselect_none(memory);
  }
  snapshot_check(f, H5Dwrite(dataset, r->type, memory, space, f->transfer, buffer), r->name);
  H5Sclose(memory);
}

static void pieces_write(struct snapshot_file *f, hid_t dataset, hid_t space,
                         const struct snapshot_rows *r)
{
  int64_t rounds = piece_count(r);
  comm_max(f->comm, &rounds, 1);
  const int64_t rows_max = r->count < PIECE_ROWS ? r->count : PIECE_ROWS;
  void *buffer = memory_create((size_t)rows_max, H5Tget_size(r->type) * (size_t)r->width);
  for (int64_t k = 0; k < rounds && f->ok; k++) {
    piece_write(f, dataset, space, r, k, buffer);
    snapshot_agree(f);
    worker_yield();
  }
  memory_destroy(buffer);
}

struct chunked_rows {
  const struct snapshot_rows *rows;
  int64_t chunk_rows;
};

// Rows beyond the last one are 0.
static bool fill_chunk(const void *source, int64_t k, void *out)
{
  const struct chunked_rows *c = source;
  const struct snapshot_rows *r = c->rows;
  const int64_t begin = k * c->chunk_rows, left = r->total - begin;
  r->fill(r->source, begin, left < c->chunk_rows ? left : c->chunk_rows, out);
  return true;
}

static void chunk_offset(const void *source, int64_t k, hsize_t *offset)
{
  const struct chunked_rows *c = source;
  offset[0] = (hsize_t)(k * c->chunk_rows);
}

// One rank alone. Several ranks share chunks, which HDF5 compresses.
static void chunks_write(struct snapshot_file *f, hid_t dataset, const struct snapshot_rows *r)
{
  const struct chunked_rows source = {r, chunk_rows(f, r)};
  const struct snapshot_chunks chunks = {.name = r->name,
                                         .count =
                                             (r->total + source.chunk_rows - 1) / source.chunk_rows,
                                         .values = source.chunk_rows * r->width,
                                         .size = (int64_t)H5Tget_size(r->type),
                                         .fill = fill_chunk,
                                         .offset = chunk_offset,
                                         .source = &source};
  snapshot_chunks_write(f, dataset, &chunks);
  snapshot_agree(f);
}

bool snapshot_rows_is_valid(const struct snapshot_rows *r)
{
  return r->name && r->width >= 1 && r->first >= 0 && r->count >= 0 &&
         r->first + r->count <= r->total && (r->fill || r->total == 0) &&
         (!r->unit || r->description);
}

void snapshot_rows_write(struct snapshot_file *f, hid_t where, const struct snapshot_rows *r)
{
  if (!f->ok)
    return;
  assert(snapshot_rows_is_valid(r));
  const hid_t space = space_create(r->total, r->width), list = layout_create(f, r);
  const hid_t dataset = H5Dcreate2(where, r->name, r->type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  snapshot_check(f, dataset, r->name);
  if (snapshot_agree(f) && r->unit) {
    snapshot_attribute_text(f, dataset, "unit", r->unit);
    snapshot_attribute_text(f, dataset, "description", r->description);
  }
  if (f->ok && r->total && f->comm->size == 1 && f->compression > 0)
    chunks_write(f, dataset, r);
  else if (f->ok && r->total)
    pieces_write(f, dataset, space, r);
  if (f->ok)
    snapshot_check(f, H5Dclose(dataset), r->name);
  H5Sclose(space);
  H5Pclose(list);
}

struct row_array {
  const char *data;
  size_t row; // bytes
};

static void fill_row_array(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_array *a = source;
  memcpy(out, a->data + (size_t)begin * a->row, (size_t)count * a->row);
}

// Stores the data in the header of the dataset, which HDF5 protects by a checksum.
static void compact_write(struct snapshot_file *f, hid_t where, const struct snapshot_array *a)
{
  const hid_t list = untimed(H5Pcreate(H5P_DATASET_CREATE)),
              space = space_create(a->rows, a->width);
  H5Pset_layout(list, H5D_COMPACT);
  const hid_t dataset = H5Dcreate2(where, a->name, a->type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  snapshot_check(f, dataset, a->name);
  if (snapshot_agree(f)) {
    snapshot_check(f, H5Dwrite(dataset, a->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data), a->name);
    snapshot_check(f, H5Dclose(dataset), a->name);
  }
  H5Sclose(space);
  H5Pclose(list);
}

void snapshot_array_write(struct snapshot_file *f, hid_t where, struct snapshot_array array)
{
  if (!f->ok)
    return;
  const size_t row = H5Tget_size(array.type) * (size_t)array.width;
  if (array.rows > 0 && (size_t)array.rows * row <= COMPACT_BYTES) {
    compact_write(f, where, &array);
    return;
  }
  const struct row_array source = {array.data, row};
  snapshot_rows_write(f, where,
                      &(struct snapshot_rows){.name = array.name,
                                              .type = array.type,
                                              .width = array.width,
                                              .count = f->comm->rank == 0 ? array.rows : 0,
                                              .first = f->comm->rank == 0 ? 0 : array.rows,
                                              .total = array.rows,
                                              .fill = fill_row_array,
                                              .source = &source});
}

// A fixed-length string type, ASCII if possible: not all readers support UTF-8.
static hid_t text_type(const char *text)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  const size_t length = strlen(text);
  bool ascii = true;
  for (size_t i = 0; i < length; i++)
    ascii = ascii && !(text[i] & 0x80);
  H5Tset_size(type, length ? length : 1);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
  return type;
}

void snapshot_text_write(struct snapshot_file *f, hid_t where, const char *name, const char *text)
{
  const hid_t type = text_type(text);
  snapshot_array_write(f, where, (struct snapshot_array){name, type, 1, 1, text});
  H5Tclose(type);
}

void snapshot_attribute(struct snapshot_file *f, hid_t object, const char *name, hid_t type,
                        int32_t count, const void *values)
{
  if (!f->ok)
    return;
  const hsize_t dims[1] = {(hsize_t)count};
  const hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, dims, NULL);
  const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  snapshot_check(f, attribute, name);
  snapshot_check(f, attribute < 0 ? 0 : H5Awrite(attribute, type, values), name);
  snapshot_check(f, attribute < 0 ? 0 : H5Aclose(attribute), name);
  H5Sclose(space);
}

void snapshot_attribute_text(struct snapshot_file *f, hid_t object, const char *name,
                             const char *text)
{
  const hid_t type = text_type(text);
  snapshot_attribute(f, object, name, type, 1, text);
  H5Tclose(type);
}

static void frame_write(struct snapshot_file *f, hid_t group, const char *origin_name,
                        const struct frame *frame)
{
  const double origin[2] = {frame->origin_x, frame->origin_y};
  const double quantum = ldexp(1, -frame->exponent);
  snapshot_attribute(f, group, origin_name, H5T_NATIVE_DOUBLE, 2, origin);
  snapshot_attribute(f, group, "quantum", H5T_NATIVE_DOUBLE, 1, &quantum);
}

void snapshot_frame_write(struct snapshot_file *f, hid_t group, const struct frame *frame)
{
  frame_write(f, group, "origin", frame);
}

void snapshot_points_frame_write(struct snapshot_file *f, hid_t group, const struct frame *frame)
{
  snapshot_attribute(f, group, "origin", H5T_NATIVE_DOUBLE, 2, (const double[2]){0, 0});
  frame_write(f, group, "frame_origin", frame);
}

void snapshot_provenance_write(struct snapshot_file *f, hid_t group,
                               const struct snapshot_metadata *metadata)
{
  snapshot_attribute_text(f, group, "version", metadata->version);
  if (metadata->name)
    snapshot_attribute_text(f, group, "name", metadata->name);
  if (metadata->attribution)
    snapshot_attribute_text(f, group, "attribution", metadata->attribution);
  if (metadata->projection) {
    snapshot_attribute(f, group, "centre", H5T_NATIVE_DOUBLE, 2, metadata->projection);
    snapshot_attribute(f, group, "metres_per_degree", H5T_NATIVE_DOUBLE, 2,
                       metadata->projection + 2);
  }
}

// VTKHDF PolyData (https://docs.vtk.org: VTKHDF file format).

hid_t snapshot_polydata_create(struct snapshot_file *f, int64_t point_count)
{
  const hid_t group = snapshot_group_create(f, f->file, "VTKHDF");
  const int64_t version[2] = {2, 0};
  snapshot_attribute(f, group, "Version", H5T_NATIVE_INT64, 2, version);
  snapshot_attribute_text(f, group, "Type", "PolyData");
  snapshot_array_write(
      f, group, (struct snapshot_array){"NumberOfPoints", H5T_NATIVE_INT64, 1, 1, &point_count});
  return group;
}

void snapshot_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind,
                          int64_t cell_count, const int64_t *offsets,
                          struct snapshot_rows connectivity)
{
  const hid_t group = snapshot_group_create(f, polydata, kind);
  const hid_t type = H5T_NATIVE_INT64;
  const struct snapshot_array arrays[] = {
      {"NumberOfCells", type, 1, 1, &cell_count},
      {"NumberOfConnectivityIds", type, 1, 1, &connectivity.total},
      {"Offsets", type, cell_count + 1, 1, offsets}};
  for (int i = 0; i < 3; i++)
    snapshot_array_write(f, group, arrays[i]);
  connectivity.name = "Connectivity";
  connectivity.type = type;
  connectivity.width = 1;
  snapshot_rows_write(f, group, &connectivity);
  snapshot_group_close(f, group);
}

void snapshot_empty_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind)
{
  snapshot_cells_write(f, polydata, kind, 0, &(int64_t){0}, (struct snapshot_rows){0});
}
