// Reads PTX: at first where the kernels are, and each kernel's instructions when it is launched.
#include "decode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  int bytes;
} types[] = {{"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2},
             {"s16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},
             {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}, {"pred", 1}};

int ptx_type_bytes(struct word w)
{
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (word_is(w, types[k].name))
      return types[k].bytes;
  return 0;
}

bool word_is(struct word w, const char *text)
{
  return w.length == strlen(text) && memcmp(w.at, text, w.length) == 0;
}

bool word_begins(struct word w, const char *text)
{
  return w.length >= strlen(text) && memcmp(w.at, text, strlen(text)) == 0;
}

char *word_copy(struct word w)
{
  return strndup(w.at, w.length);
}

// A name, number or one other character, after blanks.
struct word next_word(const char **at, const char *end)
{
  while (*at < end && isspace((unsigned char)**at))
    ++*at;
  const char *first = *at;
  while (*at < end && (isalnum((unsigned char)**at) || strchr("_$%.", **at)))
    ++*at;
  if (*at == first && *at < end)
    ++*at;
  return (struct word){first, (size_t)(*at - first)};
}

void *grown(void *list, int count, size_t size)
{
  if (count & (count - 1))
    return list;
  list = realloc(list, (size_t)(count ? 2 * count : 1) * size);
  if (!list)
    ptx_fail("out of memory");
  return list;
}

int ptx_line_of(const struct ptx_module *m, const char *at)
{
  int line = 1;
  for (const char *c = m->text; c < at; c++)
    line += *c == '\n';
  return line;
}

static void read_text(struct ptx_module *m, const char *file)
{
  FILE *f = fopen(file, "rb");
  if (!f || fseek(f, 0, SEEK_END))
    ptx_fail("%s cannot be read", file);
  const long bytes = ftell(f);
  rewind(f);
  m->text = bytes >= 0 ? calloc((size_t)bytes + 1, 1) : NULL;
  if (!m->text || fread(m->text, 1, (size_t)bytes, f) != (size_t)bytes)
    ptx_fail("%s cannot be read", file);
  fclose(f);
  for (char *c = strstr(m->text, "//"); c; c = strstr(c, "//"))
    while (*c && *c != '\n')
      *c++ = ' ';
}

// .param .align 4 .b8 NAME[12]
static struct ptx_parameter read_parameter(const struct ptx_module *m, const char **at,
                                           const char *end, int offset)
{
  struct ptx_parameter p = {NULL, 0, 0};
  int align = 0, bytes = 0;
  for (struct word w = next_word(at, end); w.length && *w.at != ','; w = next_word(at, end)) {
    const struct word type = {w.at + 1, w.length - 1};
    if (word_is(w, ".align"))
      align = atoi(next_word(at, end).at);
    else if (*w.at == '.' && ptx_type_bytes(type))
      bytes = ptx_type_bytes(type);
    else if (*w.at == '[')
      bytes *= atoi(*at);
    else if (isalpha((unsigned char)*w.at) || *w.at == '_')
      p.name = word_copy(w);
  }
  if (!p.name || !bytes)
    ptx_fail("%s:%d: a parameter is not understood", m->file, ptx_line_of(m, *at));
  align = align ? align : bytes;
  p.offset = (offset + align - 1) / align * align;
  p.bytes = bytes;
  return p;
}

static void read_kernel(struct ptx_module *m, const char *at)
{
  struct ptx_kernel k = {.max_threads = 1024};
  const char *const end = at + strlen(at);
  k.name = word_copy(next_word(&at, end));
  const char *const open = strchr(at, '('), *const close = strchr(at, ')');
  const char *body = close ? strchr(close, '{') : NULL;
  if (!open || !body)
    ptx_fail("%s:%d: a kernel without a body", m->file, ptx_line_of(m, at));
  int offset = 0;
  for (at = open + 1; strspn(at, " \t\n") < (size_t)(close - at);) {
    k.parameters = grown(k.parameters, k.parameter_count, sizeof *k.parameters);
    k.parameters[k.parameter_count] = read_parameter(m, &at, close, offset);
    offset = k.parameters[k.parameter_count].offset + k.parameters[k.parameter_count].bytes;
    k.parameter_count++;
  }
  const char *limit = strstr(close, ".maxntid");
  if (limit && limit < body)
    k.max_threads = atoi(limit + strlen(".maxntid"));
  k.body = body + 1;
  int depth = 1;
  for (at = k.body; depth && *at; at++)
    depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
  k.body_end = at - 1;
  m->kernels = grown(m->kernels, m->kernel_count, sizeof *m->kernels);
  m->kernels[m->kernel_count++] = k;
}

// .global .align 4 .b8 NAME[64] = {0, 0, 128, 63};
static void read_variable(struct ptx_module *m, const char *at)
{
  const char *const open = strchr(at, '['), *const end = strchr(at, ';');
  if (!open || !end || open > end)
    ptx_fail("%s:%d: a variable is not understood", m->file, ptx_line_of(m, at));
  struct word name = {NULL, 0};
  for (struct word w = next_word(&at, open); w.length; w = next_word(&at, open))
    name = w;
  struct ptx_variable v = {word_copy(name), NULL, strtoul(open + 1, NULL, 10)};
  v.memory = calloc(v.bytes ? v.bytes : 1, 1);
  const char *value = strchr(open, '{');
  for (size_t k = 0; value && value < end && k < v.bytes; k++) {
    v.memory[k] = (uint8_t)strtoul(value + 1, NULL, 0);
    value = strchr(value + 1, ',');
  }
  m->variables = grown(m->variables, m->variable_count, sizeof *m->variables);
  m->variables[m->variable_count++] = v;
}

static void read_source_file(struct ptx_module *m, const char *at) // .file 1 "grid.h"
{
  char *rest;
  const int number = (int)strtol(at, &rest, 10);
  const char *const open = strchr(rest, '"'), *const close = open ? strchr(open + 1, '"') : NULL;
  if (!close || number < 0)
    return;
  while (m->source_file_count <= number) {
    m->source_files = grown(m->source_files, m->source_file_count, sizeof *m->source_files);
    m->source_files[m->source_file_count++] = NULL;
  }
  m->source_files[number] = strndup(open + 1, (size_t)(close - open - 1));
}

void ptx_module_read(struct ptx_module *m, const char *file)
{
  m->file = file;
  read_text(m, file);
  const char *target = strstr(m->text, ".target sm_");
  if (!target)
    ptx_fail("%s names no target architecture: it is no PTX", file);
  m->target = atoi(target + strlen(".target sm_"));
  for (char *at = m->text; at; at = strchr(at, '\n')) {
    at += strspn(at, " \t\n");
    if (strncmp(at, ".visible ", 9) == 0 || strncmp(at, ".weak ", 6) == 0)
      at = strchr(at, ' ') + 1;
    if (strncmp(at, ".entry ", 7) == 0)
      read_kernel(m, at + 7);
    else if (strncmp(at, ".global ", 8) == 0)
      read_variable(m, at + 8);
    else if (strncmp(at, ".file", 5) == 0 && isspace((unsigned char)at[5]))
      read_source_file(m, at + 5);
    else if (strncmp(at, ".func", 5) == 0 || strncmp(at, ".const", 6) == 0)
      ptx_fail("%s:%d: functions and constant variables are not implemented", file,
               ptx_line_of(m, at));
  }
}
