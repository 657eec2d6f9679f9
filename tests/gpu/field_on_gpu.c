// Linked with the tests of fields: the kernels of the GPU spread the front, in an order of threads.
#include "backend_gpu.h"

__attribute__((constructor)) static void solve_on_gpu(void)
{
  const char *why;
  backend_gpu_solve_fields(backend_named(BACKEND, &why));
}
