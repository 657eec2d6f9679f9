// Records that ranks keep reach rank 0 in one order, also by way of a checkpoint.
#include "rank_crowd.h"
#include "record_list.h"
#include <math.h>

struct happening {
  int64_t step;
  int32_t id;
  bool first;
  double value;
};

// Record k, on some rank. Both numbers of the order repeat, but not together.
static struct happening happening_of(int64_t k)
{
  return (struct happening){
      .step = k / 7, .id = (int32_t)(6 - k % 7), .first = k % 3 == 0, .value = -sqrt((double)k)};
}

static int64_t number_of(const struct happening *h)
{
  return 7 * h->step + 6 - h->id;
}

static int happening_compare(const void *a, const void *b)
{
  const int64_t m = number_of(a), n = number_of(b);
  return (m > n) - (m < n);
}

static const struct record_field fields[] = {
    RECORD_FIELD(struct happening, step, "sample.step", {0, 1e6}),
    RECORD_FIELD(struct happening, id, "sample.id", {0, 6}),
    RECORD_FIELD(struct happening, first, "sample.first", {0, 1}),
    RECORD_FIELD(struct happening, value, "sample.value", {-1e6, 0})};
static const struct record_type type = {.size = sizeof(struct happening),
                                        .compare = happening_compare,
                                        .count_name = "sample.waiting",
                                        .fields = fields,
                                        .field_count = 4};

// Each record is added on the rank that a draw says, the last one first.
static void add_records(struct record_list *l, int64_t begin, int64_t end)
{
  for (int64_t k = end - 1; k >= begin; k--) {
    const struct happening one = happening_of(k);
    if (random_words(3, k, 0, RANDOM_TEST).word[0] % (uint32_t)l->comm->size ==
        (uint32_t)l->comm->rank)
      record_list_add(l, &one);
  }
}

static void check_collected(struct record_list *l, int64_t expected)
{
  int64_t count;
  struct happening *all = record_list_collect(l, &count);
  law(count == (l->comm->rank == 0 ? expected : 0), "%" PRId64 " of %" PRId64, count, expected);
  law((all != NULL) == (count > 0), "%" PRId64, count);
  for (int64_t k = 0; k < count; k++) {
    const struct happening right = happening_of(k);
    law(all[k].step == right.step && all[k].id == right.id && all[k].first == right.first &&
            all[k].value == right.value,
        "record %" PRId64 " of %" PRId64, k, count);
  }
  memory_destroy(all);
  law(l->count == 0, "%" PRId64 " are left", l->count);
}

static void check_order(const struct comm *c, int64_t count)
{
  struct record_list l;
  record_list_create(&l, &type, c);
  for (int time = 0; time < 3; time++) {
    add_records(&l, 0, count);
    check_collected(&l, count);
  }
  record_list_destroy(&l);
}

// Some wait when the checkpoint is written; more follow, in the run and in one that continues it.
static void check_checkpoint(const struct comm *c, int64_t waiting, int64_t more)
{
  struct record_list l, other;
  struct state state;
  state_create(&state, c);
  record_list_create(&l, &type, c);
  record_list_create(&other, &type, c);
  add_records(&l, 0, waiting);
  record_list_visit(&l, &state);
  state_broadcast(&state);
  add_records(&other, 0, 5); // forgotten
  record_list_visit(&other, &state);
  law(state_is_complete(&state), "%s", state.fault);
  add_records(&l, waiting, waiting + more);
  add_records(&other, waiting, waiting + more);
  check_collected(&l, waiting + more);
  check_collected(&other, waiting + more);
  record_list_destroy(&l);
  record_list_destroy(&other);
  state_destroy(&state);
}

int main(int argc, char **argv)
{
  static const int64_t counts[] = {0, 1, 6, 64, 65, 5000};
  struct comm c;
  comm_begin(&c, &argc, &argv);
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
    check_order(&c, counts[k]);
    for (size_t m = 0; m < sizeof counts / sizeof *counts; m++)
      check_checkpoint(&c, counts[k], counts[m]);
  }
  comm_end(&c);
  return 0;
}
