#include "backend.h"

#include <string.h>

extern const struct backend backend_cpu_1, backend_cpu_4, backend_cpu_8, backend_cpu_16;

const struct backend *const backends_cpu[BACKENDS_CPU] = {&backend_cpu_1, &backend_cpu_4,
                                                          &backend_cpu_8, &backend_cpu_16};

const struct backend *backend_find(const char *name)
{
  const bool widest = strcmp(name, BACKEND_WIDEST) == 0;
  for (int i = BACKENDS_CPU - 1; i >= 0; i--)
    if ((widest || strcmp(name, backends_cpu[i]->name) == 0) && !backends_cpu[i]->unavailable())
      return backends_cpu[i];
  return NULL;
}
