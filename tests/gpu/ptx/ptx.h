// The kernels' PTX, executed on the CPU, 32 lanes at a time as a GPU does.
//
//   module.c       reads PTX: kernels and variables
//   decode.c       instructions; operands.c: registers, constants and addresses in them
//   slots.c        liveness: registers whose lives do not meet share storage
//   arithmetic.c   what each arithmetic instruction computes (arithmetic.h is the list)
//   warp.c         the lanes of a warp: branches, votes, shuffles
//   launch.c       the warps of a block, the blocks of a launch, barriers
//   access.c       loads, stores and atomics
//   memory.c       the memory of the devices, and the checks of every access
//   counts.c       issued instructions, active lanes, sectors of L1, L2 and DRAM
//   stream.c       streams and events, as eager or as lazy as CUDA allows
//   settings.c     how a program runs, and what a finding says
//   cudart_*.c     the functions of the CUDA runtime library that throng and cub call
//
// Semantics: NVIDIA, Parallel Thread Execution ISA 9.0. An instruction that is not known is an
// error: none is skipped. Not modelled: ptxas and SASS, weak memory order, limits of registers.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 32 };
#define ALL_LANES UINT32_MAX

// The value of one register in every lane. A predicate: bit l of [0] is the value in lane l.
typedef uint64_t lane_values[LANES];

// Computes d of in[0], in[1]... in these lanes and leaves the others.
typedef void ptx_function(uint64_t *d, const uint64_t *const *in, uint32_t lanes);
ptx_function *ptx_arithmetic(const char *mnemonic, int *inputs); // NULL: no such instruction

enum ptx_kind {
  COMPUTE,
  LOAD,
  STORE,
  ATOMIC,
  BRANCH,
  RETURN,
  FENCE,
  ACTIVE_MASK,
  SHUFFLE, // from here on: waits for the lanes of a member mask
  BALLOT,
  MATCH,
  REDUCE,
  WARP_BARRIER,
  BLOCK_BARRIER, // waits for all lanes of a block
};
enum ptx_space { GENERIC, GLOBAL, SHARED, LOCAL, PARAM };
enum ptx_operation { ADD, MIN, MAX, AND, OR, EXCHANGE, UP, DOWN, BUTTERFLY, INDEX };

enum { OUTPUTS = 4, INPUTS = 5 };

struct ptx_instruction {
  enum ptx_kind kind;
  enum ptx_space space;
  enum ptx_operation operation;
  ptx_function *compute;
  int32_t out[OUTPUTS], in[INPUTS]; // slots
  int outputs, inputs;
  int32_t guard; // slot of a predicate; -1: none
  bool guard_negated;
  bool relaxed;   // volatile or atomic: others may access the same address
  char type;      // 'u', 's', 'f' or 'b'
  int bytes;      // of one element
  int elements;   // of a vector
  uint32_t used;  // bytes of a load that the program uses
  int64_t offset; // added to the address
  int32_t target; // of a branch
  int line, source_file, source_line;
  const char *text; // of the mnemonic, in the module
};

struct ptx_parameter {
  char *name;
  int offset, bytes;
};

// What one kernel cost, in all its launches.
struct ptx_counts {
  uint64_t launches, threads;
  uint64_t issues, lanes;         // warp instructions; active lanes, summed over them
  uint64_t l1, l2, dram, written; // sectors of 32 bytes; written: those that leave L1
};

struct ptx_kernel {
  char *name;
  const char *body, *body_end; // in the text of the module
  struct ptx_parameter *parameters;
  int parameter_count;
  int max_threads;
  // Set when the kernel is first launched.
  struct ptx_instruction *code; // [length]
  int length;
  uint64_t *constants; // [constant_count]: slots from SPECIAL_REGISTERS on
  int constant_count, slot_count;
  int local_bytes, shared_bytes; // of a thread, of a block
  bool has_block_barrier;
  struct ptx_counts counts;
};

enum special_register {
  THREAD_OF_BLOCK,
  BLOCK_NUMBER,
  BLOCK_THREADS_SET,
  BLOCK_COUNT,
  LANE_NUMBER,
  LANES_BELOW,
  LANES_UP_TO_THIS,
  SPECIAL_REGISTERS
};

struct ptx_variable {
  char *name;
  uint8_t *memory;
  size_t bytes;
};

struct ptx_module {
  const char *file;
  char *text;
  int target; // 90: sm_90
  struct ptx_kernel *kernels;
  int kernel_count;
  struct ptx_variable *variables; // of global memory
  int variable_count;
  char **source_files; // [source_file_count] or NULL
  int source_file_count;
};

void ptx_module_read(struct ptx_module *m, const char *file); // ends the process on an error
void ptx_kernel_decode(struct ptx_module *m, struct ptx_kernel *k);
void ptx_assign_slots(struct ptx_kernel *k, const bool *is_predicate, int register_count);
// A register's number, as the decoder writes it into in, out and guard before slots are assigned.
enum { FIRST_REGISTER = 1 << 24, CONSTANT = -2 };

// How a program runs; read from the environment by ptx_begin (settings.c).
enum block_order { FORWARD, REVERSED, PERMUTED };
enum lane_policy { TOGETHER, ALONE, PARTS };
enum stream_policy { EAGER, LAZY, FIRST_LAZY };
struct ptx_call { // of the runtime library
  char name[64];
  long nth, count; // which: 1 is the first; 0: every one. How many there were
};
struct ptx_settings {
  const char *ptx, *counts; // files; NULL: none
  bool check;
  enum block_order order;
  enum lane_policy lanes;
  enum stream_policy streams;
  int devices;
  bool mpi_is_aware; // of device memory
  size_t device_bytes;
  struct ptx_call drop, fail; // one that is left out, one that returns an error
};
extern struct ptx_settings ptx_settings;
extern struct ptx_module ptx_module;

struct ptx_launch {
  struct ptx_kernel *kernel;
  uint32_t blocks, threads;
  int device;
  uint8_t parameters[512];
};
void ptx_launch_run(const struct ptx_launch *l);

// A warp as it runs.
struct ptx_block;
struct ptx_warp {
  struct ptx_block *block;
  lane_values *slots;
  int32_t pc[LANES];
  uint32_t ready, waiting, at_barrier, exited; // every lane that exists is in one of them
  int32_t merge_at;                            // where the running lanes meet others that are ready
  uint32_t first_thread;                       // of the block
  uint8_t *local, *local_written;              // [LANES][local_bytes]
};
struct ptx_block {
  const struct ptx_launch *launch;
  uint32_t number;
  uint8_t *shared, *shared_written; // [shared_bytes]
  struct ptx_warp *warps;
  int warp_count;
};

void ptx_warp_run(struct ptx_warp *w); // until every lane has ended or waits
void ptx_access(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t lanes);

// Local and shared memory have windows of generic addresses, as on a GPU: each thread sees its own
// local memory at the same address.
#define LOCAL_WINDOW  (UINT64_C(1) << 56)
#define SHARED_WINDOW (UINT64_C(1) << 57)

enum access { READ, WRITE, UPDATE };
struct ptx_thread { // who accesses memory
  struct ptx_warp *warp;
  const struct ptx_instruction *instruction;
  int lane;
};
void *ptx_memory_at(struct ptx_thread t, uint64_t address, unsigned bytes, enum access what);
void ptx_memory_begin(int devices);
void *ptx_memory_allocate(int device, size_t bytes); // NULL: the device is full
void ptx_memory_free(void *memory);
size_t ptx_memory_free_bytes(int device);
#define DEVICE_BYTES_MAX ((size_t)8 << 30) // each device has a range of addresses of that size
int ptx_memory_device(const void *memory); // -1: of the host
// What a copy or a fill does to the checks; `what` names it in a finding.
void ptx_memory_written(void *to, size_t bytes, const char *what);
void ptx_memory_copied(void *to, const void *from, size_t bytes);
void ptx_memory_next_launch(const struct ptx_kernel *k);

void ptx_count_issue(uint32_t lanes);
void ptx_count_access(const struct ptx_instruction *in, uint32_t lanes, const uint64_t *addresses);
void ptx_count_begin(struct ptx_kernel *k);
void ptx_count_warp_end(void);
void ptx_count_end(void);
void ptx_count_write(void); // the file of the settings

// A defect of the program that runs: says what and where, and aborts.
_Noreturn void ptx_find(const struct ptx_thread *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
_Noreturn void ptx_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
bool ptx_is_cub(const struct ptx_kernel *k); // its kernels rely on the order of blocks
