// Names and operands: registers, variables, constants, addresses.
#include "decode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void reject(const struct decoder *d, const char *what, struct word w)
{
  ptx_fail("%s:%d: %s: %.*s", d->module->file, d->line, what, (int)w.length, w.at);
}

static int32_t constant(struct decoder *d, uint64_t value)
{
  struct ptx_kernel *k = d->kernel;
  for (int c = 0; c < k->constant_count; c++)
    if (k->constants[c] == value)
      return CONSTANT - c;
  k->constants = grown(k->constants, k->constant_count, sizeof *k->constants);
  k->constants[k->constant_count] = value;
  return CONSTANT - k->constant_count++;
}

// --------------------------------------------------------------------------------- declarations

static void declare(struct decoder *d, struct name n)
{
  d->names = grown(d->names, d->name_count, sizeof *d->names);
  d->names[d->name_count++] = n;
}

void declare_registers(struct decoder *d, const char *at, const char *end)
{
  const bool predicates = word_is(next_word(&at, end), ".pred");
  for (struct word w = next_word(&at, end); w.length; w = next_word(&at, end)) {
    if (*w.at == ',')
      continue;
    const bool counted = at < end && *at == '<';
    struct name n = {w, counted, FIRST_REGISTER + d->register_count, 1};
    if (counted) {
      n.count = atoi(at + 1);
      while (at < end && *at++ != '>')
        ;
    }
    for (int k = 0; k < n.count; k++) {
      d->is_predicate = grown(d->is_predicate, d->register_count, sizeof *d->is_predicate);
      d->is_predicate[d->register_count++] = predicates;
    }
    declare(d, n);
  }
}

void declare_memory(struct decoder *d, const char *at, const char *end, int *bytes)
{
  int align = 1;
  struct word name = {at, 0};
  for (struct word w = next_word(&at, end); w.length && *w.at != '['; w = next_word(&at, end)) {
    if (word_is(w, ".align"))
      align = atoi(next_word(&at, end).at);
    else
      name = w;
  }
  *bytes = (*bytes + align - 1) / align * align;
  declare(d, (struct name){name, false, constant(d, (uint64_t)*bytes), 1});
  *bytes += atoi(at);
}

// ------------------------------------------------------------------------------------ operands

static bool special(struct decoder *d, struct word w, int32_t *operand)
{
  static const struct {
    const char *name;
    int32_t number;
  } list[] = {{"%tid.x", THREAD_OF_BLOCK},       {"%ctaid.x", BLOCK_NUMBER},
              {"%ntid.x", BLOCK_THREADS_SET},    {"%nctaid.x", BLOCK_COUNT},
              {"%laneid", LANE_NUMBER},          {"%lanemask_lt", LANES_BELOW},
              {"%lanemask_le", LANES_UP_TO_THIS}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (word_is(w, list[k].name)) {
      *operand = list[k].number;
      return true;
    }
  const bool of_one = word_begins(w, "%ntid.") || word_begins(w, "%nctaid.");
  if (!of_one && !word_begins(w, "%tid.") && !word_begins(w, "%ctaid."))
    return false;
  *operand = constant(d, of_one); // grids and blocks have one dimension here
  return true;
}

static bool named(const struct decoder *d, struct word w, int32_t *operand)
{
  size_t letters = w.length;
  while (letters && isdigit((unsigned char)w.at[letters - 1]))
    letters--;
  const int number = letters < w.length ? atoi(w.at + letters) : 0;
  for (int k = d->name_count - 1; k >= 0; k--) {
    const struct name *n = &d->names[k];
    const size_t length = n->counted ? letters : w.length;
    if (n->word.length != length || memcmp(n->word.at, w.at, length) != 0)
      continue;
    if (n->counted && number >= n->count)
      reject(d, "a register that is not declared", w);
    *operand = n->operand + (n->counted ? number : 0);
    return true;
  }
  return false;
}

static bool literal(struct decoder *d, struct word w, int32_t *operand)
{
  char text[40];
  if (w.length == 0 || w.length >= sizeof text)
    return false;
  memcpy(text, w.at, w.length);
  text[w.length] = '\0';
  char *end;
  const bool is_float = text[0] == '0' && text[1] && strchr("fFdD", text[1]);
  const uint64_t value = is_float ? strtoull(text + 2, &end, 16)
                                  : (uint64_t)(text[0] == '-' ? strtoll(text, &end, 0)
                                                              : (long long)strtoull(text, &end, 0));
  if (*end && strcmp(end, "U") != 0)
    return false;
  *operand = constant(d, value);
  return true;
}

int32_t operand(struct decoder *d, struct word w)
{
  int32_t number;
  if (special(d, w, &number) || named(d, w, &number) || literal(d, w, &number))
    return number;
  for (int k = 0; k < d->module->variable_count; k++)
    if (word_is(w, d->module->variables[k].name))
      return constant(d, (uint64_t)(uintptr_t)d->module->variables[k].memory);
  reject(d, "an operand that is not known", w);
}

void add_input(struct decoder *d, struct ptx_instruction *in, struct word w)
{
  if (in->inputs == INPUTS)
    reject(d, "too many inputs", w);
  in->in[in->inputs++] = operand(d, w);
}

void add_output(struct decoder *d, struct ptx_instruction *in, struct word w)
{
  if (in->outputs == OUTPUTS)
    reject(d, "too many outputs", w);
  const int32_t number = operand(d, w);
  if (number < FIRST_REGISTER)
    reject(d, "not a register", w);
  in->out[in->outputs++] = number;
}

// [address+8]: the base is the first input.
void add_address(struct decoder *d, struct ptx_instruction *in, struct word w)
{
  const char *at = w.at, *const end = w.at + w.length;
  if (*next_word(&at, end).at != '[')
    reject(d, "not an address", w);
  const struct word base = next_word(&at, end);
  if (in->space == PARAM) {
    const struct ptx_kernel *k = d->kernel;
    int p = 0;
    while (p < k->parameter_count && !word_is(base, k->parameters[p].name))
      p++;
    if (p == k->parameter_count)
      reject(d, "no such parameter", base);
    in->offset = k->parameters[p].offset;
  } else {
    add_input(d, in, base);
  }
  const struct word sign = next_word(&at, end);
  if (*sign.at == '+' || *sign.at == '-')
    in->offset += strtoll(*sign.at == '+' ? at : sign.at, NULL, 0);
}

// {%r1, %r2} or %r1
void add_vector(struct decoder *d, struct ptx_instruction *in, struct word w, bool output)
{
  const char *at = w.at, *const end = w.at + w.length;
  for (struct word x = next_word(&at, end); x.length; x = next_word(&at, end))
    if (!strchr("{},", *x.at))
      output ? add_output(d, in, x) : add_input(d, in, x);
}
