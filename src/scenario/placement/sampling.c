#include "sampling.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// From + - * / alone: x = m 2^e, ln m = 2 artanh((m - 1) / (m + 1)). The logarithm of libm differs
// in the last bit between versions.
double portable_log(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  const int exponent = (int)(bits >> 52) - 1023;
  bits = (bits & 0xfffffffffffff) | 0x3ff0000000000000;
  double m;
  memcpy(&m, &bits, sizeof m);                        // 1 <= m < 2
  const double t = (m - 1.0) / (m + 1.0), t2 = t * t; // t < 1/3
  double sum = 0.0;
  for (int k = 31; k >= 1; k -= 2)
    sum = sum * t2 + 1.0 / k;
  return 2.0 * t * sum + exponent * 0.69314718055994530942;
}

// From + - * / alone, |x| < 700: e^x = 2^k e^r with |r| < 0.35, by 16 terms of the series.
static double portable_exp(double x)
{
  const double k = floor(x / 0.69314718055994530942 + 0.5), r = x - k * 0.69314718055994530942;
  double sum = 1.0;
  for (int i = 16; i >= 1; i--)
    sum = sum * r / i + 1.0;
  return ldexp(sum, (int)k);
}

// Wichura 1988, algorithm AS 241, PPND7: accurate to about 1 part in 1e7.
double normal_quantile(double p)
{
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179) /
           (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1.0);
  }
  double r = sqrt(-portable_log(q < 0 ? p : 1.0 - p)), z;
  if (r <= 5.0) {
    r -= 1.6;
    z = (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777) /
        ((0.12021132975 * r + 0.73700164250) * r + 1.0);
  } else {
    r -= 5.0;
    z = (((0.017337203997 * r + 0.42868294337) * r + 3.0812263860) * r + 6.6579051150) /
        ((0.012258202635 * r + 0.24197894225) * r + 1.0);
  }
  return q < 0 ? -z : z;
}

static double table_sample(const struct number_list *table, double unit)
{
  double total = 0, below = 0;
  for (int i = 0; i < table->count; i++)
    total += table->values[2 * i + 1];
  for (int i = 0; i < table->count; i++) {
    below += table->values[2 * i + 1];
    if (unit * total < below)
      return table->values[2 * i];
  }
  return table->values[2 * table->count - 2];
}

static double normal_sample(const struct distribution *d, double unit)
{
  const double z = d->deviation * normal_quantile(unit);
  return d->kind == LOGNORMAL ? d->mean * portable_exp(z) : d->mean + z;
}

#define REJECTION_ROUNDS 16 // of four draws each

bool distribution_is_valid(const struct distribution *d)
{
  return d->kind != NOT_GIVEN && d->lo <= d->hi && (d->kind != TABLE || d->table.count > 0);
}

double distribution_sample(const struct distribution *d, uint64_t seed, int64_t id,
                           enum random_purpose purpose)
{
  assert(distribution_is_valid(d));
  if (d->kind == CONSTANT)
    return d->mean;
  double unit = 0.5;
  for (int try = 0; try < REJECTION_ROUNDS; try++) {
    const struct random4 r = random_words(seed, id, try, purpose);
    for (int k = 0; k < 4; k++) {
      unit = ((double)r.word[k] + 0.5) * 0x1p-32;
      if (d->kind == UNIFORM)
        return d->lo + unit * (d->hi - d->lo);
      if (d->kind == TABLE)
        return table_sample(&d->table, unit);
      const double value = normal_sample(d, unit);
      if (value >= d->lo && value <= d->hi)
        return value;
    }
  }
  return d->lo + unit * (d->hi - d->lo); // narrow bounds: the density is nearly uniform there
}

int32_t distribution_sample_integer(const struct distribution *d, uint64_t seed, int64_t id,
                                    enum random_purpose purpose)
{
  if (d->kind == TABLE)
    return (int32_t)distribution_sample(d, seed, id, purpose);
  struct distribution wide = *d;
  wide.lo -= 0.5;
  wide.hi += 0.5;
  const double value = floor(distribution_sample(&wide, seed, id, purpose) + 0.5);
  return (int32_t)(value < d->lo ? d->lo : value > d->hi ? d->hi : value);
}

int32_t random_symmetric(uint32_t word, int32_t most)
{
  return (int32_t)((uint64_t)word * (2 * (uint64_t)most + 1) >> 32) - most;
}

uint32_t random_below(uint32_t word, uint32_t count)
{
  return (uint32_t)((uint64_t)word * count >> 32);
}
