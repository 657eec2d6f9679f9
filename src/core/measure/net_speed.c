#include "net_speed_kernel.h"

struct net_speed net_speed_mark(struct agents *a, const struct net_speed_window *window)
{
  int64_t speed = 0, agents = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : speed, agents)
  for (int64_t i = 0; i < a->count; i++) {
    const struct net_speed one = net_speed_mark_agent(a, i, window);
    speed += one.speed;
    agents += one.agents;
  }
  return (struct net_speed){speed, agents};
}
