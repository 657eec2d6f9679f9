// In place of backend_cuda.cu in a build without CUDA.
#include "backend_gpu.h"

const struct backend *backend_cuda(const char **why)
{
  *why = "this throng was built without CUDA";
  return NULL;
}

bool backend_gpu_available(void)
{
  return false;
}

struct device_times *backend_cuda_times(void)
{
  return NULL;
}

field_solver *backend_cuda_solver(void)
{
  return NULL;
}
