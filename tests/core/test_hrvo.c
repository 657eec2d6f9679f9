#include "velocity_laws.h"

TestSuite(hrvo, .init = skip_if_too_wide);

Test(hrvo, the_nearest_permitted_velocity_is_found)
{
  uint64_t r = 1;
  int dropped = 0;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    random_perceptions(&r, s);
    velocities_of(s, LANES, HRVO, answer);
    for (int l = 0; l < LANES; l++) {
      assert_judged(&s[l], &answer[l], HRVO);
      dropped += answer[l].infeasible;
    }
  }
  cr_assert(dropped > CASES / 50);
}

Test(hrvo, the_answer_is_admissible)
{
  assert_answers_are_admissible(HRVO);
}

Test(hrvo, a_lane_does_not_know_who_stands_beside_it)
{
  assert_a_lane_is_alone(HRVO);
}

Test(hrvo, a_mirrored_scene_has_the_mirrored_answer)
{
  assert_turns(HRVO, mirror_y);
}

Test(hrvo, a_turned_scene_has_the_turned_answer)
{
  assert_turns(HRVO, quarter_turn);
}

Test(hrvo, ugly_cases_have_a_finite_admissible_answer)
{
  assert_bears_ugly_cases(HRVO);
}

Test(hrvo, ties_are_decided_by_each_lane_alone)
{
  assert_ties_are_decided_alone(HRVO);
}

Test(hrvo, a_head_on_pair_passes)
{
  assert_head_on_pair_passes(HRVO, 0, false);
  assert_head_on_pair_passes(HRVO, 0.1f, false);
  assert_head_on_pair_passes(HRVO, 0, true);
}

Test(hrvo, no_step_leads_into_a_wall)
{
  assert_walls_are_kept(HRVO);
}
