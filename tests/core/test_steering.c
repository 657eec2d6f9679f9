// Compiled for every width: Reynolds' behaviours.
#include "steering.h"

#include "lane_width.h"
#include "oracle.h"
#include "scalar_perception.h"

TestSuite(steering, .init = skip_if_too_wide);

static const struct steering_options all_on = {true, 1, 0.5f, 0.25f, 1, 0.75f};
static const struct steering_options only_separation = {
    .on = true, .separation = 1, .separation_distance = 0.5f};
static const struct steering_options only_alignment = {.on = true, .alignment = 1};
static const struct steering_options only_cohesion = {.on = true, .cohesion = 1};
static const struct steering_options only_unaligned = {.on = true, .unaligned = 1};

Test(steering, a_lane_has_the_bits_of_one_lane)
{
  uint64_t r = 1;
  for (int c = 0; c < 20000; c += LANES) {
    struct plain_perception p[LANES];
    struct plain_answer side[LANES];
    struct perception s;
    for (int l = 0; l < LANES; l++)
      p[l] = plain_random(&r, oracle_whole(&r, 0, 1));
    perception_of_plain(&s, p);
    answers_of(side, steering_velocity(&s, &all_on, splat(1.25f)), mask_none());
    for (int l = 0; l < LANES; l++) {
      const struct plain_answer one = scalar_steering(&p[l], &all_on, 1.25f);
      cr_assert(plain_same(&one, &side[l]), "(%a %a) and (%a %a)", (double)one.x, (double)one.y,
                (double)side[l].x, (double)side[l].y);
    }
  }
}

static struct plain_perception changed(const struct plain_perception *p,
                                       bool mirror) // or turned left
{
  struct plain_perception t = *p;
  t.vx = mirror ? p->vx : -p->vy, t.vy = mirror ? -p->vy : p->vx;
  t.preferred_x = mirror ? p->preferred_x : -p->preferred_y,
  t.preferred_y = mirror ? -p->preferred_y : p->preferred_x;
  for (int j = 0; j < p->agent_count; j++) {
    const struct plain_agent *a = &p->agents[j];
    struct plain_agent *b = &t.agents[j];
    b->px = mirror ? a->px : -a->py, b->py = mirror ? -a->py : a->px;
    b->vx = mirror ? a->vx : -a->vy, b->vy = mirror ? -a->vy : a->vx;
    b->tie_x = mirror ? a->tie_x : -a->tie_y;
    b->tie_y = mirror ? -a->tie_y : a->tie_x;
  }
  return t;
}

// An agent exactly in front breaks the mirror symmetry, since it is always passed on the right; odd
// preferred velocities avoid that case.
Test(steering, a_quarter_turn_and_a_mirror_change_the_answer_exactly)
{
  uint64_t r = 2;
  for (int c = 0; c < 20000; c++) {
    const bool mirror = c % 2;
    struct plain_perception p = plain_random(&r, c % 4 < 2);
    p.preferred_x = (float)oracle_between(&r, -1.4, 1.4),
    p.preferred_y = (float)oracle_between(&r, -1, 1);
    const struct plain_perception t = changed(&p, mirror);
    const struct plain_answer a = scalar_steering(&p, &all_on, 1.25f);
    const struct plain_answer b = scalar_steering(&t, &all_on, 1.25f);
    cr_assert(b.x == (mirror ? a.x : -a.y) && b.y == (mirror ? -a.y : a.x),
              "(%a %a) becomes (%a %a)", (double)a.x, (double)a.y, (double)b.x, (double)b.y);
  }
}

Test(steering, the_answer_is_finite_and_no_faster_than_one_can_run)
{
  uint64_t r = 3;
  for (int c = 0; c < 20000; c++) {
    struct plain_perception p = plain_random(&r, true);
    struct steering_options o = all_on;
    o.separation_distance = c % 5 ? 0.75f : 0;
    if (c % 3 == 0)
      p.preferred_x = p.preferred_y = 0;
    if (c % 4 == 0)
      p.horizon = 0;
    for (int j = 0; c % 2 && j < p.agent_count; j++) {
      p.agents[j].R = oracle_whole(&r, 0, 1) ? 0 : p.agents[j].R;
      if (oracle_whole(&r, 0, 1))
        p.agents[j].px = p.agents[j].py = 0;
      if (oracle_whole(&r, 0, 1))
        p.agents[j].vx = p.preferred_x, p.agents[j].vy = p.preferred_y;
    }
    const struct plain_answer got = scalar_steering(&p, &o, 1.25f);
    cr_assert(isfinite(got.x) && isfinite(got.y));
    cr_assert(hypotf(got.x, got.y) <= p.max_speed * 1.00001f);
  }
}

static struct plain_perception alone(float preferred_x)
{
  return (struct plain_perception){
      .preferred_x = preferred_x, .radius = 0.25f, .max_speed = 2, .horizon = 4};
}

static struct plain_perception with_one(float preferred_x, float px, float py, float vx, float vy)
{
  struct plain_perception p = alone(preferred_x);
  p.agent_count = 1;
  p.agents[0] = (struct plain_agent){px, py, vx, vy, 0.5f, 0.5f, 0.6f, -0.8f};
  return p;
}

Test(steering, without_others_the_wish_stands)
{
  const struct plain_perception p = alone(1);
  const struct plain_answer got = scalar_steering(&p, &all_on, 1);
  cr_assert(got.x == 1 && got.y == 0);
}

Test(steering, separation_leads_away_and_fades_with_the_gap)
{
  const float gaps[] = {0, 0.125f, 0.25f, 0.5f, 1}, expected[] = {1, 0.75f, 0.5f, 0, 0};
  for (int i = 0; i < 5; i++) {
    const struct plain_perception p = with_one(0, 0.5f + gaps[i], 0, 0, 0);
    const struct plain_answer got = scalar_steering(&p, &only_separation, 1);
    cr_assert(fabsf(got.x + expected[i]) < 1e-6f && fabsf(got.y) == 0, "%g", (double)got.x);
  }
  const struct plain_perception p = with_one(0, 0, 0, 0, 0); // the same place: as the ids say
  const struct plain_answer got = scalar_steering(&p, &only_separation, 1);
  cr_assert(got.x == 0.6f && got.y == -0.8f);
}

Test(steering, alignment_leads_to_the_others_velocity)
{
  struct plain_perception p = with_one(0, 2, 0, 0.25f, 0.5f);
  struct plain_answer got = scalar_steering(&p, &only_alignment, 1);
  cr_assert(got.x == 0.25f && got.y == 0.5f);
  p.vx = 0.25f, p.vy = 0.5f; // it walks like them already
  got = scalar_steering(&p, &only_alignment, 1);
  cr_assert(got.x == 0 && got.y == 0);
}

Test(steering, cohesion_leads_to_their_middle)
{
  struct plain_perception p = with_one(0, 4, 2, 0, 0);
  p.agent_count = 2;
  p.agents[1] = p.agents[0];
  p.agents[1].py = -2;
  const struct plain_answer got = scalar_steering(&p, &only_cohesion, 1);
  cr_assert(fabsf(got.x - 1) < 1e-6f && got.y == 0);
}

Test(steering, who_would_be_met_is_passed_on_the_free_side)
{
  struct plain_perception p = with_one(1, 3, 0.25f, -1, 0); // comes a little on the left
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y < 0);
  p.agents[0].py = -0.25f;
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y > 0);
  p.agents[0].py = 0; // exactly in front: both to their right
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y < 0);
  p.agents[0].py = 2; // passes by
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y == 0);
  p = with_one(1, 2, 0.25f, -1, 0); // of two the one that is met first
  p.agent_count = 2;
  p.agents[1] = p.agents[0];
  p.agents[1].px = 4, p.agents[1].py = -0.25f;
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y < 0);
  p = with_one(1, 20, 0, -1, 0); // beyond the horizon
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y == 0);
  p = with_one(1, -3, 0, -1, 0); // behind, and going
  cr_assert(scalar_steering(&p, &only_unaligned, 1).y == 0);
}

Test(steering, alone_it_keeps_two_apart_who_meet_head_on)
{
  struct plain_body b[2] = {{.x = -6, .radius = 0.25f}, {.x = 6, .radius = 0.25f}};
  float least = INFINITY;
  for (int step = 0; step < 120; step++) {
    struct plain_answer next[2];
    for (int i = 0; i < 2; i++) {
      plain_prefer(&b[i], i ? -6 : 6, 0, 1.3f);
      const struct plain_perception p = plain_perceive(b, 2, i);
      next[i] = scalar_steering(&p, &all_on, 1.3f);
    }
    for (int i = 0; i < 2; i++) {
      b[i].vx = next[i].x, b[i].vy = next[i].y;
      b[i].x += PLAIN_STEP * b[i].vx, b[i].y += PLAIN_STEP * b[i].vy;
    }
    least = fminf(least, hypotf(b[0].x - b[1].x, b[0].y - b[1].y));
  }
  cr_assert(least > 0.5f, "%g m", (double)least);
  cr_assert(b[0].x > 4 && b[1].x < -4);
}
