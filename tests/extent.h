// How much of a test runs (tools/test.sh): the long form in --all; the short form under sanitizers,
// which are slow and look for other faults; the ordinary form in a release.
#pragma once

#ifdef LONG_TESTS
#define LONG 1
#else
#define LONG 0
#endif

#ifdef SANITIZED
#define SHORT      !LONG
#define EXHAUSTIVE 0
#else
#define SHORT      0
#define EXHAUSTIVE LONG // all combinations, in the long form of a release
#endif

// Rounds of random trials.
#define TRIAL_ROUNDS(n) (SHORT ? (n) / 3 : (n))

// Unoptimised builds are slow, too.
#ifdef __OPTIMIZE__
#define THOROUGH !SHORT
#else
#define THOROUGH LONG
#endif
