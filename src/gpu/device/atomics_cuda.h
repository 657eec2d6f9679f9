// The atomics of device.h on a CUDA device. Included by device_cuda.h only.
#pragma once

ON_DEVICE void atomic_add_int64(int64_t *at, int64_t more)
{
  if (more)
    atomicAdd((unsigned long long *)at, (unsigned long long)more);
}

// The same, if all lanes of a warp that come here add to one address: they reduce first.
ON_DEVICE void atomic_reduce_add(int64_t *at, int32_t more)
{
  const unsigned lanes = __activemask();
  int32_t sum = 0;
#if __CUDA_ARCH__ >= 800
  sum = __reduce_add_sync(lanes, more);
#else
  for (unsigned left = lanes; left; left &= left - 1)
    sum += __shfl_sync(lanes, more, __ffs((int)left) - 1);
#endif
  if (sum && (int)(threadIdx.x % 32) == __ffs((int)lanes) - 1)
    atomicAdd((unsigned long long *)at, (unsigned long long)(int64_t)sum);
}

// Increments a contended histogram bin: lanes of a warp with the same bin add once.
ON_DEVICE void atomic_histogram_add(int64_t *at)
{
  const unsigned same = __match_any_sync(__activemask(), (unsigned long long)(uintptr_t)at);
  if ((int)(threadIdx.x % 32) == __ffs((int)same) - 1)
    atomicAdd((unsigned long long *)at, (unsigned long long)__popc(same));
}

// The maximum over all threads of a kernel: a warp reduces first.
ON_DEVICE void atomic_reduce_max(int32_t *at, int32_t value)
{
  const unsigned lanes = __activemask();
  int32_t maximum = value;
#if __CUDA_ARCH__ >= 800
  maximum = __reduce_max_sync(lanes, value);
#else
  for (unsigned left = lanes; left; left &= left - 1)
    maximum = max(maximum, __shfl_sync(lanes, value, __ffs((int)left) - 1));
#endif
  if ((int)(threadIdx.x % 32) == __ffs((int)lanes) - 1 && maximum > *(volatile int32_t *)at)
    atomicMax(at, maximum);
}

ON_DEVICE int32_t atomic_add(int32_t *at, int32_t more) // returns the old value
{
  return atomicAdd(at, more);
}

ON_DEVICE uint64_t atomic_read(const uint64_t *at)
{
  return *(const volatile uint64_t *)at;
}

ON_DEVICE int32_t atomic_increment(int32_t *at) // returns the old value
{
  return atomicAdd(at, 1);
}

ON_DEVICE bool atomic_raise(int32_t *at, int32_t stamp) // did this thread raise it?
{
  return *(volatile int32_t *)at < stamp && atomicMax(at, stamp) < stamp;
}

ON_DEVICE void atomic_min(uint64_t *at, uint64_t value)
{
  if (value < *(volatile uint64_t *)at)
    atomicMin((unsigned long long *)at, (unsigned long long)value);
}

ON_DEVICE void atomic_max(int32_t *at, int32_t value)
{
  if (value > *(volatile int32_t *)at)
    atomicMax(at, value);
}
