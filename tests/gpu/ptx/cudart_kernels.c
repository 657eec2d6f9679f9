// The CUDA runtime library (version 13): kernels, their launches, and devices.
#include "cudart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KERNELS = 256, MULTIPROCESSORS = 132, THREADS_EACH = 2048 };

static struct registered { // by the code that nvcc generates for the host
  const void *host_function;
  char *name;
  struct ptx_kernel *kernel;
} registered[MAX_KERNELS];
static int registered_count;

static _Thread_local cudaError_t last_error;
static bool is_reset;

cudaError_t ptx_error(cudaError_t error)
{
  if (error != cudaSuccess)
    last_error = error;
  return error;
}

// ------------------------------------------------------------------------- kernels and launches

void **__cudaRegisterFatBinary(void *binary);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterVar(void **handle, char *host, char *on_device, const char *name, int external,
                       size_t bytes, int constant, int global);
void __cudaRegisterFunction(void **handle, const char *host_function, char *function,
                            const char *name, int limit, uint3 *thread, uint3 *block, dim3 *threads,
                            dim3 *blocks, int *warp);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host_function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream);

void **__cudaRegisterFatBinary(void *binary)
{
  static void *handle;
  (void)binary;
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
  (void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
  (void)handle;
}

void __cudaRegisterVar(void **handle, char *host, char *on_device, const char *name, int external,
                       size_t bytes, int constant, int global)
{
  (void)handle, (void)host, (void)on_device, (void)name, (void)external, (void)bytes;
  (void)constant, (void)global;
}

void __cudaRegisterFunction(void **handle, const char *host_function, char *function,
                            const char *name, int limit, uint3 *thread, uint3 *block, dim3 *threads,
                            dim3 *blocks, int *warp)
{
  (void)handle, (void)function, (void)limit, (void)thread, (void)block, (void)threads;
  (void)blocks, (void)warp;
  if (registered_count == MAX_KERNELS)
    ptx_fail("more than %d kernels", MAX_KERNELS);
  registered[registered_count++] = (struct registered){host_function, strdup(name), NULL};
}

char __cudaInitModule(void **handle)
{
  (void)handle;
  return 1;
}

// cub's names carry the architectures of the build.
static bool same_name(const char *a, const char *b)
{
  while (*a && *a == *b) {
    a++, b++;
    if (a[-1] == '_' && a[-2] == 'M' && a[-3] == 'S') {
      a += strspn(a, "0123456789_");
      b += strspn(b, "0123456789_");
    }
  }
  return *a == *b;
}

static struct ptx_kernel *kernel_of(const void *host_function)
{
  if (!ptx_begin())
    return NULL;
  for (int r = 0; r < registered_count; r++) {
    if (registered[r].host_function != host_function)
      continue;
    for (int k = 0; k < ptx_module.kernel_count && !registered[r].kernel; k++)
      if (same_name(ptx_module.kernels[k].name, registered[r].name))
        registered[r].kernel = &ptx_module.kernels[k];
    if (!registered[r].kernel)
      ptx_fail("%s has no kernel %s", ptx_module.file, registered[r].name);
    return registered[r].kernel;
  }
  return NULL;
}

static _Thread_local struct {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
} configuration;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
  configuration.grid = grid;
  configuration.block = block;
  configuration.shared = shared;
  configuration.stream = stream;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
  *grid = configuration.grid;
  *block = configuration.block;
  *shared = configuration.shared;
  *(cudaStream_t *)stream = configuration.stream;
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host_function)
{
  *kernel = (cudaKernel_t)(uintptr_t)host_function;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host_function, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
  struct ptx_kernel *k = kernel_of(host_function);
  if (!k)
    return ptx_error(cudaErrorInvalidDeviceFunction);
  if (block.x == 0 || block.x > (unsigned)k->max_threads || block.y * block.z != 1 || shared ||
      grid.x == 0 || grid.x > INT32_MAX || grid.y * grid.z != 1)
    return ptx_error(cudaErrorInvalidConfiguration);
  struct stream_operation o = {.what = LAUNCH};
  o.launch.kernel = k;
  o.launch.blocks = grid.x;
  o.launch.threads = block.x;
  o.launch.device = stream ? stream_device(stream) : ptx_device;
  for (int p = 0; p < k->parameter_count; p++) {
    const struct ptx_parameter *to = &k->parameters[p];
    if ((size_t)(to->offset + to->bytes) > sizeof o.launch.parameters)
      ptx_fail("%s has too many bytes of parameters", k->name);
    memcpy(o.launch.parameters + to->offset, arguments[p], (size_t)to->bytes);
  }
  pthread_mutex_lock(&ptx_lock);
  stream_append(ptx_stream_of(stream), &o);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
                               size_t shared, cudaStream_t stream)
{
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *host_function,
                                void **arguments)
{
  return cudaLaunchKernel(host_function, c->gridDim, c->blockDim, arguments, c->dynamicSmemBytes,
                          c->stream);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *host_function)
{
  const struct ptx_kernel *k = kernel_of(host_function);
  memset(a, 0, sizeof *a);
  if (!k)
    return ptx_error(ptx_begin() ? cudaErrorInvalidDeviceFunction : cudaErrorNoDevice);
  a->ptxVersion = a->binaryVersion = ptx_module.target;
  a->maxThreadsPerBlock = k->max_threads;
  a->numRegs = 32;
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks,
                                                                   const void *host_function,
                                                                   int threads, size_t shared,
                                                                   unsigned flags)
{
  (void)host_function, (void)shared, (void)flags;
  *blocks = THREADS_EACH / threads;
  return cudaSuccess;
}

// -------------------------------------------------------------------------------------- devices

cudaError_t cudaGetDeviceCount(int *count)
{
  if (is_reset)
    ptx_fail("the device is used after it was reset");
  *count = ptx_begin() ? ptx_settings.devices : 0;
  return *count ? cudaSuccess : ptx_error(cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int number)
{
  if (is_reset)
    ptx_fail("the device is used after it was reset");
  if (!ptx_begin() || number < 0 || number >= ptx_settings.devices)
    return ptx_error(cudaErrorInvalidDevice);
  ptx_device = number;
  return cudaSuccess;
}

// Nothing is used after it (backend_gpu_leave): a device that was reset is not modelled.
cudaError_t cudaDeviceReset(void)
{
  is_reset = true;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *number)
{
  *number = ptx_device;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int number)
{
  (void)number;
  if (!ptx_begin())
    return ptx_error(cudaErrorNoDevice);
  switch ((int)attribute) {
  case cudaDevAttrMultiProcessorCount:
    *value = MULTIPROCESSORS;
    break;
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    *value = THREADS_EACH;
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *value = ptx_module.target / 10;
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *value = ptx_module.target % 10;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *value = 48 << 10;
    break;
  case cudaDevAttrMaxGridDimX:
    *value = INT32_MAX;
    break;
  case cudaDevAttrWarpSize:
    *value = LANES;
    break;
  default:
    ptx_fail("the device attribute %d is not implemented", (int)attribute);
  }
  return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
  const cudaError_t error = last_error;
  last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void)
{
  return last_error;
}

const char *cudaGetErrorString(cudaError_t error)
{
  static _Thread_local char text[40];
  if (error == cudaErrorNoDevice)
    return "no CUDA-capable device is detected";
  snprintf(text, sizeof text, "CUDA error %d", (int)error);
  return text;
}

const char *cudaGetErrorName(cudaError_t error)
{
  return cudaGetErrorString(error);
}
