#include "hdf5_open.h"

#include "regular_file.h"
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

struct search {
  char *reason; // of the first object whose data lies elsewhere
  size_t size;
  bool found;
};

static void search_end(struct search *s, const char *name, const char *what)
{
  snprintf(s->reason, s->size,
           "%.100s %s: a file of throng has no such thing, and none is followed", name, what);
  s->found = true;
}

static void dataset_search(struct search *s, hid_t dataset, const char *name)
{
  const hid_t list = H5Dget_create_plist(dataset);
  if (list < 0 || H5Pget_external_count(list) > 0)
    search_end(s, name, "is stored in another file");
  else if (H5Pget_layout(list) == H5D_VIRTUAL)
    search_end(s, name, "is a virtual dataset");
  if (list >= 0)
    H5Pclose(list);
}

static herr_t link_search(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
  struct search *s = context;
  if (info->type != H5L_TYPE_HARD && info->type != H5L_TYPE_SOFT)
    search_end(s, name, "is a link to another file");
  if (info->type != H5L_TYPE_HARD || s->found)
    return s->found;
  const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
  if (object >= 0 && H5Iget_type(object) == H5I_DATASET)
    dataset_search(s, object, name);
  if (object >= 0)
    H5Oclose(object);
  return s->found; // not 0: the visit ends
}

// In native order: see reader_verify. What cannot be visited cannot be read either.
static bool is_self_contained(hid_t file, char *reason, size_t size)
{
  struct search s = {.reason = reason, .size = size};
  if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, link_search, &s) >= 0)
    return !s.found;
  snprintf(reason, size, "cannot be read to its end: the file is damaged");
  return false;
}

hid_t hdf5_open(const char *path, unsigned flags, hid_t access, char *reason, size_t size)
{
  const bool writes = flags & H5F_ACC_RDWR;
  const int fd = writes ? regular_file_change(path, 0) : regular_file_open(path); // HDF5 would wait
  if (fd < 0) {
    snprintf(reason, size, "%s", regular_file_reason(errno));
    return H5I_INVALID_HID;
  }
  close(fd);
  const hid_t file = H5Fopen(path, flags, access);
  if (file < 0)
    snprintf(reason, size, "cannot be opened by HDF5");
  if (file < 0 || is_self_contained(file, reason, size))
    return file;
  H5Fclose(file);
  return H5I_INVALID_HID;
}
