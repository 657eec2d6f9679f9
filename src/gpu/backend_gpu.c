#include "backend_gpu.h"

#include <string.h>

const struct backend *backend_named(const char *name, const char **why)
{
  const bool is_auto = strcmp(name, "auto") == 0;
  *why = NULL;
  if (is_auto || strcmp(name, "cuda") == 0) {
    const struct backend *cuda = backend_cuda(why);
    return cuda || !is_auto ? cuda : backend_find("simd");
  }
  const struct backend *found = backend_find(name);
  if (!found)
    found = backend_emulated(name);
  if (!found)
    *why = "no backend of that name can run on this machine";
  return found;
}
