// The file of a plug-in, looked at without running anything in it.
#pragma once

#include <stddef.h>

// What is wrong: it is no shared object for this machine, or has no data of at least `size` bytes
// under a name of symbols[count]; the text is constant. NULL: it can be loaded. The loader runs
// code of the file before anything else can be asked of it.
const char *plugin_file_fault(const char *path, const char *const *symbols, int count, size_t size);
