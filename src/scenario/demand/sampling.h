// Draws from distributions by seed and id: no state, and the same bits with any compiler.
#pragma once
#include "config.h"
#include "random.h"

// The value of a standard normal variable below which a share p of all lie, 0 < p < 1.
double normal_quantile(double p);

double portable_log(double x); // natural, of x > 0

double distribution_sample(const struct distribution *d, uint64_t seed, int64_t id,
                           enum random_purpose purpose);

// The same of a distribution of whole numbers: both ends are as likely as what lies between.
int32_t distribution_sample_integer(const struct distribution *d, uint64_t seed, int64_t id,
                                    enum random_purpose purpose);

int32_t random_symmetric(uint32_t word, int32_t most); // -most .. most
uint32_t random_below(uint32_t word, uint32_t count);  // 0 .. count - 1
