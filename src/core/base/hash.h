// Hashes of 64 bits: for telling whether two things are the same, not for keeping secrets.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u // of hash_bytes

static inline uint64_t
hash_mixed(uint64_t h) // the finaliser of SplitMix64 (Steele, Lea, Flood 2014)
{
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size) // FNV-1a
{
  for (size_t i = 0; i < size; i++)
    h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  return h;
}
