#include "bench.h"

#include "backend_gpu.h"
#include <stdio.h>
#include <stdlib.h>

static int compare_doubles(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, int64_t count)
{
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return count ? values[count / 2] : 0;
}

double bench_number(const char *option, const char *text, double least, double most)
{
  char *end;
  const double value = strtod(text, &end);
  require(end != text && *end == 0 && value >= least && value <= most,
          "%s %s: must be a number from %g to %g", option, text, least, most);
  return value;
}

void bench_print_kernels(const struct backend *backend, int64_t repetitions)
{
  const struct kernel_time *list;
  const int count = backend_gpu_kernel_times(backend, &list);
  if (count == 0)
    return;
  printf("\"kernels_ms\": {");
  for (int k = 0; k < count; k++)
    printf("%s\"%s\": %.4f", k ? ", " : "", list[k].name,
           1e3 * list[k].seconds / (double)repetitions);
  int64_t bytes[2];
  backend_gpu_transfers(backend, bytes);
  printf("}, \"bus_bytes\": {\"up\": %.1f, \"down\": %.1f}, ",
         (double)bytes[0] / (double)repetitions, (double)bytes[1] / (double)repetitions);
}
