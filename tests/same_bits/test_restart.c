// A run that continues from a checkpoint on other ranks has the checksum and the files of the
// uninterrupted run.
#include "../launch.h"
#include "known.h"
#include <stdlib.h>
#include <string.h>

#define MEASURING                                                                                  \
  "../../configs/measuring.yaml",                                                                  \
      "--set time.end=25 --set measure.grid.every=5 --set measure.people=true"

// A roadmap that changes: agents aim at nodes that it has since a door opened.
#define ROADMAP_OF_EVENTS                                                                          \
  "--set 'navigation={model: roadmap, clearance: 0.3}' --set events.3.close=[low] "                \
  "--set events.4.open=[low]"

// Each scene is interrupted while many activities are in progress.
static const struct interruption {
  const char *scene, *options, *known; // known NULL: the checksum of the uninterrupted run
  double second;                       // of the checkpoint
} interruptions[] = {
    {"rooms.yaml", "", KNOWN, 5},
    {"station.yaml", "--set time.end=120 --set measure.people=true", KNOWN_STATION, 71}, // queues
    {"events.yaml", "", KNOWN_EVENTS, 15.7}, // new travel times are under way
    {"events.yaml", "", KNOWN_EVENTS, 23},   // a closed and an open door, live travel times
    {"events.yaml", "", KNOWN_EVENTS, 41},   // exits reopened, rates changed
    {"events.yaml", "--set navigation.routes.count=3", KNOWN_ROUTES, 23},
    {"events.yaml", ROADMAP_OF_EVENTS, NULL, 30},
    {"together.yaml", "", KNOWN_TOGETHER, 3},
    {"roadmap.yaml", "", KNOWN_ROADMAP, 6},
    {"walking.yaml", "", KNOWN_WALKING, 6.2}, // between two looks for oncoming agents
    {"walking.yaml", "--set navigation.model=roadmap", KNOWN_WALKING_ROADMAP, 6.2},
    {MEASURING, NULL, 17}, // between two density files, with alarms
};
#define MEASURING_INTERRUPTION 11

static int steps_of(const struct interruption *c) // of 0.1 s
{
  return (int)(10 * c->second + 0.5);
}

static void command(const char *words, const char *one, const char *other)
{
  struct launched l = launch(words, one, other);
  cr_assert(l.code == 0, "%s %s: %s", one, other, l.err);
  launched_destroy(&l);
}

static void run_on(const struct interruption *c, int ranks, const char *name, const char *more)
{
  struct launched l = launch_ranks(ranks, "'%s' run '%s/%s' %s --quiet --threads 1 --output %s %s",
                                   THRONG, SCENES, c->scene, c->options, name, more);
  cr_expect(l.code == 0 && !*l.err, "%s on %d ranks, %s: exit code %d\n%s", c->scene, ranks, more,
            l.code, l.err);
  launched_destroy(&l);
}

static void checksum_of(const char *name, char checksum[17])
{
  char path[100];
  snprintf(path, sizeof path, "%s/summary.json", name);
  char *summary = launch_read(path);
  const char *found = summary ? strstr(summary, "\"checksum\": \"") : NULL;
  checksum[0] = 0;
  if (found)
    sscanf(found, "\"checksum\": \"%16[0-9a-f]", checksum);
  free(summary);
}

static void expect_checksum(const struct interruption *c, const char *name, const char *known)
{
  char checksum[17];
  checksum_of(name, checksum);
  cr_expect(strcmp(checksum, known) == 0, "%s cut at %g s, %s: %s instead of %s", c->scene,
            c->second, name, checksum, known);
}

static void expect_same_files(const char *whole, const char *restarted)
{
  struct launched l = launch("python3 '%s/same_files.py' %s %s", SCENES, whole, restarted);
  cr_expect(l.code == 0, "%s: %s%s", restarted, l.out, l.err);
  launched_destroy(&l);
  l = launch("ls %s/density-* && sh '%s/../python.sh' '%s/../cli/compare_fields.py' %s %s", whole,
             SCENES, SCENES, whole, restarted);
  cr_expect(!*l.out || l.code == 0 || l.code == 77, "%s: %s%s", restarted, l.out, l.err);
  launched_destroy(&l);
}

// Writes the uninterrupted run to `whole`, and to `part` one that ends shortly after its
// checkpoint.
static void run_both(const struct interruption *c, char known[17])
{
  char more[100]; // the same options: trajectory.h5 holds them
  command("rm -rf whole part %s%s", "", "");
  snprintf(more, sizeof more, "--set output.checkpoint_every=%g", c->second);
  run_on(c, 0, "whole", more);
  checksum_of("whole", known);
  cr_expect(!c->known || strcmp(known, c->known) == 0, "%s: %s", c->scene, known);
  snprintf(more, sizeof more, "--set output.checkpoint_every=%g --steps %d", c->second,
           steps_of(c) + 3);
  run_on(c, 3, "part", more);
}

Test(restart, on_any_ranks_is_the_uninterrupted_run)
{
  static const int ranks[] = {5, 2, 1, 8};
  for (size_t k = 0; k < sizeof interruptions / sizeof *interruptions; k++) {
    char known[17];
    run_both(&interruptions[k], known);
    for (size_t n = 0; n < 4; n++) {
      if (!LONG && n != (THOROUGH ? k % 4 : 0)) // one of them, in turn
        continue;
      command("rm -rf again && cp -r part again%s%s", "", "");
      run_on(&interruptions[k], ranks[n], "again", "--restart auto");
      expect_checksum(&interruptions[k], "again", known);
      expect_same_files("whole", "again");
    }
  }
}

Test(restart, after_a_restart)
{
  const struct interruption *c = &interruptions[1];
  char known[17];
  run_both(c, known);
  run_on(c, 2, "part", "--restart auto --set output.checkpoint_every=30 --steps 940");
  run_on(c, 1, "part",
         "--restart part/checkpoint-00000900.h5 --set output.checkpoint_every=11 "
         "--steps 1000");
  run_on(c, 4, "part", "--restart auto");
  expect_checksum(c, "part", known);
  expect_same_files("whole", "part");
}

// Writing checkpoints does not change the result: at every step in the long form, else at every
// seventh, since each is flushed to disk, which takes most of the time of this test.
Test(restart, checkpoints_do_not_change_the_result)
{
  const struct interruption c = {"events.yaml", "--steps 260", NULL, 0};
  run_on(&c, 0, "plain", "");
  run_on(&c, 3, "often",
         LONG ? "--set output.checkpoint_every=0.1 --set output.compression=0"
              : "--set output.checkpoint_every=0.7 --set output.compression=0");
  char known[17];
  checksum_of("plain", known);
  expect_checksum(&c, "often", known);
  expect_same_files("plain", "often");
}

// Lines, areas, alarms, fields, travel times and the audit are the same if the agents are on a
// device or on the host, and each can continue from a checkpoint of the other.
Test(restart, of_agents_on_a_device)
{
  const struct interruption *c = &interruptions[MEASURING_INTERRUPTION];
  const char *emulated =
      "--backend emulated-permuted --set balance.when=always --set balance.every=7";
  char more[200];
  command("rm -rf whole device part %s%s", "", "");
  run_on(c, 0, "whole", "");
  run_on(c, 3, "device", emulated);
  expect_same_files("whole", "device");
  snprintf(more, sizeof more, "--backend emulated --set output.checkpoint_every=%g --steps %d",
           c->second, steps_of(c) + 3);
  run_on(c, 2, "part", more);
  run_on(c, 2, "part", "--restart auto");
  expect_same_files("whole", "part");
  command("rm -rf part %s%s", "", "");
  snprintf(more, sizeof more, "--set output.checkpoint_every=%g --steps %d", c->second,
           steps_of(c) + 3);
  run_on(c, 2, "part", more);
  run_on(c, 4, "part", "--backend emulated-reversed --restart auto");
  expect_same_files("whole", "part");
}
