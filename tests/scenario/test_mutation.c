// Damaged files: bytes replaced, repeated or removed. Each gives either a valid scenario or error
// messages; none crashes.
#include "extent.h"
#include "support.h"

#include "random.h"

static const char yaml[] =
    "name: mutant\nseed: 7\nworld:\n  extent: [0, 0, 40, 30]\n  obstacles:\n"
    "    - POLYGON ((5 5, 15 5, 15 15, 5 15, 5 5))\n    - \"LINESTRING (0 20, 10 20)\"\n"
    "  geometry: m.geojson\n  units: metres\n"
    "time: {step: 0.1, end: 20}\navoidance: {method: rvo, neighbours: 8, rvo: {samples: 40}}\n"
    "navigation: {model: field, cell: 1}\n"
    "destinations:\n  - name: out\n    areas: [{border: 2}, {circle: [20, 20, 2]}]\n"
    "profiles:\n  - {name: adult, speed: {normal: [1.3, 0.2, 0.6, 2]}, radius: {uniform: [0.2, "
    "0.3]}}\n  - {name: child, speed: 0.9, radius: 0.15, neighbours: {uniform: [2, 9]}, yield: 2}\n"
    "sources:\n  - {name: m, area: {rectangle: [16, 1, 38, 28]}, count: 40, profile: {adult: 0.7, "
    "child: 0.3}, destination: out}\n"
    "  - {area: {polygon: [[1, 1], [4, 1], [4, 9]]}, density: 0.5, goal: [3, 3]}\n"
    "  - {area: {rectangle: [18, 2, 30, 4]}, spacing: 3, jitter: 1e-4, layout: grid, offset: [1, "
    "2]}\n"
    "agents: m.csv\n";
static const char csv[] =
    "id,x,y,vx,vy,radius,speed,goal_x,goal_y,destination,yield\r\n"
    "1,2,12,0,0.5,0.25,1.3,1,1,,0.5\r\n5,3,25,,,,,,,out,\n\n9,20,2,0,0,0.3,1,,,,2\n";
static const char geojson[] =
    "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"name\":"
    "\"a\",\"throng\":\"obstacle\"},\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[[30,5],["
    "34,"
    "5],[34,9],[30,9],[30,5]],[[31,6],[31,7],[32,7],[31,6]]]}},{\"type\":\"Feature\","
    "\"properties\":"
    "null,\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[1,1],[2,2e0]]}}]}\n";

// Damages one or two places of the text, whose buffer has room to grow.
static void mutate(char *text, int64_t round, uint32_t purpose)
{
  static const char spice[] = "{}[]:,-.\"'#&*!|>%@ \n\t0123456789eE+naif\\/~\x80\xff\x01()";
  const struct random4 many = random_words(99, round, 0, purpose);
  for (uint32_t k = 0; k <= many.word[0] % 2; k++) {
    const struct random4 r = random_words(99, round, 1 + k, purpose);
    const size_t length = strlen(text), at = r.word[1] % length;
    const size_t span = 1 + r.word[2] % 12, end = at + span < length ? at + span : length;
    if (r.word[0] % 3 == 0) {
      text[at] = spice[r.word[3] % (sizeof spice - 1)];
    } else if (r.word[0] % 3 == 1 && end - at < length) {
      memmove(text + at, text + end, length - end + 1);
    } else if (length + (end - at) < 2 * sizeof yaml) {
      memmove(text + end, text + at, length - at + 1);
    }
  }
}

static void try_once(int64_t round, int64_t *good)
{
  static char texts[3][4 * sizeof yaml];
  strcpy(texts[0], yaml);
  strcpy(texts[1], csv);
  strcpy(texts[2], geojson);
  mutate(texts[round % 3], round, RANDOM_TEST);
  support_write("m.yaml", texts[0]);
  support_write("m.csv", texts[1]);
  support_write("m.geojson", texts[2]);
  struct diagnostics p = {0};
  struct scenario *s = scenario_create("m.yaml", NULL, 0, NULL, &p);
  cr_assert((s != NULL) == (p.count == 0) && (p.text != NULL) == (p.count > 0), "round %lld",
            (long long)round);
  if (s) {
    struct agents a;
    support_agents(s, &a);
    agents_destroy(&a);
    ++*good;
  }
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

#ifdef ROUNDS_WANTED
#define ROUNDS ROUNDS_WANTED
#elif SHORT
#define ROUNDS 1000
#else
#define ROUNDS 3000
#endif

Test(mutation, of_files_gives_a_scenario_or_errors)
{
  int64_t good = 0;
  for (int64_t round = 0; round < ROUNDS; round++)
    try_once(round, &good);
  cr_assert(good > ROUNDS / 50 && good < ROUNDS, "%lld of %d were valid", (long long)good, ROUNDS);
}

Test(mutation, without_damage_the_files_are_valid)
{
  support_write("m.csv", csv);
  support_write("m.geojson", geojson);
  struct scenario *s = support_load(yaml);
  cr_assert(s->agent_count > 43);
  scenario_destroy(s);
}
