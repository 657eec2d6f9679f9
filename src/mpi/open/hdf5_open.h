// Opens HDF5 files that somebody else may have made. By an external link, external storage or a
// virtual dataset such a file could have other files of the user read, or written.
#pragma once
#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

// A regular file all of whose data lies in itself. flags: of H5Fopen. access: property list.
// Negative, with reason[size]: it is none.
hid_t hdf5_open(const char *path, unsigned flags, hid_t access, char *reason, size_t size);
