// Writes checkpoints that somebody forged: with other values, and with seals and checksums that are
// right.
//
//   forge FILE                               lists what can be changed: KIND NAME COUNT
//   forge FILE OUT KIND NAME INDEX VALUE...  changes it; four words for each change
//
// KIND header: step; agents: a field of the agents; state: a column; length: the count of a column,
// which its numbers contradict then; text: a byte of a text.
#include "checkpoint_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct column { // of the state
  char name[80], kind[8];
  int64_t count, line, first; // line: in the names; first: number in its pool
};

static bool column_next(const struct state *v, struct column *c, int64_t *at, int64_t first[2])
{
  int used = 0;
  if (*at >= v->names_length ||
      sscanf(v->names + *at, "%79s %7s %" SCNd64 "\n%n", c->name, c->kind, &c->count, &used) != 3)
    return false;
  const bool real = strcmp(c->kind, "real") == 0;
  c->line = *at;
  c->first = first[real];
  first[real] += c->count;
  *at += used;
  return true;
}

static void list(const struct checkpoint *k)
{
  int64_t at = 0, first[2] = {0, 0};
  struct column c;
  printf("header step 1\ntext fingerprint %zu\ntext version %zu\n", strlen(k->fingerprint),
         strlen(k->version));
  for (int i = 0; i < agent_field_count; i++)
    if (agent_scope_is_kept(agent_fields[i].scope))
      printf("agents %s %" PRId64 "\n", agent_fields[i].name, k->agents.count);
  while (column_next(&k->state, &c, &at, first))
    printf("state %s %" PRId64 "\nlength %s 1\n", c.name, c.count, c.name);
}

// ------------------------------------------------------------------------------------- changes

static void number_set(void *at, size_t size, bool is_float, const char *value)
{
  const double real = strtod(value, NULL);
  const float single = (float)real;
  const int64_t large = strtoll(value, NULL, 10);
  const int32_t integer = (int32_t)large;
  const void *from = is_float    ? size == 8 ? (const void *)&real : &single
                     : size == 8 ? (const void *)&large
                                 : &integer;
  memcpy(at, from, size);
}

static bool agents_change(struct checkpoint *k, const char *name, int64_t index, const char *value)
{
  for (int i = 0; i < agent_field_count; i++) {
    const struct agent_field *f = &agent_fields[i];
    char number[8];
    if (strcmp(f->name, name) != 0 || index >= k->agents.count)
      continue;
    number_set(number, f->size, f->is_float, value);
    agents_column_write(&k->agents, f, index, 1, number);
    return true;
  }
  return false;
}

// A line of the names with another count.
static void length_change(struct state *v, const struct column *c, const char *value)
{
  char line[200];
  const char *rest = strchr(v->names + c->line, '\n') + 1;
  const int64_t left = v->names + v->names_length - rest;
  const int used = snprintf(line, sizeof line, "%s %s %s\n", c->name, c->kind, value);
  char *names = memory_create((size_t)(c->line + used + left) + 1, 1);
  memcpy(names, v->names, (size_t)c->line);
  memcpy(names + c->line, line, (size_t)used);
  memcpy(names + c->line + used, rest, (size_t)left);
  memory_destroy(v->names);
  v->names = names;
  v->names_length = c->line + used + left;
}

static bool state_change(struct state *v, const char *kind, const char *name, int64_t index,
                         const char *value)
{
  int64_t at = 0, first[2] = {0, 0};
  for (struct column c; column_next(v, &c, &at, first);) {
    if (strcmp(c.name, name) != 0)
      continue;
    const bool real = strcmp(c.kind, "real") == 0;
    const struct state_pool *pool = real ? &v->real : &v->integers;
    if (strcmp(kind, "length") == 0)
      length_change(v, &c, value);
    else if (c.first + index < pool->count) // an earlier change may have made the count another one
      number_set(pool->values + 8 * (c.first + index), 8, real, value);
    return true;
  }
  return false;
}

static bool change(struct checkpoint *k, char **words)
{
  const char *kind = words[0], *name = words[1], *value = words[3];
  const int64_t index = strtoll(words[2], NULL, 10);
  if (strcmp(kind, "header") == 0)
    k->step = strtoll(value, NULL, 10);
  else if (strcmp(kind, "text") == 0)
    (strcmp(name, "version") == 0 ? k->version : k->fingerprint)[index] = (char)atoi(value);
  else if (strcmp(kind, "agents") == 0)
    return agents_change(k, name, index, value);
  else
    return state_change(&k->state, kind, name, index, value);
  return true;
}

// What simulation_checksum makes of it.
static uint64_t checksum_of(const struct checkpoint *k)
{
  const struct state *v = &k->state;
  int64_t at = 0, first[2] = {0, 0};
  uint64_t departed = 0;
  for (struct column c; column_next(v, &c, &at, first);)
    if (strcmp(c.name, "simulation.farewells") == 0)
      memcpy(&departed, v->integers.values + 8 * c.first, sizeof departed);
  return agents_checksum(&k->agents) + departed;
}

static int forge(const struct comm *self, struct checkpoint *k, int argc, char **argv)
{
  for (int i = 3; i + 3 < argc; i += 4)
    if (!change(k, argv + i)) {
      fprintf(stderr, "forge: there is no %s %s\n", argv[i], argv[i + 1]);
      return 64;
    }
  k->state.reading = false;
  k->checksum = checksum_of(k);
  return checkpoint_write(self, argv[2], k, &k->agents, 1);
}

int main(int argc, char **argv)
{
  struct comm comm;
  struct checkpoint k;
  char fault[300];
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  comm_begin(&comm, &argc, &argv);
  if (argc < 2)
    return 64;
  int code = checkpoint_read(&comm, argv[1], &k, fault, sizeof fault);
  if (code != EXIT_DONE)
    fprintf(stderr, "forge: %s: %s\n", argv[1], fault);
  else if (argc == 2)
    list(&k);
  else
    code = forge(&comm, &k, argc, argv);
  checkpoint_destroy(&k);
  comm_end(&comm);
  return code;
}
