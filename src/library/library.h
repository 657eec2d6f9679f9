// What the files of the library share. None of its functions is public.
#pragma once
#include "throng.h"

#include "run.h"
#include "session.h"
#include <setjmp.h>

struct throng {
  struct comm comm; // its own
  char **texts;     // [text_count] copies of the strings of the options
  int text_count;
  struct session session;
  struct run *run;
  struct simulation *simulation;    // of the run
  void (*preferred)(void *context); // of throng_on_preferred
  void *context;
  bool in_step; // the caller's function is being called
  bool failed;  // only throng_destroy is left
};

// A call of the library, which a fatal error ends early in an embedded library:
//
//   struct call call;
//   CALL(&call, t, BETWEEN_STEPS) {
//     call.code = ...;
//   }
//   return call_end(&call);
//
// No return in between. Calls nest: the function of throng_on_preferred may read columns.
struct call {
  jmp_buf trap;
  bool traps;
  volatile int code;
  struct throng *throng; // NULL: none yet
  struct call *outer;
  locale_t locale; // of the caller
};
enum call_when { BETWEEN_STEPS, ANY_TIME };
#define CALL(call, t, when)                                                                        \
  call_begin(call, t);                                                                             \
  if (setjmp((call)->trap) != 0)                                                                   \
    call_trapped(call);                                                                            \
  else if (call_may_run(call, when))

void call_begin(struct call *call, struct throng *t);
bool call_may_run(struct call *call, enum call_when when); // false, after a message: it may not
void call_trapped(struct call *call);                      // a fatal error has ended it
int call_end(struct call *call);                           // its code
locale_t call_locale(void); // what the caller had before the call in progress

// Prints a mistake of the caller on rank 0. Returns THRONG_BAD_INPUT.
int call_refuse(const struct throng *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
