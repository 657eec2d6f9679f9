// Samples distributions by seed and id. No state, and the same bits with any compiler and libm.
#pragma once
#include "config.h"
#include "random.h"

// Whether the bounds are in order and a table has entries.
bool distribution_is_valid(const struct distribution *d);

double distribution_sample(const struct distribution *d, uint64_t seed, int64_t id,
                           enum random_purpose purpose);

// Samples a distribution of integers. Both bounds are as likely as the integers between them.
int32_t distribution_sample_integer(const struct distribution *d, uint64_t seed, int64_t id,
                                    enum random_purpose purpose);

// Quantile function of the standard normal distribution, 0 < p < 1.
double normal_quantile(double p);

double portable_log(double x); // natural logarithm, x > 0 and not subnormal

int32_t random_symmetric(uint32_t word, int32_t most); // in [-most, most]
uint32_t random_below(uint32_t word, uint32_t count);  // in [0, count)
