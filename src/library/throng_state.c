// What a simulation says of itself.
#include "library.h"

void throng_get_state(const struct throng *t, struct throng_state *state)
{
  const struct simulation *s = t->simulation;
  const struct frame *frame = &s->scenario->world.frame;
  const struct box bounds = s->scenario->world.bounds;
  *state = (struct throng_state){
      .step = s->step,
      .time = simulation_time(s),
      .dt = s->scenario->dt,
      .agents = s->last.agents,
      .created = s->all.agents,
      .arrived = s->all.arrived,
      .removed = s->all.removed,
      .overlaps = s->last.overlaps,
      .is_over = simulation_is_over(s),
      .rank = t->comm.rank,
      .ranks = t->comm.size,
      .origin_x = frame->origin_x,
      .origin_y = frame->origin_y,
      .quantum = (double)frame_quantum(frame),
      .extent = {frame_x(frame, bounds.lo.x), frame_y(frame, bounds.lo.y),
                 frame_x(frame, bounds.hi.x), frame_y(frame, bounds.hi.y)},
  };
}

int throng_checksum(struct throng *t, uint64_t *checksum)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    *checksum = simulation_checksum(t->simulation);
  }
  return call_end(&call);
}

const char *throng_name(const struct throng *t, enum throng_names of, int k)
{
  const struct scenario *s = t->session.scenario;
  switch (of) {
  case THRONG_PROFILES:
    return k >= 0 && k < s->profile_count ? s->profile_names[k] : NULL;
  case THRONG_SOURCES:
    return k >= 0 && k < s->source_count ? s->source_names[k] : NULL;
  case THRONG_DESTINATIONS:
    return k >= 0 && k < s->destination_count ? s->destination_names[k] : NULL;
  case THRONG_JOURNEYS:
    return scenario_journey_name(s, k);
  }
  return NULL;
}
