// Writes a small synthetic run on any number of ranks; launched by test_snapshot.c.
//   rank_snapshot write DIR AGENTS SNAPSHOTS f32|f64 COMPRESSION [crowded|limited]
//   rank_snapshot describe FILE
// All values are functions of id and step, which read_snapshot.py repeats. crowded: rank 0 owns all
// agents. limited: no file may exceed 1 MB. Exit code of write: 0, or 10 + the worst
// snapshot_result.
#include "comm.h"
#include "file_info.h"
#include "snapshot.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const struct frame frame = {372000, 4842000, 16};

static struct point place(int64_t id, int64_t step)
{
  return (struct point){(int32_t)(id * 7919 % 1000003 - 500000) * 64 + (int32_t)step * 1000,
                        (int32_t)(id * 104729 % 999983 - 500000) * 64};
}

static void append_agent(struct agents *a, int64_t id, int64_t step)
{
  const int64_t i = agents_append(a);
  const struct point p = place(id, step);
  a->id[i] = id;
  a->x[i] = p.x;
  a->y[i] = p.y;
  a->vx[i] = 0.25f * (float)(id % 5) - 0.5f;
  a->vy[i] = 0.125f * (float)(id % 7) + 0.0625f * (float)step;
  a->radius[i] = 0.25f + (float)(id % 3) / 16;
  agent_set_destination(a, i, (int32_t)(id % 4) - 1);
}

// Strips of equal width around the centre of the plane.
static void create_strips(struct partition *p, int32_t ranks)
{
  *p = (struct partition){.rank_count = ranks};
  p->boxes = memory_create((size_t)ranks, sizeof *p->boxes);
  const int32_t width = 64000000 / ranks;
  for (int32_t r = 0; r < ranks; r++)
    p->boxes[r] =
        (struct box){{r == 0 ? INT32_MIN : -32000000 + r * width, INT32_MIN},
                     {r == ranks - 1 ? INT32_MAX : -32000000 + (r + 1) * width, INT32_MAX}};
}

// Appends the agents of this rank at that step; crowded: rank 0 owns all of them.
static void own_agents(struct agents *a, const struct comm *c, const struct partition *p,
                       int64_t count, int64_t step, bool crowded)
{
  a->count = 0;
  for (int64_t id = 0; id < count; id++)
    if (crowded ? c->rank == 0 : box_holds(p->boxes[c->rank], place(id, step)))
      append_agent(a, id, step);
}

// Two squares, the second with a hole (clockwise), and an open line.
static const struct outlines walls = {4, (int64_t[]){0, 4, 8, 12, 15},
                                      (struct point[]){{0, 0},
                                                       {6553600, 0},
                                                       {6553600, 6553600},
                                                       {0, 6553600},
                                                       {-13107200, -13107200},
                                                       {-6553600, -13107200},
                                                       {-6553600, -6553600},
                                                       {-13107200, -6553600},
                                                       {-11468800, -11468800},
                                                       {-11468800, -8192000},
                                                       {-8192000, -8192000},
                                                       {-8192000, -11468800},
                                                       {13107200, 0},
                                                       {16384000, 6553600},
                                                       {13107200, 13107200}},
                                      (uint8_t[]){1, 1, 1, 0}};

static struct snapshot_metadata metadata_at(int64_t step, char **argv)
{
  return (struct snapshot_metadata){.step = step,
                                    .time = 0.1 * (double)step,
                                    .frame = &frame,
                                    .name = "made up",
                                    .attribution = "© nobody",
                                    .scenario_text = "name: made up\n# größer\n",
                                    .version = "0.0-test",
                                    .checksum = 0x0123456789abcdef,
                                    .f64 = strcmp(argv[5], "f64") == 0,
                                    .compression = atoi(argv[6]),
                                    .selection = selection_all};
}

static int write_run(const struct comm *c, char **argv, bool crowded)
{
  const int64_t agent_count = atoll(argv[3]), snapshot_count = atoll(argv[4]);
  char path[4096], name[64];
  struct agents a = {0};
  struct partition p;
  struct snapshot_entry *entries = memory_create((size_t)snapshot_count, sizeof *entries);
  int worst = SNAPSHOT_WRITTEN;
  agents_create(&a, 1);
  create_strips(&p, c->size);
  for (int64_t s = 0; s < snapshot_count; s++) {
    const int64_t step = 10 * s;
    const struct snapshot_metadata metadata = metadata_at(step, argv);
    own_agents(&a, c, &p, agent_count, step, crowded);
    snapshot_file_name(step, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s", argv[2], name);
    const int result = snapshot_write(c, path, &metadata, &p, &a);
    worst = result > worst ? result : worst;
    entries[s] = (struct snapshot_entry){step, metadata.time, agent_count,
                                         metadata.selection.fields, metadata.f64};
  }
  snprintf(path, sizeof path, "%s/walls.vtkhdf", argv[2]);
  const int result = snapshot_write_walls(c, path, &frame, &walls);
  worst = result > worst ? result : worst;
  snprintf(path, sizeof path, "%s/snapshots.xdmf", argv[2]);
  if (c->rank == 0 && worst == SNAPSHOT_WRITTEN &&
      !snapshots_write_xdmf(path, entries, snapshot_count, "walls.vtkhdf", &walls))
    worst = SNAPSHOT_FAILED;
  agents_destroy(&a);
  memory_destroy(p.boxes);
  memory_destroy(entries);
  return worst == SNAPSHOT_WRITTEN ? 0 : 10 + worst;
}

static void limit_files(void)
{
  signal(SIGXFSZ, SIG_IGN); // then write fails with EFBIG
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000000, 1000000});
}

int main(int argc, char **argv)
{
  if (argc == 3 && strcmp(argv[1], "describe") == 0)
    return file_describe(argv[2]);
  struct comm c;
  comm_begin(&c, &argc, &argv);
  int code = EXIT_BAD_INPUT;
  if (argc >= 7 && strcmp(argv[1], "write") == 0) {
    const char *how = argc > 7 ? argv[7] : "";
    if (strcmp(how, "limited") == 0)
      limit_files();
    code = write_run(&c, argv, strcmp(how, "crowded") == 0);
  }
  comm_end(&c);
  return code;
}
