// A checkpoint is read back as it was written; a damaged one is refused.
#include "checkpoint_file.h"
#include "rank_crowd.h"
#include "seal.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH  "checkpoint.h5"
#define FLIPS (SHORT ? 8 : 100) // each is a whole file read by every rank

struct sample_state { // one value of every kind that a module may keep
  int64_t same, sum, most;
  int32_t small[3];
  double first[2];
  float deepest;
  bool flags[2];
};

static struct sample_state sample_state(const struct comm *c)
{
  const int r = c->rank;
  return (struct sample_state){.same = -7,
                               .sum = 10 + r,
                               .most = r % 2 ? -r : r,
                               .small = {1, -2, INT32_MIN},
                               .first = {r == 0 ? 0.1 : -1, 1e300},
                               .deepest = 0.1f * (float)(r + 1),
                               .flags = {true, false}};
}

static void sample_state_visit(struct sample_state *k, struct state *v)
{
  const bool first = v->comm->rank == 0;
  state_value(v, STATE_SAME, STATE_ANY, "same", &k->same);
  state_array(v, STATE_ROOT, STATE_ANY, "first", k->first, first ? 2 : 0);
  state_value(v, STATE_SUM, STATE_ANY, "sum", &k->sum);
  state_value(v, STATE_MAX, STATE_ANY, "most", &k->most);
  state_array(v, STATE_SAME, STATE_ANY, "small", k->small, 3);
  state_value(v, STATE_MAX, STATE_ANY, "deepest", &k->deepest);
  state_array(v, STATE_SAME, STATE_ANY, "flags", k->flags, 2);
}

static void check_sample_state(const struct comm *c, struct state *state)
{
  const int p = c->size;
  struct sample_state k = {.sum = 99, .first = {5, 5}, .flags = {false, true}};
  sample_state_visit(&k, state);
  law(state_is_complete(state), "%s", state->fault);
  law(k.same == -7, "%" PRId64, k.same);
  law(k.sum == (c->rank ? 0 : 10 * p + p * (p - 1) / 2), "%" PRId64, k.sum);
  law(k.most == (p - 1) / 2 * 2, "%" PRId64, k.most);
  law(k.small[0] == 1 && k.small[1] == -2 && k.small[2] == INT32_MIN, "%d", k.small[2]);
  law(c->rank ? k.first[0] == 5 : k.first[0] == 0.1 && k.first[1] == 1e300, "%g", k.first[0]);
  law(k.deepest == 0.1f * (float)p, "%g", (double)k.deepest);
  law(k.flags[0] && !k.flags[1], "%d", k.flags[1]);
}

// A column of another module is not read, and the fault names it.
static void check_other(const struct comm *c, const struct state *state)
{
  struct state other = *state;
  int64_t value = 3;
  other.name_at = other.integer_at = other.real_at = 0;
  state_value(&other, STATE_SAME, STATE_ANY, "another", &value);
  law(!state_is_complete(&other) && strstr(other.fault, "another") && value == 3, "%s on %d",
      other.fault, c->rank);
}

// Reads the first value, `same`, as this one. Whether it is taken; else the fault names it.
static bool is_taken(const struct state *state, int64_t stored, struct state_range range,
                     enum state_type type)
{
  struct state other = *state;
  int64_t first, value = 3;
  other.name_at = other.integer_at = other.real_at = 0;
  memcpy(&first, state->integers.values, sizeof first);
  memcpy(state->integers.values, &stored, sizeof stored);
  state_visit(&other, (struct state_column){STATE_SAME, "same", type, &value, 1, 8, range});
  memcpy(state->integers.values, &first, sizeof first);
  law(!other.fault[0] || (value == 3 && strstr(other.fault, "\"same\" has an impossible value")),
      "%s", other.fault);
  return !other.fault[0];
}

// Whoever writes a checkpoint may write any value into it.
static void check_ranges(const struct state *state)
{
  static const struct state_range small = {-2, 7};
  for (int64_t value = -4; value < 10; value++)
    law(is_taken(state, value, small, STATE_I64) == (value >= -2 && value <= 7), "%" PRId64, value);
  law(is_taken(state, INT64_MIN, STATE_ANY, STATE_I64), "%d", STATE_I64);
  law(!is_taken(state, -1, STATE_COUNT, STATE_I64), "%d", STATE_I64);
  law(!is_taken(state, INT64_MAX, STATE_COUNT, STATE_I64), "%d", STATE_I64);
  law(!is_taken(state, (int64_t)INT32_MAX + 1, STATE_ANY, STATE_I32), "%d", STATE_I32);
  law(!is_taken(state, 256, STATE_ANY, STATE_U8), "%d", STATE_U8);
  law(!is_taken(state, 2, STATE_ANY, STATE_BOOL), "%d", STATE_BOOL);
}

// A list is no longer than the numbers that follow.
static void check_lengths(const struct state *state)
{
  static const int64_t lengths[] = {-1, 0, 10, 1000, INT64_MAX};
  int64_t first;
  memcpy(&first, state->integers.values, sizeof first);
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    struct state other = *state;
    other.name_at = other.integer_at = other.real_at = 0;
    memcpy(state->integers.values, &lengths[k], sizeof *lengths);
    const int64_t length = state_length(&other, "same", 5, 1);
    const bool possible = lengths[k] >= 0 && lengths[k] <= state_left(&other);
    law(length == (possible ? lengths[k] : 0) && !other.fault[0] == possible, "%" PRId64, length);
  }
  memcpy(state->integers.values, &first, sizeof first);
}

static uint64_t sum_of(const struct comm *c, const struct agents *a)
{
  return comm_sum_wrapping(c, agents_checksum(a));
}

static struct checkpoint sample_checkpoint(int64_t agents)
{
  static char name[] = "made up", version[] = "1", fingerprint[] = "seed: 1\n", text[] = "seed: 1";
  return (struct checkpoint){.step = 42,
                             .agent_count = agents,
                             .time = 4.2,
                             .checksum = 1,
                             .name = name,
                             .version = version,
                             .fingerprint = fingerprint,
                             .text = text};
}

static void write_checkpoint(const struct comm *c, const struct crowd *crowd, struct agents *a,
                             int32_t compression)
{
  struct checkpoint checkpoint = sample_checkpoint(crowd->count);
  struct sample_state state = sample_state(c);
  crowd_share(crowd, c, a);
  state_create(&checkpoint.state, c);
  law(state_is_valid(&checkpoint.state), "%s", crowd->name);
  sample_state_visit(&state, &checkpoint.state);
  law(checkpoint_is_valid(&checkpoint), "%s", crowd->name);
  law(checkpoint_write(c, PATH, &checkpoint, a, compression) == EXIT_DONE, "%s", crowd->name);
  state_destroy(&checkpoint.state);
}

static void check_crowd(const struct comm *c, const struct crowd *crowd, int32_t compression)
{
  struct agents a;
  struct checkpoint back;
  char fault[300];
  write_checkpoint(c, crowd, &a, compression);
  law(checkpoint_read(c, PATH, &back, fault, sizeof fault) == EXIT_DONE, "%s: %s", crowd->name,
      fault);
  law(back.step == 42 && back.time == 4.2 && back.agent_count == crowd->count, "%s", crowd->name);
  law(strcmp(back.name, "made up") == 0 && strcmp(back.fingerprint, "seed: 1\n") == 0, "%s",
      back.fingerprint);
  law(sum_of(c, &back.agents) == sum_of(c, &a), "%s", crowd->name);
  for (int64_t i = 0; i < back.agents.count; i++)
    crowd_check_fields(&back.agents, i);
  check_other(c, &back.state);
  check_ranges(&back.state);
  check_lengths(&back.state);
  check_sample_state(c, &back.state);
  checkpoint_destroy(&back);
  agents_destroy(&a);
}

// ----------------------------------------------------------------------------------- damage

static bool reads(const struct comm *c, uint64_t *agents)
{
  struct checkpoint back;
  char fault[300] = "";
  const bool good = checkpoint_read(c, PATH, &back, fault, sizeof fault) == EXIT_DONE;
  law(good || c->rank > 0 || fault[0], "no reason on rank %d", c->rank);
  *agents = good ? sum_of(c, &back.agents) : 0;
  checkpoint_destroy(&back);
  comm_barrier(c); // all ranks have read before rank 0 changes the file again
  return good;
}

static int64_t file_length(void)
{
  struct stat status;
  law(stat(PATH, &status) == 0, "%s", PATH);
  return status.st_size;
}

static void flip(const struct comm *c, int64_t at, int bit)
{
  if (c->rank == 0) {
    FILE *file = fopen(PATH, "r+b");
    law(file && fseek(file, at, SEEK_SET) == 0, "%" PRId64, at);
    const int byte = fgetc(file);
    law(byte != EOF && fseek(file, at, SEEK_SET) == 0 && fputc(byte ^ 1 << bit, file) != EOF,
        "%" PRId64, at);
    law(fclose(file) == 0, "%" PRId64, at);
  }
  comm_barrier(c);
}

static void cut(const struct comm *c, int64_t length)
{
  if (c->rank == 0)
    law(truncate(PATH, length) == 0, "%" PRId64, length);
  comm_barrier(c);
}

static int64_t random_offset(int k, int64_t length)
{
  return (int64_t)(random_words(3, k, 0, RANDOM_TEST).word[0] % (uint64_t)length);
}

// A flipped bit at any offset is detected.
static void check_flips(const struct comm *c)
{
  const int64_t length = file_length();
  uint64_t agents;
  for (int k = 0; k < FLIPS; k++) {
    const int64_t at = k < 4 ? length - 1 - 8 * k : random_offset(k, length);
    flip(c, at, k % 8);
    law(!reads(c, &agents), "a flipped bit at %" PRId64 " of %" PRId64, at, length);
    flip(c, at, k % 8);
  }
  law(reads(c, &agents), "%s", "all bits turned back");
}

// The same under a valid seal, as a bug of throng could write it: the file is refused, or the
// change does not affect the agents.
static void check_below_the_seal(const struct comm *c, uint64_t expected)
{
  const int64_t length = file_length() - SEAL_BYTES;
  char reason[200];
  uint64_t agents;
  for (int k = 0; k < FLIPS; k++) {
    const int64_t at =
        k < FLIPS / 2 ? k * 41 % length : random_offset(k, length); // many in the headers
    cut(c, length);
    flip(c, at, k % 8);
    law(seal_write(c, PATH, reason, sizeof reason), "%s", reason);
    law(!reads(c, &agents) || agents == expected, "byte %" PRId64, at);
    flip(c, at, k % 8);
  }
}

static void check_cuts(const struct comm *c)
{
  const int64_t whole = file_length();
  const int64_t lengths[] = {whole - 1, whole - SEAL_BYTES, whole / 2, 5000, 100, 31, 1, 0};
  uint64_t agents;
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    cut(c, lengths[k]);
    law(!reads(c, &agents), "cut to %" PRId64 " of %" PRId64, lengths[k], whole);
  }
  if (c->rank == 0)
    unlink(PATH);
  comm_barrier(c);
  law(!reads(c, &agents), "%s", "no file");
}

int main(int argc, char **argv)
{
  struct comm c;
  struct agents a;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < CROWDS; k++)
    check_crowd(&c, &crowds[k], (int32_t)k % 2);
  write_checkpoint(&c, &crowds[0], &a, 1);
  check_flips(&c);
  check_below_the_seal(&c, sum_of(&c, &a));
  check_cuts(&c);
  agents_destroy(&a);
  comm_end(&c);
  return 0;
}
