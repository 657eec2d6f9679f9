// Linked with the tests of fields: solves them by emulated GPU kernels, in one order of threads.
#include "backend_gpu.h"

__attribute__((constructor)) static void solve_on_gpu(void)
{
  const char *why;
  backend_gpu_solve_fields(backend_named(BACKEND, &why));
}
