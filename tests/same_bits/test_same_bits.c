// The checksum does not depend on the number of ranks or threads, the SIMD width, the machine, the
// compiler or the build type.
#include "../launch.h"
#include "known.h"
#include <stdlib.h>
#include <string.h>

static const struct { // of methods.yaml
  const char *options, *known;
} methods[] = {{"--set avoidance.method=none", "8f34ea8d1988dfb3"},
               {"--set avoidance.method=orca", "56ec40b7faf8ada1"},
               {"--set avoidance.method=clearpath", "5ae9b9b7750f1edb"},
               {"--set avoidance.method=clearpath --set avoidance.clearpath.variant=guaranteed",
                "2de3fec1f857da07"},
               {"--set avoidance.method=rvo --set avoidance.rvo.samples=100", "d0beb0f3aff53021"},
               {"--set avoidance.method=hrvo", "6ae89c33ccd290ea"},
               {"--set avoidance.method=directional", "97e2f0199f6df3a9"},
               {"--set avoidance.method=orca --set avoidance.steering.separation=1 "
                "--set avoidance.steering.separation_distance=1 "
                "--set avoidance.steering.alignment=0.2 --set avoidance.steering.cohesion=0.1 "
                "--set avoidance.steering.unaligned=0.5",
                "2f7e0dcb99fc827f"}};

static const struct { // other features of a scenario
  const char *scene, *options, *known;
} scenes[] = {
    {"station.yaml", "--set time.end=120", KNOWN_STATION},
    {"events.yaml", "", KNOWN_EVENTS},
    {"events.yaml", "--set navigation.routes.count=3", KNOWN_ROUTES},
    {"station.yaml", "--set navigation.model=roadmap", KNOWN_STATION_ROADMAP},
    {"roadmap.yaml", "", KNOWN_ROADMAP},
    {"together.yaml", "", KNOWN_TOGETHER},
    {"together.yaml", "--set avoidance.method=hrvo", "02769d3bfda53aae"},
    {"walking.yaml", "", KNOWN_WALKING},
    {"walking.yaml", "--set navigation.model=roadmap", KNOWN_WALKING_ROADMAP},
};

// The partition changes at every step, every ten steps and never.
static const char *const balances[] = {"--set balance.when=always --set balance.every=1",
                                       "--set balance.when=always --set balance.every=10",
                                       "--set balance.when=never"};

struct machine { // to run on; 0 ranks: without mpirun
  int ranks, threads;
  const char *backend;
};

// Runs a scene into folder `name` and writes its checksum, or "", to checksum[17].
static void checksum_with(const char *scene, const char *options, struct machine m,
                          const char *name, char *checksum)
{
  struct launched l =
      launch_ranks(m.ranks, "'%s' run '%s/%s' %s --quiet --backend %s --threads %d --output %s",
                   THRONG, SCENES, scene, options, m.backend, m.threads, name);
  char path[100];
  snprintf(path, sizeof path, "%s/summary.json", name);
  char *summary = l.code == 0 ? launch_read(path) : NULL;
  const char *found = summary ? strstr(summary, "\"checksum\": \"") : NULL;
  checksum[0] = 0;
  if (found)
    sscanf(found, "\"checksum\": \"%16[0-9a-f]", checksum);
  cr_expect(found, "%d ranks, %d threads, %s: exit code %d\n%s", m.ranks, m.threads, m.backend,
            l.code, l.err);
  free(summary);
  launched_destroy(&l);
}

static void checksum_of(int ranks, int threads, const char *backend, const char *name,
                        char *checksum)
{
  checksum_with("rooms.yaml", "", (struct machine){ranks, threads, backend}, name, checksum);
}

static void expect_known(int ranks, int threads, const char *backend)
{
  char checksum[17];
  checksum_of(ranks, threads, backend, "run", checksum);
  cr_expect(strcmp(checksum, KNOWN) == 0, "%d ranks, %d threads, %s: %s instead of %s", ranks,
            threads, backend, checksum, KNOWN);
}

static int machine_can(const char *backend) // false: reports the backend as skipped
{
  struct launched l = launch("'%s' run '%s/rooms.yaml' --quiet --backend %s --steps 0 --output try",
                             THRONG, SCENES, backend);
  const int can = l.code == 0;
  const bool no_gpu = l.code == 64 && strstr(l.err, "throng: --backend cuda: ");
  cr_expect(can || strstr(l.err, "this machine") || no_gpu, "%s: %s", backend, l.err);
  if (!can)
    fprintf(stderr, "SKIPPED in part: this machine cannot run %s\n", backend);
  launched_destroy(&l);
  return can;
}

Test(same_bits, any_width, .disabled = SHORT)
{
  launch_without_leaks();
  static const char *const backends[] = {"scalar", "simd4", "simd8", "simd16"};
  for (size_t k = 0; k < sizeof backends / sizeof *backends; k++)
    if (machine_can(backends[k]))
      expect_known(0, 1, backends[k]);
}

Test(same_bits, any_threads, .disabled = SHORT)
{
  launch_without_leaks();
  expect_known(0, 5, "simd");
  expect_known(0, 2, "simd");
  expect_known(0, 2, "scalar");
}

Test(same_bits, any_ranks, .disabled = SHORT)
{
  expect_known(1, 1, "simd");
  expect_known(2, 1, "simd");
  expect_known(2, 2, "scalar");
  expect_known(3, 1, "scalar");
  expect_known(3, 2, "simd");
  expect_known(4, 1, "simd");
  expect_known(4, 2, "scalar");
  expect_known(7, 1, "scalar");
  expect_known(7, 2, "simd");
}

Test(same_bits, of_widths_and_ranks_together, .disabled = SHORT)
{
  if (machine_can("simd8"))
    expect_known(7, 1, "simd8");
  if (machine_can("simd4"))
    expect_known(3, 1, "simd4");
}

// Compares every row of the last snapshot.
Test(same_bits, of_every_agent_in_the_snapshot, .disabled = SHORT)
{
  char one[17], four[17];
  checksum_of(1, 1, "simd", "one", one);
  checksum_of(4, 1, "simd", "four", four);
  struct launched l = launch("sh '%s/../python.sh' '%s/compare.py' one four", SCENES, SCENES);
  if (l.code == 77)
    cr_skip_test("%s", l.err);
  cr_expect(l.code == 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
}

// Each machine of three takes every third scene; the long form of a release all of them.
static bool in_turn(size_t scene, size_t machine)
{
  return EXHAUSTIVE || (THOROUGH && scene % 3 == machine);
}

static void expect_method(size_t m, int ranks, int threads, const char *backend)
{
  char checksum[17];
  checksum_with("methods.yaml", methods[m].options, (struct machine){ranks, threads, backend},
                "run", checksum);
  cr_expect(strcmp(checksum, methods[m].known) == 0, "%s, %d ranks, %d threads, %s: %s, not %s",
            methods[m].options, ranks, threads, backend, checksum, methods[m].known);
}

Test(same_bits, of_every_method, .disabled = SHORT)
{
  const bool wide = machine_can("simd16"), narrow = machine_can("simd8");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    expect_method(m, 0, 1, "scalar");
    expect_method(m, 3, 1, narrow ? "simd8" : "simd");
    if (in_turn(m, 0))
      expect_method(m, 2, 2, "simd4");
    if (in_turn(m, 1))
      expect_method(m, 4, 1, "scalar");
    if (in_turn(m, 2))
      expect_method(m, 7, 1, wide ? "simd16" : "simd");
  }
}

// Interior agents compute their velocities during the halo exchange, or after it.
Test(same_bits, with_and_without_overlap, .disabled = SHORT)
{
  static const char *const options[] = {"--set ranks.overlap=true", "--set ranks.overlap=false"};
  char alone[17], checksum[17];
  checksum_with("overlap.yaml", "", (struct machine){0, 2, "simd"}, "run", alone);
  for (int ranks = 2; ranks <= 4; ranks++)
    for (int k = 0; k < 2; k++) {
      checksum_with("overlap.yaml", options[k], (struct machine){ranks, ranks == 2 ? 2 : 1, "simd"},
                    "run", checksum);
      cr_expect(strcmp(checksum, alone) == 0, "%d ranks, %s: %s, not %s", ranks, options[k],
                checksum, alone);
    }
}

static void expect_scene(size_t k, int ranks, int threads, const char *backend)
{
  char checksum[17];
  checksum_with(scenes[k].scene, scenes[k].options, (struct machine){ranks, threads, backend},
                "run", checksum);
  cr_expect(strcmp(checksum, scenes[k].known) == 0, "%s %s, %d ranks, %d threads, %s: %s, not %s",
            scenes[k].scene, scenes[k].options, ranks, threads, backend, checksum, scenes[k].known);
}

Test(same_bits, of_other_scenes, .disabled = SHORT)
{
  const bool wide = machine_can("simd16"), narrow = machine_can("simd8");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    expect_scene(k, 0, 2, "scalar");
    expect_scene(k, 3, 1, narrow ? "simd8" : "simd");
    if (in_turn(k, 0))
      expect_scene(k, 1, 1, wide ? "simd16" : "simd");
    if (in_turn(k, 0))
      expect_scene(k, 4, 1, "scalar");
    if (in_turn(k, 1))
      expect_scene(k, 2, 2, "simd4");
    if (in_turn(k, 2))
      expect_scene(k, 7, 1, wide ? "simd16" : "simd");
  }
}

// The GPU kernels, in three thread orders.
Test(same_bits, of_the_gpu_emulated, .disabled = SHORT)
{
  expect_known(0, 1, "emulated");
  expect_known(4, 1, "emulated-permuted");
  expect_known(7, 1, "emulated-reversed");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    if (EXHAUSTIVE || m % 2)
      expect_method(m, 0, 1, m % 4 == 1 ? "emulated-permuted" : "emulated-reversed");
    if (EXHAUSTIVE || m % 2 == 0)
      expect_method(m, 3, 1, "emulated");
  }
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    expect_scene(k, k % 2 ? 3 : 0, 1, k % 2 ? "emulated-permuted" : "emulated-reversed");
}

// Agents on a device migrate to other ranks when the partition changes.
Test(same_bits, of_the_gpu_emulated_with_load_balancing, .disabled = SHORT)
{
  char checksum[17];
  checksum_with("rooms.yaml", balances[0], (struct machine){3, 1, "emulated-reversed"}, "balanced",
                checksum);
  cr_expect(strcmp(checksum, KNOWN) == 0, "%s, not %s", checksum, KNOWN);
  checksum_with(scenes[0].scene, "--set time.end=120 --set balance.when=always",
                (struct machine){4, 1, "emulated"}, "balanced", checksum);
  cr_expect(strcmp(checksum, scenes[0].known) == 0, "%s, not %s", checksum, scenes[0].known);
}

// More ranks than agents: none at the start, then two per second.
Test(same_bits, of_the_gpu_emulated_with_empty_ranks)
{
  launch_without_leaks();
  char one[17], many[17];
  checksum_with("../validation/lanes.yaml", "--steps 60", (struct machine){0, 1, "simd"}, "one",
                one);
  for (int ranks = SHORT ? 3 : 0; ranks <= (SHORT ? 3 : 7); ranks += ranks ? 4 : 3) {
    checksum_with("../validation/lanes.yaml", "--steps 60", (struct machine){ranks, 1, "emulated"},
                  "many", many);
    cr_expect(strcmp(one, many) == 0, "%d ranks: %s, not %s", ranks, many, one);
  }
}

// Arrays without elements are copied to the device as such: here all that belong to corners.
Test(same_bits, of_the_gpu_emulated_with_a_roadmap_without_corners)
{
  launch_without_leaks();
  char one[17], emulated[17];
  checksum_with("open.yaml", "", (struct machine){0, 1, "simd"}, "one", one);
  checksum_with("open.yaml", "", (struct machine){2, 1, "emulated"}, "emulated", emulated);
  cr_expect(strcmp(one, emulated) == 0, "%s, not %s", emulated, one);
}

static void expect_same(const char *scene, const char *options)
{
  static const struct machine others[] = {{0, 3, "simd"}, {2, 1, "simd4"}, {0, 1, "emulated"}};
  char one[17], other[17];
  checksum_with(scene, options, (struct machine){0, 1, "scalar"}, "one", one);
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    checksum_with(scene, options, others[k], "other", other);
    cr_expect(strcmp(one, other) == 0, "%s %s, %d ranks, %s: %s, not %s", scene, options,
              others[k].ranks, others[k].backend, other, one);
  }
}

Test(same_bits, where_slow_zones_overlap)
{
  launch_without_leaks();
  setenv("THRONG_CHECK_FIELDS", "1", 1); // docs/determinism.md
  expect_same("slow_zones.yaml", "");
  expect_same("slow_zones.yaml", "--set navigation.cell=0.4");
  expect_same("slow_zones.yaml", "--set 'navigation.live={period: 2}'");
}

static void expect_arrived(int count) // in the last of these runs: on the emulated GPU
{
  char *summary = launch_read("other/summary.json"), text[40];
  snprintf(text, sizeof text, "\"arrived\": %d,", count);
  cr_expect(summary && strstr(summary, text), "not %d: %s", count, summary);
  free(summary);
}

// Fields change by events, whether they follow the crowd or not.
Test(same_bits, where_an_exit_closes)
{
  launch_without_leaks();
  setenv("THRONG_CHECK_FIELDS", "1", 1);
  expect_same("closed_exit.yaml", "");
  expect_arrived(15);
  expect_same("closed_exit.yaml", "--set 'navigation.live={period: 1}'");
  expect_same("closed_exit.yaml", "--set navigation.routes.count=3");
  expect_same("closed_exit.yaml", "--set 'events=[{at: 2, close: [d.0]}, {at: 4, open: [d.0]}]'");
}

Test(same_bits, where_a_door_cuts_off_a_stop)
{
  launch_without_leaks();
  expect_same("cut_off.yaml", "");
  expect_arrived(18);
  expect_same("cut_off.yaml", "--set navigation.model=roadmap");
  expect_arrived(18);
}

// A real GPU, used by one rank and shared by two, or three.
Test(same_bits, of_the_gpu)
{
  if (!machine_can("cuda"))
    cr_skip_test("no GPU");
  for (int ranks = 0; ranks <= (LONG ? 3 : 2); ranks++)
    expect_known(ranks, 1, "cuda");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    expect_method(m, 2, 1, "cuda");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    expect_scene(k, 2, 1, "cuda");
}

static bool has_roadmap(size_t scene)
{
  return strstr(scenes[scene].scene, "roadmap") || strstr(scenes[scene].options, "roadmap");
}

static const char *usable(const char *backend)
{
  return machine_can(backend) ? backend : "simd";
}

static const struct machine turns[] = {
    {3, 1, "simd8"}, {2, 2, "simd4"}, {0, 2, "simd16"},  {0, 1, "emulated-permuted"},
    {2, 1, "simd"},  {4, 1, "simd"},  {2, 1, "emulated"}};

static struct machine machine_in_turn(size_t turn)
{
  struct machine m = turns[turn % (sizeof turns / sizeof *turns)];
  m.backend = usable(m.backend);
  return m;
}

// Without scenes that are the one before with other options, and without roadmaps, which
// core_roadmap tests.
static bool in_short_form(size_t k)
{
  const bool again = k > 0 && strcmp(scenes[k].scene, scenes[k - 1].scene) == 0;
  return !again && !has_roadmap(k);
}

// Under sanitizers: each scene once, on machines in turn. The short form leaves out the methods,
// too, which own no memory.
Test(same_bits, of_everything_once, .disabled = !SHORT && !LONG)
{
  launch_without_leaks();
  size_t turn = 0;
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    if (SHORT && !in_short_form(k))
      continue;
    const struct machine on = machine_in_turn(turn++);
    expect_scene(k, on.ranks, on.threads, on.backend);
  }
  for (size_t m = 0; LONG && m < sizeof methods / sizeof *methods; m++) {
    const struct machine on = machine_in_turn(m);
    expect_method(m, on.ranks, on.threads, on.backend);
  }
}

// The search for leaks takes longer than the runs, so it looks at short ones.
Test(same_bits, of_runs_searched_for_leaks, .disabled = !SHORT)
{
  char host[17], emulated[17];
  checksum_with("events.yaml", "--steps 60", (struct machine){2, 1, "simd"}, "host", host);
  checksum_with("events.yaml", "--steps 60", (struct machine){2, 1, "emulated"}, "emulated",
                emulated);
  cr_expect(strcmp(host, emulated) == 0, "%s, not %s", emulated, host);
}

// The short form for other compilers and for an MPI whose waiting ranks spin: no more ranks than
// cores.
Test(same_bits, of_everything_on_two_ranks, .disabled = SHORT)
{
  expect_known(2, 1, "simd");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    expect_method(m, 2, 1, "simd");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    expect_scene(k, 2, 1, "simd");
}

// The long form in a release: on each number of ranks with each balance. Else with one of them in
// turn; turn 0 on each number of ranks, the others on one of them.
static void expect_balanced(const char *scene, const char *options, const char *known, size_t turn)
{
  static const int ranks[] = {1, 2, 3, 4, 7};
  for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++)
    for (size_t b = 0; b < sizeof balances / sizeof *balances; b++) {
      const bool ranks_turn = turn == 0 || r == turn % 5;
      if (!EXHAUSTIVE && (b != (r + turn) % 3 || (THOROUGH ? !ranks_turn : ranks[r] != 3)))
        continue;
      char checksum[17], both[200];
      snprintf(both, sizeof both, "%s %s", options, balances[b]);
      checksum_with(scene, both, (struct machine){ranks[r], 1, "simd"}, "balanced", checksum);
      cr_expect(strcmp(checksum, known) == 0, "%s %s, %d ranks: %s, not %s", scene, both, ranks[r],
                checksum, known);
    }
}

Test(same_bits, with_load_balancing, .disabled = SHORT)
{
  expect_balanced("rooms.yaml", "", KNOWN, 0);
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) // demand, groups; no roadmaps
    if (!has_roadmap(k))
      expect_balanced(scenes[k].scene, scenes[k].options, scenes[k].known, k + 1);
}

// Without this, the test above would be vacuous.
Test(same_bits, load_balancing_moves_agents, .disabled = SHORT)
{
  char checksum[17];
  checksum_with("rooms.yaml", balances[0], (struct machine){3, 1, "simd"}, "moved", checksum);
  char *summary = launch_read("moved/summary.json");
  const char *moved = summary ? strstr(summary, "\"agents_moved\": ") : NULL;
  cr_expect(moved && atoll(moved + strlen("\"agents_moved\": ")) > 0, "%s", summary);
  free(summary);
}
