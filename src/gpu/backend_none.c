// Built without CUDA: there is no GPU backend.
#include "backend_gpu.h"

struct gpu_memory backend_gpu_memory(void)
{
  return (struct gpu_memory){0};
}

void backend_gpu_leave(void)
{
}

static const char *unavailable(void)
{
  return "this throng was built without CUDA";
}

const struct gpu_backend backend_cuda = {.backend = {.name = "cuda", .unavailable = unavailable}};
