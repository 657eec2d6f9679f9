// What the arithmetic instructions of PTX compute: arithmetic.h becomes a function for each, and a
// table of them. Compiled without contraction of float operations.
#include "ptx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

// Values of a type from and to the 64 bits of a lane. A GPU has one NaN for each float type.
#define INTEGER(type)                                                                              \
  static inline type get_##type(u64 x)                                                             \
  {                                                                                                \
    return (type)x;                                                                                \
  }                                                                                                \
  static inline u64 put_##type(type x)                                                             \
  {                                                                                                \
    return (u64)x;                                                                                 \
  }
INTEGER(u8)
INTEGER(u16)
INTEGER(u32)
INTEGER(u64)
INTEGER(s8)
INTEGER(s16)
INTEGER(s32)
INTEGER(s64)

static inline f32 get_f32(u64 x)
{
  const u32 bits = (u32)x;
  f32 value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static inline f64 get_f64(u64 x)
{
  f64 value;
  memcpy(&value, &x, sizeof value);
  return value;
}

static inline u64 put_f32(f32 value)
{
  u32 bits;
  memcpy(&bits, &value, sizeof bits);
  return value != value ? 0x7fffffff : bits;
}

static inline u64 put_f64(f64 value)
{
  u64 bits;
  memcpy(&bits, &value, sizeof bits);
  return value != value ? UINT64_C(0x7fffffffffffffff) : bits;
}

// Conversions of a whole number saturate. NaN becomes 0, in 64 bits the most negative number.
static inline s32 to_s32(f64 x)
{
  return x != x ? 0 : x <= -0x1p31 ? INT32_MIN : x >= 0x1p31 ? INT32_MAX : (s32)x;
}

static inline u32 to_u32(f64 x)
{
  return x != x || x <= 0 ? 0 : x >= 0x1p32 ? UINT32_MAX : (u32)x;
}

static inline s64 to_s64(f64 x)
{
  return x != x || x <= -0x1p63 ? INT64_MIN : x >= 0x1p63 ? INT64_MAX : (s64)x;
}

static inline u32 reversed_bits(u32 x)
{
  u32 y = 0;
  for (int k = 0; k < 32; k++)
    y |= (x >> k & 1) << (31 - k);
  return y;
}

static inline u64 bit_field(u32 x, u32 position, u32 length)
{
  return position > 31 || length == 0 ? 0
                                      : (x >> position) & (length < 32 ? (1u << length) - 1 : ~0u);
}

static inline u64 insert_bits(u64 bits, u64 into, u32 position, u32 length)
{
  if (position > 63 || length == 0)
    return into;
  const u64 mask = (length < 64 ? (UINT64_C(1) << length) - 1 : UINT64_MAX) << position;
  return (into & ~mask) | (bits << position & mask);
}

static inline u32 permuted_bytes(u32 a, u32 b, u32 selection)
{
  const u64 from = (u64)b << 32 | a;
  u32 to = 0;
  for (int k = 0; k < 4; k++) {
    const u32 choice = selection >> 4 * k & 15;
    const u32 byte = (u32)(from >> 8 * (choice & 7)) & 255;
    to |= (choice & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * k;
  }
  return to;
}

// The body for each active lane. All lanes are the usual case, which the compiler vectorises.
#define EACH_LANE(body)                                                                            \
  if (lanes == ALL_LANES) {                                                                        \
    for (int l = 0; l < LANES; l++)                                                                \
      body;                                                                                        \
  } else {                                                                                         \
    for (u32 left = lanes; left; left &= left - 1) {                                               \
      const int l = __builtin_ctz(left);                                                           \
      body;                                                                                        \
    }                                                                                              \
  }

#define FUNCTION(name) static void name(u64 *out, const u64 *const *in, u32 lanes)
#define ONE(name, R, A, result)                                                                    \
  static inline R one_##name(A a)                                                                  \
  {                                                                                                \
    return result;                                                                                 \
  }                                                                                                \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    EACH_LANE(out[l] = put_##R(one_##name(get_##A(in[0][l]))))                                     \
  }
#define TWO(name, R, A, B, result)                                                                 \
  static inline R one_##name(A a, B b)                                                             \
  {                                                                                                \
    return result;                                                                                 \
  }                                                                                                \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    EACH_LANE(out[l] = put_##R(one_##name(get_##A(in[0][l]), get_##B(in[1][l]))))                  \
  }
#define THREE(name, R, A, B, C, result)                                                            \
  static inline R one_##name(A a, B b, C c)                                                        \
  {                                                                                                \
    return result;                                                                                 \
  }                                                                                                \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    EACH_LANE(out[l] =                                                                             \
                  put_##R(one_##name(get_##A(in[0][l]), get_##B(in[1][l]), get_##C(in[2][l]))))    \
  }
#define FOUR(name, R, A, B, C, D, result)                                                          \
  static inline R one_##name(A a, B b, C c, D d)                                                   \
  {                                                                                                \
    return result;                                                                                 \
  }                                                                                                \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    EACH_LANE(out[l] = put_##R(one_##name(get_##A(in[0][l]), get_##B(in[1][l]), get_##C(in[2][l]), \
                                          get_##D(in[3][l]))))                                     \
  }
#define SELECT(name, R)                                                                            \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    const u64 chosen = in[2][0];                                                                   \
    EACH_LANE(out[l] = (R)(chosen >> l & 1 ? in[0][l] : in[1][l]))                                 \
  }
#define BITS(name, count, result)                                                                  \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    const u64 a = in[0][0], b = in[count - 1][0];                                                  \
    (void)b;                                                                                       \
    out[0] = (out[0] & ~(u64)lanes) | ((result)&lanes);                                            \
  }
#define COMPARE(name, A, result)                                                                   \
  FUNCTION(name)                                                                                   \
  {                                                                                                \
    u32 bits = 0;                                                                                  \
    for (int l = 0; l < LANES; l++) {                                                              \
      const A a = get_##A(in[0][l]), b = get_##A(in[1][l]);                                        \
      bits |= (u32)(result) << l;                                                                  \
    }                                                                                              \
    out[0] = (out[0] & ~(u64)lanes) | (bits & lanes);                                              \
  }
#define COMPARE_INTEGERS(type, A)                                                                  \
  COMPARE(setp_eq_##type, A, a == b)                                                               \
  COMPARE(setp_ne_##type, A, a != b)                                                               \
  COMPARE(setp_lt_##type, A, a < b)                                                                \
  COMPARE(setp_le_##type, A, a <= b)                                                               \
  COMPARE(setp_gt_##type, A, a > b)                                                                \
  COMPARE(setp_ge_##type, A, a >= b)
// The forms with u are true where one is NaN.
#define COMPARE_FLOATS(A)                                                                          \
  COMPARE(setp_eq_##A, A, a == b)                                                                  \
  COMPARE(setp_ne_##A, A, a<b || a> b)                                                             \
  COMPARE(setp_lt_##A, A, a < b)                                                                   \
  COMPARE(setp_le_##A, A, a <= b)                                                                  \
  COMPARE(setp_gt_##A, A, a > b)                                                                   \
  COMPARE(setp_ge_##A, A, a >= b)                                                                  \
  COMPARE(setp_equ_##A, A, !(a < b || a > b))                                                      \
  COMPARE(setp_neu_##A, A, !(a == b))                                                              \
  COMPARE(setp_ltu_##A, A, !(a >= b))                                                              \
  COMPARE(setp_leu_##A, A, !(a > b))                                                               \
  COMPARE(setp_gtu_##A, A, !(a <= b))                                                              \
  COMPARE(setp_geu_##A, A, !(a < b))                                                               \
  COMPARE(setp_num_##A, A, a == a && b == b)                                                       \
  COMPARE(setp_nan_##A, A, a != a || b != b)
#include "arithmetic.h"
#undef ONE
#undef TWO
#undef THREE
#undef FOUR
#undef SELECT
#undef BITS
#undef COMPARE

static struct entry {
  char mnemonic[32];
  ptx_function *function;
  int inputs;
} table[] = {
#define ROW(name, count)                  {#name, name, count},
#define ONE(name, R, A, result)           ROW(name, 1)
#define TWO(name, R, A, B, result)        ROW(name, 2)
#define THREE(name, R, A, B, C, result)   ROW(name, 3)
#define FOUR(name, R, A, B, C, D, result) ROW(name, 4)
#define SELECT(name, R)                   ROW(name, 3)
#define BITS(name, count, result)         ROW(name, count)
#define COMPARE(name, A, result)          ROW(name, 2)
#include "arithmetic.h"
};
enum { TABLE_ROWS = sizeof table / sizeof *table };

static int compare_entries(const void *a, const void *b)
{
  return strcmp(((const struct entry *)a)->mnemonic, ((const struct entry *)b)->mnemonic);
}

ptx_function *ptx_arithmetic(const char *mnemonic, int *inputs)
{
  static bool sorted;
  if (!sorted) { // and with full stops
    for (int k = 0; k < TABLE_ROWS; k++)
      for (char *c = table[k].mnemonic; *c; c++)
        *c = *c == '_' ? '.' : *c;
    qsort(table, TABLE_ROWS, sizeof *table, compare_entries);
    sorted = true;
  }
  struct entry wanted = {"", NULL, 0};
  if (strlen(mnemonic) >= sizeof wanted.mnemonic)
    return NULL;
  strcpy(wanted.mnemonic, mnemonic);
  const struct entry *e = bsearch(&wanted, table, TABLE_ROWS, sizeof *table, compare_entries);
  if (e)
    *inputs = e->inputs;
  return e ? e->function : NULL;
}
