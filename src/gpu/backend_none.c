// Built without CUDA: there is no GPU backend.
#include "backend_gpu.h"

size_t backend_gpu_free_bytes(void)
{
  return 0;
}

static const char *unavailable(void)
{
  return "this throng was built without CUDA";
}

const struct gpu_backend backend_cuda = {.backend = {.name = "cuda", .unavailable = unavailable}};
