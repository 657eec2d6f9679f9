// Decodes the instructions of a kernel.
#include "decode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 12 };

struct statement {
  struct word mnemonic;
  struct word parts[WORDS]; // of the mnemonic, between full stops
  int part_count;
  struct word operands[WORDS];
  int operand_count;
};

static bool has_part(const struct statement *s, const char *text)
{
  for (int k = 1; k < s->part_count; k++)
    if (word_is(s->parts[k], text))
      return true;
  return false;
}

static void set_type(const struct decoder *d, struct ptx_instruction *in, struct word type)
{
  in->bytes = ptx_type_bytes(type);
  in->type = *type.at;
  if (!in->bytes)
    reject(d, "no such type", type);
}

// Memory instructions: each part of the mnemonic is known, or it is an error.
static void decode_parts(const struct decoder *d, const struct statement *s,
                         struct ptx_instruction *in)
{
  static const char *const spaces[] = {
      [GLOBAL] = "global", [SHARED] = "shared", [LOCAL] = "local", [PARAM] = "param"};
  static const char *const operations[] = {
      [ADD] = "add", [MIN] = "min", [MAX] = "max", [AND] = "and", [OR] = "or", [EXCHANGE] = "exch"};
  in->elements = 1;
  in->relaxed = in->kind == ATOMIC || has_part(s, "volatile") || has_part(s, "relaxed");
  bool operation = in->kind != ATOMIC;
  for (int k = 1; k < s->part_count - 1; k++) {
    const struct word w = s->parts[k];
    bool known =
        word_is(w, "volatile") || word_is(w, "relaxed") || word_is(w, "nc") || word_is(w, "gpu");
    for (int p = GLOBAL; p <= PARAM && !known; p++)
      if ((known = word_is(w, spaces[p])))
        in->space = (enum ptx_space)p;
    for (int o = ADD; o <= EXCHANGE && !known && !operation; o++)
      if ((known = operation = word_is(w, operations[o])))
        in->operation = (enum ptx_operation)o;
    if (!known && in->kind != ATOMIC && (word_is(w, "v2") || word_is(w, "v4"))) {
      in->elements = w.at[1] - '0';
      known = true;
    }
    if (!known)
      reject(d, "an unknown instruction", s->mnemonic);
  }
  if (!operation)
    reject(d, "an unknown instruction", s->mnemonic);
  set_type(d, in, s->parts[s->part_count - 1]);
}

static void decode_memory(struct decoder *d, const struct statement *s, struct ptx_instruction *in)
{
  decode_parts(d, s, in);
  const bool stores = in->kind == STORE;
  add_address(d, in, s->operands[stores ? 0 : 1]);
  add_vector(d, in, s->operands[stores ? 1 : 0], !stores);
  if (in->kind == ATOMIC)
    add_input(d, in, s->operands[2]);
  const int bytes = in->bytes * in->elements;
  in->used = d->used ? d->used : (uint32_t)((UINT64_C(1) << bytes) - 1);
  d->used = 0;
  if (in->elements != (stores ? in->inputs - 1 : in->outputs))
    reject(d, "a vector of another length", s->mnemonic);
}

static void decode_shuffle(struct decoder *d, const struct statement *s, struct ptx_instruction *in)
{
  static const struct {
    const char *name;
    enum ptx_operation operation;
  } modes[] = {{"up", UP}, {"down", DOWN}, {"bfly", BUTTERFLY}, {"idx", INDEX}};
  for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
    if (has_part(s, modes[k].name))
      in->operation = modes[k].operation;
  const char *at = s->operands[0].at, *const end = at + s->operands[0].length;
  add_output(d, in, next_word(&at, end)); // d|p
  if (*next_word(&at, end).at == '|' && at < end)
    add_output(d, in, next_word(&at, end));
  for (int k = 1; k <= 4; k++)
    add_input(d, in, s->operands[k]); // value, lane, clamp, members
}

// The value is the first input, the member mask the last one.
static void decode_collective(struct decoder *d, const struct statement *s,
                              struct ptx_instruction *in)
{
  const struct word last = s->parts[s->part_count - 1];
  if (in->kind == REDUCE && !has_part(s, "add") && !has_part(s, "max") && !has_part(s, "min"))
    reject(d, "an unknown instruction", s->mnemonic);
  if (in->kind == REDUCE)
    in->operation = has_part(s, "add") ? ADD : has_part(s, "max") ? MAX : MIN;
  if (in->kind == MATCH || in->kind == REDUCE)
    set_type(d, in, last);
  if (in->kind == WARP_BARRIER) {
    add_input(d, in, s->operands[0]);
    return;
  }
  add_output(d, in, s->operands[0]);
  for (int k = 1; k < s->operand_count; k++)
    add_input(d, in, s->operands[k]);
}

// bar.sync 0; or bar.red.or.pred p, 0, q;
static void decode_block_barrier(struct decoder *d, const struct statement *s,
                                 struct ptx_instruction *in)
{
  const bool reduces = has_part(s, "red");
  if (reduces ? !has_part(s, "or") || s->operand_count != 3
              : !has_part(s, "sync") || s->operand_count != 1)
    reject(d, "an unknown instruction", s->mnemonic);
  if (reduces) {
    add_output(d, in, s->operands[0]);
    add_input(d, in, s->operands[2]);
  }
  d->kernel->has_block_barrier = true;
}

static struct ptx_instruction *append(struct decoder *d, const struct statement *s)
{
  struct ptx_kernel *k = d->kernel;
  k->code = grown(k->code, k->length, sizeof *k->code);
  k->code[k->length] = (struct ptx_instruction){.kind = COMPUTE,
                                                .guard = -1,
                                                .target = -1,
                                                .line = d->line,
                                                .source_file = d->source_file,
                                                .source_line = d->source_line,
                                                .text = s->mnemonic.at};
  return &k->code[k->length++];
}

static void compute(struct decoder *d, const struct statement *s, const char *mnemonic,
                    struct word out, const struct word *in, int inputs)
{
  struct ptx_instruction *i = append(d, s);
  int wanted = 0;
  i->compute = ptx_arithmetic(mnemonic, &wanted);
  if (!i->compute || wanted != inputs)
    reject(d, "an unknown instruction", s->mnemonic);
  add_output(d, i, out);
  for (int k = 0; k < inputs; k++)
    add_input(d, i, in[k]);
}

// mov.b64 {low, high}, x; and mov.b64 x, {low, high};
static bool decode_halves(struct decoder *d, const struct statement *s)
{
  const bool unpacks = *s->operands[0].at == '{';
  const struct word vector = s->operands[unpacks ? 0 : 1];
  if (!word_is(s->parts[0], "mov") || *vector.at != '{')
    return false;
  const char *at = vector.at + 1, *const end = vector.at + vector.length, *type = s->parts[1].at;
  const struct word low = next_word(&at, end);
  next_word(&at, end);
  const struct word high = next_word(&at, end), halves[] = {low, high};
  char name[32];
  for (int k = 0; k < 2 && unpacks; k++) {
    snprintf(name, sizeof name, "unpack.%s.%.3s", k ? "high" : "low", type);
    compute(d, s, name, halves[k], &s->operands[1], 1);
  }
  snprintf(name, sizeof name, "pack.%.3s", type);
  if (!unpacks)
    compute(d, s, name, s->operands[0], halves, 2);
  return true;
}

static void decode_arithmetic(struct decoder *d, const struct statement *s)
{
  char mnemonic[64];
  snprintf(mnemonic, sizeof mnemonic, "%.*s", (int)s->mnemonic.length, s->mnemonic.at);
  if (s->operand_count < 2)
    reject(d, "an unknown instruction", s->mnemonic);
  if (!decode_halves(d, s))
    compute(d, s, mnemonic, s->operands[0], &s->operands[1], s->operand_count - 1);
}

static void decode_branch(struct decoder *d, const struct statement *s)
{
  d->jumps = grown(d->jumps, d->jump_count, sizeof *d->jumps);
  d->jumps[d->jump_count++] = (struct label){s->operands[0], d->kernel->length - 1};
}

static const struct family {
  const char *name; // the mnemonic's first part
  enum ptx_kind kind;
  int operands;
  void (*decode)(struct decoder *, const struct statement *, struct ptx_instruction *);
} families[] = {
    {"ld", LOAD, 2, decode_memory},
    {"st", STORE, 2, decode_memory},
    {"atom", ATOMIC, 3, decode_memory},
    {"bra", BRANCH, 1, NULL},
    {"ret", RETURN, 0, NULL},
    {"exit", RETURN, 0, NULL},
    {"membar", FENCE, 0, NULL},
    {"fence", FENCE, 0, NULL},
    {"activemask", ACTIVE_MASK, 1, decode_collective},
    {"shfl", SHUFFLE, 5, decode_shuffle},
    {"vote", BALLOT, 3, decode_collective},
    {"match", MATCH, 3, decode_collective},
    {"redux", REDUCE, 3, decode_collective},
    {"bar", BLOCK_BARRIER, -1, decode_block_barrier},
    {"barrier", BLOCK_BARRIER, -1, decode_block_barrier},
};

static void decode_instruction(struct decoder *d, const struct statement *s)
{
  for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
    const struct family *f = &families[k];
    if (!word_is(s->parts[0], f->name))
      continue;
    const bool of_warp = f->kind == BLOCK_BARRIER && has_part(s, "warp");
    if (f->operands >= 0 && s->operand_count != f->operands)
      reject(d, "an unknown form", s->mnemonic);
    if ((f->kind == BALLOT && !has_part(s, "ballot")) || (f->kind == MATCH && !has_part(s, "any")))
      reject(d, "an unknown instruction", s->mnemonic);
    struct ptx_instruction *in = append(d, s);
    in->kind = of_warp ? WARP_BARRIER : f->kind;
    if (of_warp)
      decode_collective(d, s, in);
    else if (f->decode)
      f->decode(d, s, in);
    else if (f->kind == BRANCH)
      decode_branch(d, s);
    return;
  }
  decode_arithmetic(d, s);
}

// ---------------------------------------------------------------------------------- statements

static void split(struct statement *s, const struct decoder *d, const char *at, const char *end)
{
  const char *part = at;
  while (at < end && !isspace((unsigned char)*at))
    at++;
  s->mnemonic = (struct word){part, (size_t)(at - part)};
  for (const char *c = part; c <= at; c++)
    if (c == at || *c == '.') {
      if (s->part_count == WORDS)
        reject(d, "an unknown instruction", s->mnemonic);
      s->parts[s->part_count++] = (struct word){part, (size_t)(c - part)};
      part = c + 1 + (c + 1 < at && c[1] == ':'); // .L1::cache_hint
    }
  int depth = 0;
  for (const char *first = at; at <= end; at++) {
    if (at < end)
      depth += *at == '{' || *at == '[' ? 1 : *at == '}' || *at == ']' ? -1 : 0;
    if (at < end && (*at != ',' || depth))
      continue;
    const char *last = at;
    while (first < last && isspace((unsigned char)*first))
      first++;
    while (last > first && isspace((unsigned char)last[-1]))
      last--;
    if (last > first && s->operand_count < WORDS)
      s->operands[s->operand_count++] = (struct word){first, (size_t)(last - first)};
    first = at + 1;
  }
}

static void directive(struct decoder *d, const char *at, const char *end)
{
  const struct word w = next_word(&at, end);
  if (word_is(w, ".reg"))
    declare_registers(d, at, end);
  else if (word_is(w, ".local"))
    declare_memory(d, at, end, &d->kernel->local_bytes);
  else if (word_is(w, ".shared"))
    declare_memory(d, at, end, &d->kernel->shared_bytes);
  else if (!word_is(w, ".pragma"))
    reject(d, "an unknown directive", w);
  const char *mask = word_is(w, ".pragma") ? strstr(at, "used_bytes_mask ") : NULL;
  if (mask && mask < end)
    d->used = (uint32_t)strtoul(mask + strlen("used_bytes_mask "), NULL, 0);
}

static void statement(struct decoder *d, const char *at, const char *end)
{
  if (*at == '.') {
    directive(d, at, end);
    return;
  }
  int32_t guard = -1;
  bool negated = false;
  if (*at == '@') {
    at++;
    negated = *at == '!';
    at += negated;
    guard = operand(d, next_word(&at, end));
    at += strspn(at, " \t");
  }
  const int first = d->kernel->length;
  struct statement s = {.part_count = 0};
  split(&s, d, at, end);
  decode_instruction(d, &s);
  for (int k = first; k < d->kernel->length; k++) {
    d->kernel->code[k].guard = guard;
    d->kernel->code[k].guard_negated = negated;
  }
}

static void resolve_labels(struct decoder *d)
{
  for (int j = 0; j < d->jump_count; j++) {
    const struct word w = d->jumps[j].word;
    struct ptx_instruction *in = &d->kernel->code[d->jumps[j].at];
    for (int l = 0; l < d->label_count; l++)
      if (d->labels[l].word.length == w.length && !memcmp(d->labels[l].word.at, w.at, w.length))
        in->target = d->labels[l].at;
    if (in->target < 0)
      reject(d, "no such label", w);
  }
}

// Skips blanks, braces and .loc lines; returns false at the end.
static bool skip(struct decoder *d, const char **at, const char *end)
{
  for (; *at < end; ++*at) {
    if (**at == '{') {
      if (d->depth == (int)(sizeof d->scopes / sizeof *d->scopes))
        reject(d, "scopes too deep", (struct word){*at, 1});
      d->scopes[d->depth++] = d->name_count;
    } else if (**at == '}') {
      d->name_count = d->scopes[--d->depth];
    } else if (strncmp(*at, ".loc", 4) == 0 && isspace((unsigned char)(*at)[4])) {
      char *rest;
      d->source_file = (int)strtol(*at + 4, &rest, 10);
      d->source_line = (int)strtol(rest, NULL, 10);
      while (*at < end && **at != '\n')
        ++*at;
    } else if (!isspace((unsigned char)**at)) {
      return true;
    }
    d->line += *at < end && **at == '\n';
  }
  return false;
}

void ptx_kernel_decode(struct ptx_module *m, struct ptx_kernel *k)
{
  struct decoder d = {.module = m, .kernel = k, .line = ptx_line_of(m, k->body)};
  const char *at = k->body;
  while (skip(&d, &at, k->body_end)) {
    const char *end = at;
    while (end < k->body_end && *end != ';' && *end != ':')
      end++;
    const char *after = end;
    // A label, not a :: within a mnemonic.
    if (*end == ':' && end[1] != ':') {
      d.labels = grown(d.labels, d.label_count, sizeof *d.labels);
      d.labels[d.label_count++] = (struct label){{at, (size_t)(end - at)}, k->length};
    } else {
      while (after < k->body_end && *after != ';')
        after++;
      statement(&d, at, after);
    }
    for (const char *c = at; c < after; c++)
      d.line += *c == '\n';
    at = after + 1;
  }
  resolve_labels(&d);
  ptx_assign_slots(k, d.is_predicate, d.register_count);
  free(d.is_predicate), free(d.names), free(d.labels), free(d.jumps);
}
