// The scenes of the papers load and have the number of agents that the papers give.
#include "extent.h"
#include "support.h"

#define PAPERS THRONG_CONFIGS "/papers/"

static void expect_agents(const char *path, int64_t count)
{
  struct diagnostics p = {0};
  struct scenario *s = scenario_create(path, NULL, 0, NULL, &p);
  cr_assert(s, "%s", p.text ? p.text : path);
  cr_expect(s->agent_count == count, "%s: %lld agents", path, (long long)s->agent_count);
  struct agents a;
  support_agents(s, &a);
  agents_destroy(&a);
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

Test(papers, clearpath)
{
  expect_agents(PAPERS "clearpath-circle-1k.yaml", 1000);
  expect_agents(PAPERS "clearpath-4-streams.yaml", 2000);
  expect_agents(PAPERS "clearpath-back-and-forth.yaml", 80);
  expect_agents(PAPERS "clearpath-evac.yaml", 1000);
  expect_agents(PAPERS "clearpath-stadium-25k.yaml", 25000);
}

Test(papers, clearpath_city)
{
#if SHORT
  cr_skip_test("a whole city takes this build too long");
#endif
  expect_agents(PAPERS "clearpath-city.yaml", 10000);
}

Test(papers, bleiweiss)
{
  expect_agents(PAPERS "bleiweiss-simple.yaml", 4);
  expect_agents(PAPERS "bleiweiss-car.yaml", 12);
  expect_agents(PAPERS "bleiweiss-robots.yaml", 24);
  expect_agents(PAPERS "bleiweiss-circle.yaml", 32);
  expect_agents(PAPERS "bleiweiss-narrow.yaml", 100);
  expect_agents(PAPERS "bleiweiss-stadium.yaml", 245);
  expect_agents(PAPERS "bleiweiss-crosswalk.yaml", 400);
  expect_agents(PAPERS "bleiweiss-evacuation.yaml", 500);
}

Test(papers, snape)
{
  expect_agents(PAPERS "snape-circle.yaml", 100);
  expect_agents(PAPERS "snape-moving-obstacle.yaml", 26);
  expect_agents(PAPERS "snape-blocks.yaml", 100);
}

Test(papers, shopf)
{
  expect_agents(PAPERS "shopf-65k.yaml", 65000);
}
