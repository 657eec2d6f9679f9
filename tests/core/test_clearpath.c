#include "velocity_laws.h"

#include "clearpath.h"

TestSuite(clearpath, .init = skip_if_too_wide);

#define HALVINGS 8 // of the window, at most

Test(clearpath, the_nearest_permitted_velocity_is_found)
{
  uint64_t r = 1;
  int dropped = 0;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    random_perceptions(&r, s);
    velocities_of(s, LANES, CLEARPATH_RELAXED, answer);
    for (int l = 0; l < LANES; l++) {
      cr_assert_not(answer[l].relaxed);
      assert_judged(&s[l], &answer[l], CLEARPATH_RELAXED);
      dropped += answer[l].infeasible;
    }
  }
  cr_assert(dropped > CASES / 100);
}

// The longest of the windows horizon, horizon / 2, ..., step that leaves some velocity decides;
// without one, the relaxed velocity is taken. Returns how often the window was halved.
static int judge_guaranteed(const struct scalar_perception *s, const struct scalar_answer *answer)
{
  const double v[2] = {answer->v[0], answer->v[1]};
  struct scalar_perception shorter = *s;
  struct judge j;
  double other[2];
  for (int i = 0; i <= HALVINGS; i++, shorter.horizon /= 2) {
    const bool shortest = shorter.horizon <= s->step;
    shorter.horizon = shortest ? s->step : shorter.horizon;
    judge_make(&j, &shorter, CLEARPATH_GUARANTEED);
    if (!answer->relaxed && judge_depth(&j, j.agent_count, v) < JUDGED &&
        judge_nearest(&j, j.agent_count, -JUDGED, other) &&
        way_off(&j, v) >= way_off(&j, other) - JUDGED) {
      assert_best(&j, j.agent_count, v);
      return i;
    }
    cr_assert_not(judge_nearest(&j, j.agent_count, AT_RISK, other), "(%g %g) at halving %d",
                  other[0], other[1], i);
    if (shortest)
      break;
  }
  cr_assert(answer->relaxed);
  assert_judged(s, answer, CLEARPATH_RELAXED);
  return HALVINGS + 1;
}

Test(clearpath, the_guaranteed_variant_keeps_its_definition)
{
  uint64_t r = 2;
  int halved = 0, relaxed = 0;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    random_perceptions(&r, s);
    velocities_of(s, LANES, CLEARPATH_GUARANTEED, answer);
    for (int l = 0; l < LANES; l++) {
      const int halvings = judge_guaranteed(&s[l], &answer[l]);
      halved += halvings > 0 && halvings <= HALVINGS;
      relaxed += halvings > HALVINGS;
    }
  }
  cr_assert(halved > CASES / 100 && relaxed > CASES / 100, "%d %d", halved, relaxed);
}

#define GROUP 6

struct group {
  double p[GROUP][2];
  struct scalar_perception s[GROUP];
};

// A group of agents that are apart, each seeing all others.
static void random_group(uint64_t *r, struct group *g, int count, float horizon)
{
  const double side = oracle_between(r, 0.5 + 0.15 * count, 3);
  for (int i = 0; i < count; i++) {
    bool apart;
    do {
      apart = true;
      for (int e = 0; e < 2; e++)
        g->p[i][e] = oracle_between(r, -side, side);
      for (int k = 0; k < i; k++)
        apart = apart && hypot(g->p[i][0] - g->p[k][0], g->p[i][1] - g->p[k][1]) > 0.5001;
    } while (!apart);
    g->s[i] = (struct scalar_perception){
        .radius = 0.25f, .max_speed = 2, .horizon = horizon, .horizon_walls = 1, .step = 0.1f};
    g->s[i].vx = (float)oracle_between(r, -1.3, 1.3);
    g->s[i].vy = (float)oracle_between(r, -1.3, 1.3);
    g->s[i].preferred_x = (float)oracle_between(r, -1.3, 1.3);
    g->s[i].preferred_y = (float)oracle_between(r, -1.3, 1.3);
  }
  const bool unlike = oracle_whole(r, 0, 1); // one of a pair makes more of the way
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < count; k++)
      if (k != i)
        g->s[i].agents[g->s[i].agent_count++] =
            (struct scalar_neighbour){(float)(g->p[k][0] - g->p[i][0]),
                                      (float)(g->p[k][1] - g->p[i][1]),
                                      g->s[k].vx,
                                      g->s[k].vy,
                                      0.5f,
                                      !unlike ? 0.5f
                                      : i < k ? 0.25f
                                              : 0.75f,
                                      0,
                                      0};
    qsort(g->s[i].agents, (size_t)g->s[i].agent_count, sizeof *g->s[i].agents,
          scalar_neighbour_order);
  }
}

// Theorem 1 (section 3.3), for any group: if both agents of a pair found a velocity for the whole
// window, they do not meet during it.
Test(clearpath, agents_with_a_guaranteed_velocity_do_not_meet)
{
  uint64_t r = 3;
  int pairs = 0, groups = 0, count;
  for (int c = 0; c < 30000; c++) {
    struct group g;
    struct scalar_answer answer[GROUP];
    bool safe[GROUP];
    int safe_count = 0;
    const float horizon = oracle_whole(&r, 0, 1) ? 2 : 0.5f;
    random_group(&r, &g, count = oracle_whole(&r, 2, GROUP), horizon);
    for (int i = 0; i < count; i++) {
      struct judge j;
      answer[i] = scalar_velocity(&g.s[i], CLEARPATH_GUARANTEED);
      const double v[2] = {answer[i].v[0], answer[i].v[1]};
      judge_make(&j, &g.s[i], CLEARPATH_GUARANTEED);
      safe[i] = judge_depth(&j, j.agent_count, v) < 1e-5;
      safe_count += safe[i];
    }
    groups += safe_count == count;
    for (int i = 0; i < count; i++)
      for (int k = 0; k < i; k++) {
        if (!safe[i] || !safe[k])
          continue;
        const double p[2] = {g.p[k][0] - g.p[i][0], g.p[k][1] - g.p[i][1]};
        const double v[2] = {(double)answer[k].v[0] - answer[i].v[0],
                             (double)answer[k].v[1] - answer[i].v[1]};
        const double least = oracle_closest(p, v, horizon);
        cr_assert(least > 0.5 - 1e-4, "%g m of 0.5 m", least);
        pairs++;
      }
  }
  cr_assert(pairs > 20000 && groups > 3000, "%d %d", pairs, groups);
}

// Why the legs of the guaranteed variant lie further out than in print: one of these two is below
// its cut-off, the other beside its leg, both on the same side of each other, and they meet.
Test(clearpath, the_printed_legs_do_not_keep_a_pair_apart)
{
  const double D = 2, R = 0.5, T = 2, sine = R / D, cosine = sqrt(1 - sine * sine);
  const double ours[2] = {(D - R) / (2 * T), 0};     // on the cut-off, on the centre line
  const double theirs[2] = {-2 * cosine, -2 * sine}; // along their printed leg
  const double p[2] = {D, 0}, v[2] = {theirs[0] - ours[0], theirs[1] - ours[1]};
  const double least = oracle_closest(p, v, T);
  cr_assert(least < R - 0.05, "%g m of %g m", least, R);
  cr_assert(least > R - (D - R) / 2 * sine, "no deeper than what one agent goes towards the leg");
  // So a preferred velocity along the paper's leg is not permitted: our leg lies further out.
  const struct scalar_perception s = {.radius = 0.25f,
                                      .max_speed = 3,
                                      .preferred_x = (float)theirs[0],
                                      .preferred_y = (float)theirs[1],
                                      .horizon = (float)T,
                                      .horizon_walls = 1,
                                      .step = 0.1f,
                                      .agent_count = 1,
                                      .agents = {{.px = (float)-D, .R = (float)R, .share = 0.5f}}};
  const struct scalar_answer answer = scalar_velocity(&s, CLEARPATH_GUARANTEED);
  const double off = hypot((double)answer.v[0] - theirs[0], (double)answer.v[1] - theirs[1]);
  cr_assert(!answer.infeasible && off > (D - R) / (2 * T) * sine - 1e-4 && off < 0.5, "%g m/s",
            off);
}

Test(clearpath, the_answer_is_admissible)
{
  assert_answers_are_admissible(CLEARPATH_RELAXED);
  assert_answers_are_admissible(CLEARPATH_GUARANTEED);
}

Test(clearpath, a_lane_does_not_know_who_stands_beside_it)
{
  assert_a_lane_is_alone(CLEARPATH_RELAXED);
  assert_a_lane_is_alone(CLEARPATH_GUARANTEED);
}

Test(clearpath, a_mirrored_scene_has_the_mirrored_answer)
{
  assert_turns(CLEARPATH_RELAXED, mirror_y);
  assert_turns(CLEARPATH_GUARANTEED, mirror_y);
}

Test(clearpath, a_turned_scene_has_the_turned_answer)
{
  assert_turns(CLEARPATH_RELAXED, quarter_turn);
  assert_turns(CLEARPATH_GUARANTEED, quarter_turn);
}

Test(clearpath, ugly_cases_have_a_finite_admissible_answer)
{
  assert_bears_ugly_cases(CLEARPATH_RELAXED);
  assert_bears_ugly_cases(CLEARPATH_GUARANTEED);
}

Test(clearpath, ties_are_decided_by_each_lane_alone)
{
  assert_ties_are_decided_alone(CLEARPATH_GUARANTEED);
  assert_ties_are_decided_alone(CLEARPATH_RELAXED);
}

Test(clearpath, a_head_on_pair_passes)
{
  for (enum velocity_method method = CLEARPATH_GUARANTEED; method <= CLEARPATH_RELAXED; method++) {
    assert_head_on_pair_passes(method, 0, false);
    assert_head_on_pair_passes(method, 0.1f, false);
    assert_head_on_pair_passes(method, 0, true);
  }
}

Test(clearpath, no_step_leads_into_a_wall)
{
  assert_walls_are_kept(CLEARPATH_RELAXED);
  assert_walls_are_kept(CLEARPATH_GUARANTEED);
}
