// Built without CUDA: there is no GPU backend.
#include "backend_gpu.h"

bool backend_gpu_available(void)
{
  return false;
}

static const char *unavailable(void)
{
  return "this throng was built without CUDA";
}

const struct gpu_backend backend_cuda = {.backend = {.name = "cuda", .unavailable = unavailable}};
