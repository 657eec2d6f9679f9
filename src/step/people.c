#include "people.h"

#include "steps.h"

static int person_compare(const void *a, const void *b)
{
  const struct person *p = a, *q = b;
  if (p->left != q->left)
    return p->left < q->left ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

static const struct record_field person_fields[] = {
    RECORD_FIELD(struct person, id, "people.id", {0, 0x1p62}),
    RECORD_FIELD(struct person, left, "people.left", {-1, STEP_LIMIT}),
    RECORD_FIELD(struct person, source, "people.source", {-1, INT32_MAX}),
    RECORD_FIELD(struct person, profile, "people.profile", {0, INT32_MAX}),
    RECORD_FIELD(struct person, target, "people.target", {-1, INT32_MAX}),
    RECORD_FIELD(struct person, exit, "people.exit", {-1, INT32_MAX}),
    RECORD_FIELD(struct person, born, "people.born", {0, STEP_LIMIT}),
    RECORD_FIELD(struct person, start_x, "people.start_x", {-POSITION_LIMIT, POSITION_LIMIT}),
    RECORD_FIELD(struct person, start_y, "people.start_y", {-POSITION_LIMIT, POSITION_LIMIT}),
    RECORD_FIELD(struct person, x, "people.x", {-POSITION_LIMIT, POSITION_LIMIT}),
    RECORD_FIELD(struct person, y, "people.y", {-POSITION_LIMIT, POSITION_LIMIT}),
    RECORD_FIELD(struct person, waited, "people.waited", {0, INT32_MAX}),
    RECORD_FIELD(struct person, removed, "people.removed", {0, 1})};

static const struct record_type person_type = {.size = sizeof(struct person),
                                               .compare = person_compare,
                                               .count_name = "people.waiting",
                                               .fields = person_fields,
                                               .field_count =
                                                   sizeof person_fields / sizeof *person_fields};

void people_create(struct people *p, const struct scenario *scenario, const struct comm *comm)
{
  *p = (struct people){.scenario = scenario};
  record_list_create(&p->left, &person_type, comm);
}

void people_destroy(struct people *p)
{
  record_list_destroy(&p->left);
}

static bool names_exist(const struct scenario *s, const struct person *p)
{
  return p->source < s->source_count && p->profile < s->profile_count &&
         p->target < s->destination_count;
}

void people_visit(struct people *p, struct state *v)
{
  record_list_visit(&p->left, v);
  const struct person *list = (const struct person *)(const void *)p->left.records;
  for (int64_t i = 0; v->reading && !v->fault[0] && i < p->left.count; i++)
    state_require(v, "people", names_exist(p->scenario, &list[i]));
}

static struct person person_of(const struct agents *a, int64_t i)
{
  return (struct person){.id = a->id[i],
                         .left = -1,
                         .source = a->source[i],
                         .profile = a->profile[i],
                         .target = agent_target(a, i),
                         .exit = -1,
                         .born = a->born[i],
                         .start_x = a->start_x[i],
                         .start_y = a->start_y[i],
                         .x = a->x[i],
                         .y = a->y[i],
                         .waited = a->waited[i]};
}

void people_add(struct people *p, const struct agents *a, int64_t i, int64_t left, bool reached)
{
  struct person one = person_of(a, i);
  one.left = left;
  one.removed = !reached;
  if (reached)
    one.exit = measure_exit(&p->scenario->measure, one.target, (struct point){one.x, one.y});
  record_list_add(&p->left, &one);
}

struct person *people_collect(struct people *p, int64_t *count)
{
  return record_list_collect(&p->left, count);
}

struct person *people_inside(const struct people *p, const struct agents *a, int64_t *count)
{
  struct record_list inside;
  record_list_create(&inside, &person_type, p->left.comm);
  record_list_reserve(&inside, a->count);
  for (int64_t i = 0; i < a->count; i++) {
    const struct person one = person_of(a, i);
    record_list_add(&inside, &one);
  }
  struct person *list = record_list_collect(&inside, count);
  record_list_destroy(&inside);
  return list;
}
