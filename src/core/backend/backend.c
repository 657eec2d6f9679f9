#include "backend.h"

#include <string.h>

extern const struct backend backend_cpu_1, backend_cpu_4, backend_cpu_8, backend_cpu_16;

static const struct backend *const backends[] = {&backend_cpu_16, &backend_cpu_8, &backend_cpu_4,
                                                 &backend_cpu_1}; // widest first

const struct backend *backend_find(const char *name)
{
  const bool widest = strcmp(name, "simd") == 0;
  for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
    if (backends[i]->supported() && (widest || strcmp(name, backends[i]->name) == 0))
      return backends[i];
  return NULL;
}

const char *backend_names(void)
{
  return "auto, scalar, simd, simd4, simd8, simd16, emulated, cuda";
}
