// What module.c, operands.c and decode.c share.
#pragma once
#include "ptx.h"

struct word {
  const char *at;
  size_t length;
};
bool word_is(struct word w, const char *text);
bool word_begins(struct word w, const char *text);
char *word_copy(struct word w);
struct word next_word(const char **at, const char *end);
int ptx_type_bytes(struct word w); // 0: no type
int ptx_line_of(const struct ptx_module *m, const char *at);

// A list that gets one more element: twice as long at each power of two.
void *grown(void *list, int count, size_t size);

struct name { // of a register, of %r<24> or of a variable in local or shared memory
  struct word word;
  bool counted;    // %r<24>
  int32_t operand; // the first of them, or a constant
  int count;
};

struct label {
  struct word word;
  int at;
};

struct decoder {
  struct ptx_module *module;
  struct ptx_kernel *kernel;
  int line, source_file, source_line;
  uint32_t used; // of the next load; 0: all bytes
  struct name *names;
  int name_count, register_count;
  bool *is_predicate;   // [register_count]
  int scopes[8], depth; // names of the scopes around this one
  struct label *labels, *jumps;
  int label_count, jump_count;
};

_Noreturn void reject(const struct decoder *d, const char *what, struct word w);

// .reg .b32 %r<24>; or .reg .pred p, q;
void declare_registers(struct decoder *d, const char *at, const char *end);
// .local .align 16 .b8 NAME[24]; adds to the bytes used.
void declare_memory(struct decoder *d, const char *at, const char *end, int *bytes);

// Operands of an instruction, as it is written: registers and constants become inputs and outputs.
int32_t operand(struct decoder *d, struct word w);
void add_input(struct decoder *d, struct ptx_instruction *in, struct word w);
void add_output(struct decoder *d, struct ptx_instruction *in, struct word w);
void add_address(struct decoder *d, struct ptx_instruction *in, struct word w);
void add_vector(struct decoder *d, struct ptx_instruction *in, struct word w, bool output);
