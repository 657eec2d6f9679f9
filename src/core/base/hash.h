// 64-bit hashes for checksums and hash tables; not cryptographic.
#pragma once
#include <stddef.h>
#include <stdint.h>

#define HASH_START 0xcbf29ce484222325u // initial h of hash_bytes: FNV-1a's offset basis

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014), a bijection.
static inline uint64_t hash_mixed(uint64_t h)
{
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 27) * 0x94d049bb133111ebu;
  return h ^ h >> 31;
}

// FNV-1a. Pass the result as h to hash further bytes.
static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t size)
{
  for (size_t i = 0; i < size; i++)
    h = (h ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
  return h;
}
