// What the files of the library share. None of its functions is public.
#pragma once
#include "throng.h"

#include "run.h"
#include "session.h"
#include <setjmp.h>

struct throng {
  struct comm comm;
  char **texts; // [text_count] copies of the strings of the options
  int text_count;
  struct session session;
  struct run *run;
  struct simulation *simulation; // of the run
  bool failed;                   // only throng_destroy is left
};

// A call of the library, which a fatal error ends early in an embedded library:
//
//   struct call call;
//   CALL(&call, t) {
//     call.code = ...;
//   }
//   return call.code;
struct call {
  volatile int code;
  struct throng *throng; // NULL: none yet
};
#define CALL(call, t)                                                                              \
  call_begin(call, t);                                                                             \
  if (setjmp(call_trap) != 0)                                                                      \
    (call)->code = call_trapped();                                                                 \
  else if (call_may_run(call))

extern jmp_buf call_trap;
void call_begin(struct call *call, struct throng *t);
bool call_may_run(struct call *call); // false: the simulation has failed before
int call_trapped(void);               // the code of the fatal error

// Prints a mistake of the caller on rank 0. Returns THRONG_BAD_INPUT.
int call_refuse(const struct throng *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
