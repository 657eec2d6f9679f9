// The net speed: the distance between an agent's places at the beginning and at the end of a
// window, over the length of the window. In a jam where agents tremble, the speed of their steps
// stays high and the net speed falls. Windows follow each other; each ends by marking where the
// agents are.
#pragma once
#include "agents.h"

#define NET_SPEED_WINDOW 2.0 // s

struct net_speed_window {
  int64_t first_step;       // agents that entered later do not count
  double speed_per_quantum; // um/s: 1e6 quantum / length
};

struct net_speed { // sums over agents
  int64_t speed;   // um/s
  int64_t agents;
};

// Of the owned agents in the window that ends now; begins the next window.
struct net_speed net_speed_mark(struct agents *a, const struct net_speed_window *window);
