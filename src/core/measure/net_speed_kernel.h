// One agent's part of the net speed.
#pragma once
#include "net_speed.h"

#include "integer_length.h"

// Agent i's net speed in the window, and marks its position.
INLINE struct net_speed net_speed_mark_agent(struct agents *a, int64_t i,
                                             const struct net_speed_window *window)
{
  const struct point at = {a->x[i], a->y[i]}, mark = {a->mark_x[i], a->mark_y[i]};
  const bool counts = a->born[i] <= window->first_step;
  a->mark_x[i] = at.x;
  a->mark_y[i] = at.y;
  return (struct net_speed){
      counts ? lrint(window->speed_per_quantum * (double)length_between(mark, at)) : 0, counts};
}
