#include "headway_options.h"

#include "base.h"
#include "lanes.h"
#include "steps.h"
#include <assert.h>

void headway_options_create(struct headway_options *h, int32_t profiles)
{
  const size_t n = look_up_room((size_t)profiles);
  *h = (struct headway_options){.count = profiles,
                                .look_period = 1,
                                .choice_period = 1,
                                .length = memory_create(n, sizeof *h->length),
                                .rate = memory_create(n, sizeof *h->rate),
                                .anticipation = memory_create(n, sizeof *h->anticipation),
                                .sight = memory_create(n, sizeof *h->sight),
                                .side = memory_create(n, sizeof *h->side),
                                .spread = memory_create(n, sizeof *h->spread),
                                .queue = memory_create(n, sizeof *h->queue),
                                .shoulders = memory_create(n, sizeof *h->shoulders),
                                .steps_aside = memory_create(n, sizeof *h->steps_aside)};
}

void headway_options_destroy(struct headway_options *h)
{
  memory_destroy(h->length);
  memory_destroy(h->rate);
  memory_destroy(h->anticipation);
  memory_destroy(h->sight);
  memory_destroy(h->side);
  memory_destroy(h->spread);
  memory_destroy(h->queue);
  memory_destroy(h->shoulders);
  memory_destroy(h->steps_aside);
  *h = (struct headway_options){0};
}

void headway_options_set_step(struct headway_options *h, double dt)
{
  h->look_period = (int32_t)steps_at_least(HEADWAY_LOOK, dt);
  h->choice_period = (int32_t)steps_at_least(HEADWAY_CHOICE, dt);
}

void headway_options_set(struct headway_options *h, int32_t profile,
                         const struct headway_profile *of)
{
  assert(profile >= 0 && profile < h->count && of->length > 0 && of->sight > 0);
  assert(of->time_gap > 0 && of->anticipation >= 0);
  h->on = true;
  h->length[profile] = (float)of->length;
  h->rate[profile] = (float)(1 / (of->time_gap + of->anticipation));
  h->anticipation[profile] = (float)of->anticipation;
  h->sight[profile] = (float)of->sight;
  h->side[profile] = (float)of->side;
  h->spread[profile] = (float)of->spread;
  h->queue[profile] = (float)of->queue;
  h->shoulders[profile] = (float)of->shoulders;
  h->steps_aside[profile] = (float)of->steps_aside;
  h->spreads = h->spreads || of->spread != 0;
}
