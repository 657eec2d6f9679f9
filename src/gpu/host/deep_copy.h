// Deep copies into device memory, generated from one list of members per struct.
//
//   #define MEMBERS_tag(X) X(kind, member, ...) ...    every member of struct tag
//
//   DEEP_COPY(tag, context);
//     defines deep_copy_tag(u, host, copy): copy becomes *host with device pointers.
//
//   DEEP_COPY_ARRAY(tag, context);
//     defines deep_copy_tag_array(u, host, count): returns the array on the device.
//
// Kinds of members, with their further arguments. `u` (of type context), `host` and `copy` may
// appear in them:
//   PLAIN    a value without pointers
//   STRUCT   a struct that has its own list                         tag
//   EACH     an array of such structs inside this one               tag, used elements
//   ARRAY    a pointer to values without pointers                   elements
//   ARRAYS   an array of such pointers inside this struct           used pointers, elements of [k]
//   STRUCTS  a pointer to structs that have their own list          tag, elements
//   LINK     a pointer to something that is copied elsewhere        its address on the device
//   HOST     a pointer that only the host follows; NULL on the device
//
// A struct that gains a pointer or an 8-byte member that its list lacks fails to compile, as does a
// PLAIN or an ARRAY with a pointer inside. A null pointer is copied as such. An array
// without elements is not null on the device either: kernels ask whether it is there.
#pragma once
#include "device_state.h"

#include <assert.h>
#ifdef __cplusplus
#include <type_traits>
#endif

// Does the type of this expression hold no pointer? Structs qualify by their alignment alone.
#ifdef __cplusplus
#define HAS_NO_POINTER(lvalue)                                                                     \
  (alignof(__typeof__(lvalue)) < alignof(void *) || std::is_arithmetic<__typeof__(lvalue)>::value)
#else
#define HAS_NO_POINTER(lvalue)                                                                     \
  (_Alignof(__typeof__(lvalue)) < _Alignof(void *) ||                                              \
   _Generic((lvalue), int64_t : 1, uint64_t : 1, double : 1, default : 0))
#endif

static void *upload_copy(struct device_state *state, const void *from, size_t bytes)
{
  if (!from)
    return NULL;
  void *to = arena_allocate(&state->arena, bytes);
  if (bytes)
    device_upload(&state->device, to, from, bytes);
  return to;
}

#define UPLOAD_ELEMENTS(u, from, count)                                                            \
  ((__typeof__(from))upload_copy((u)->state, from, (size_t)(count) * sizeof *(from)))

#define LISTED_MEMBER(kind, ...)    LISTED_MEMBER_(__VA_ARGS__, )
#define LISTED_MEMBER_(member, ...) __typeof__(copy->member) member;

#define COPY_MEMBER(kind, ...) COPY_##kind(__VA_ARGS__)
#define COPY_PLAIN(member)                                                                         \
  static_assert(HAS_NO_POINTER(copy->member), #member ": PLAIN, but may hold a pointer");
#define COPY_STRUCT(member, tag) deep_copy_##tag(u, &host->member, &copy->member);
#define COPY_EACH(member, tag, used)                                                               \
  for (int64_t k = 0; k < (used); k++)                                                             \
    deep_copy_##tag(u, &host->member[k], &copy->member[k]);
#define COPY_ARRAY(member, count)                                                                  \
  static_assert(HAS_NO_POINTER(*copy->member), #member ": ARRAY of what may hold a pointer");      \
  copy->member = UPLOAD_ELEMENTS(u, host->member, count);
#define COPY_ARRAYS(member, used, count)                                                           \
  static_assert(HAS_NO_POINTER(**copy->member), #member ": ARRAYS of what may hold a pointer");    \
  for (int64_t k = 0; k < (used); k++)                                                             \
    copy->member[k] = UPLOAD_ELEMENTS(u, host->member[k], count);
#define COPY_STRUCTS(member, tag, count)                                                           \
  copy->member = deep_copy_##tag##_array(u, host->member, count);
#define COPY_LINK(member, address) copy->member = (address);
#define COPY_HOST(member)          copy->member = NULL;

#define DEEP_COPY(tag, context)                                                                    \
  static void deep_copy_##tag(const context *u, const struct tag *host, struct tag *copy)          \
  {                                                                                                \
    struct listed {                                                                                \
      MEMBERS_##tag(LISTED_MEMBER)                                                                 \
    };                                                                                             \
    static_assert(sizeof(struct listed) == sizeof *copy,                                           \
                  "struct " #tag " has members that MEMBERS_" #tag " lacks: list them there");     \
    (void)u;                                                                                       \
    *copy = *host;                                                                                 \
    MEMBERS_##tag(COPY_MEMBER)                                                                     \
  }                                                                                                \
  struct tag

// Waits, because the host's copy of the array is freed.
#define DEEP_COPY_ARRAY(tag, context)                                                              \
  static struct tag *deep_copy_##tag##_array(const context *u, const struct tag *host,             \
                                             int64_t count)                                        \
  {                                                                                                \
    if (!host || count == 0)                                                                       \
      return NULL;                                                                                 \
    struct tag *list = (struct tag *)memory_create((size_t)count, sizeof *list);                   \
    for (int64_t i = 0; i < count; i++)                                                            \
      deep_copy_##tag(u, &host[i], &list[i]);                                                      \
    struct tag *copy = UPLOAD_ELEMENTS(u, list, count);                                            \
    device_wait(&u->state->device);                                                                \
    memory_destroy(list);                                                                          \
    return copy;                                                                                   \
  }                                                                                                \
  struct tag
