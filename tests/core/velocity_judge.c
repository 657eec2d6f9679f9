#include "velocity_judge.h"

#include <float.h>
#include <math.h>

static void edge_set(struct judge_region *r, double nx, double ny, double b)
{
  r->nx[r->edge_count] = nx;
  r->ny[r->edge_count] = ny;
  r->b[r->edge_count++] = b;
}

static void edge_through(struct judge_region *r, double angle, double x, double y)
{
  const double nx = cos(angle), ny = sin(angle);
  edge_set(r, nx, ny, nx * x + ny * y);
}

static const double quarter = 1.5707963267948966;

// The admissible velocity furthest along (nx, ny): how far.
static double furthest(const struct judge *j, double nx, double ny)
{
  const double cx = j->centre[0], cy = j->centre[1], r = j->reach, v = j->speed;
  const double slack = 1e-6 * v;
  if (r < 0 || hypot(v * nx - cx, v * ny - cy) <= r + slack)
    return v;
  if (hypot(cx + r * nx, cy + r * ny) <= v + slack)
    return nx * cx + ny * cy + r;
  const double d = hypot(cx, cy), along = (d * d + v * v - r * r) / (2 * d);
  const double up = sqrt(fmax(v * v - along * along, 0)), ex = cx / d, ey = cy / d;
  return along * (nx * ex + ny * ey) + up * fabs(ex * ny - ey * nx);
}

// A demand that goes beyond what one step can do asks for nearly all that it can.
static double within_reach(const struct judge *j, double nx, double ny, double b)
{
  const double high = furthest(j, nx, ny), low = -furthest(j, -nx, -ny);
  return fmax(b, high - (1 - 1 / 256.0) * (high - low));
}

static double clearpath_overlaps_below(const struct scalar_neighbour *a) // m
{
  return fmax((double)a->R - 1 / 4096.0, 0);
}

// The disc of velocities that still overlap after the step, as the half-plane that holds it.
static void clearpath_overlapping(struct judge_region *r, const struct judge *j,
                                  const struct scalar_perception *s,
                                  const struct scalar_neighbour *a)
{
  const bool free = j->reach < 0 || j->reach >= j->speed + hypot(s->vx, s->vy);
  const double mx = free ? 0 : s->vx, my = free ? 0 : s->vy;
  const double x = (double)a->px / s->step + a->vx - mx, y = (double)a->py / s->step + a->vy - my;
  const double c = hypot(x, y), b = (x * mx + y * my) / c + c - (double)a->R / s->step;
  edge_set(r, x / c, y / c, within_reach(j, x / c, y / c, b));
}

static void clearpath_regions(struct judge_region *r, const struct judge *j,
                              const struct scalar_perception *s, const struct scalar_neighbour *a,
                              bool guaranteed)
{
  const double share = a->share, R = (double)a->R + 1 / 256.0; // the skin
  const double D = fmax(hypot(a->px, a->py), R);
  if (hypot(a->px, a->py) <= clearpath_overlaps_below(a)) {
    clearpath_overlapping(r, j, s, a);
    if (guaranteed)
      edge_set(&r[1], 0, 0, 1);
    return;
  }
  const double x = (1 - share) * s->vx + share * a->vx, y = (1 - share) * s->vy + share * a->vy;
  const double towards = atan2(a->py, a->px), alpha = asin(R / D);
  const double gap = (D - R) / s->horizon, cx = cos(towards), cy = sin(towards);
  edge_through(r, towards, x + share * gap * cx, y + share * gap * cy);
  if (!guaranteed) {
    edge_through(r, towards + alpha - quarter, x, y);
    edge_through(r, towards - alpha + quarter, x, y);
    return;
  }
  const double wx = (double)s->vx - a->vx, wy = (double)s->vy - a->vy;
  const double side = cx * wy - cy * wx < 0 ? -1 : 1; // +1: we pass on the left
  const double back = (1 - share) * gap;              // what the other may come nearer
  edge_through(r, towards + side * (alpha - quarter), x - back * cx, y - back * cy);
  edge_through(&r[1], towards - side * quarter, x, y);
}

static void hrvo_region(struct judge_region *r, const struct judge *j,
                        const struct scalar_perception *s, const struct scalar_neighbour *a)
{
  const double D = hypot(a->px, a->py), share = a->share;
  const double x = (1 - share) * s->vx + share * a->vx, y = (1 - share) * s->vy + share * a->vy;
  const double towards = atan2(a->py, a->px);
  if (D <= (double)a->R) {
    const double part = share * ((double)a->R - D) / s->step;
    edge_through(r, towards, x - part * cos(towards), y - part * sin(towards));
    r->b[0] = within_reach(j, r->nx[0], r->ny[0], r->b[0]);
    return;
  }
  const double alpha = asin(a->R / D);
  const double wx = (double)s->vx - a->vx, wy = (double)s->vy - a->vy;
  // The paper's apex: where a side of the one cone meets a side of the other.
  const double lx = cos(towards + alpha), ly = sin(towards + alpha);
  const double rx = cos(towards - alpha), ry = sin(towards - alpha);
  const double d = sin(2 * alpha);
  double ax, ay;
  if (a->px * wy - a->py * wx < 0) { // right of the centre line: the left side is that of the VO
    const double t = (1 - share) * (rx * wy - ry * wx) / d;
    ax = a->vx + t * lx, ay = a->vy + t * ly;
  } else {
    const double t = (1 - share) * (wx * ly - wy * lx) / d;
    ax = a->vx + t * rx, ay = a->vy + t * ry;
  }
  edge_through(r, towards + alpha - quarter, ax, ay);
  edge_through(r, towards - alpha + quarter, ax, ay);
}

static void wall_region(struct judge_region *r, const struct scalar_perception *s,
                        const struct scalar_perceived_wall *w)
{
  const double lx = (double)w->bx - w->ax, ly = (double)w->by - w->ay;
  const double t = fmin(fmax(-(w->ax * lx + w->ay * ly) / (lx * lx + ly * ly), 0), 1);
  const double x = w->ax + t * lx, y = w->ay + t * ly, D = hypot(x, y), radius = s->radius;
  const double towards = atan2(y, x);
  if (D <= radius) {
    edge_through(r, towards, 0, 0);
    return;
  }
  const double front = (D - radius) / s->horizon_walls;
  edge_through(r, towards, front * cos(towards), front * sin(towards));
  double left = -9, right = 9; // angles of the sides, from `towards`
  for (int e = 0; e < 2; e++) {
    const double ex = e ? w->bx : w->ax, ey = e ? w->by : w->ay;
    const double alpha = asin(radius / hypot(ex, ey));
    const double angle = remainder(atan2(ey, ex) - towards, 4 * quarter);
    left = fmax(left, angle + alpha);
    right = fmin(right, angle - alpha);
  }
  edge_through(r, towards + left - quarter, 0, 0);
  edge_through(r, towards + right + quarter, 0, 0);
}

void judge_make(struct judge *j, const struct scalar_perception *s, enum velocity_method method)
{
  *j = (struct judge){.wall_regions = s->wall_count, .agent_count = s->agent_count};
  j->per_agent = method == CLEARPATH_GUARANTEED ? 2 : 1;
  j->speed = s->max_speed;
  j->reach = -1;
  j->centre[0] = s->vx, j->centre[1] = s->vy;
  if (s->acceleration > 0)
    j->reach = fmax((double)s->acceleration * s->step, hypot(s->vx, s->vy) - s->max_speed);
  j->preferred_velocity[0] = s->preferred_x, j->preferred_velocity[1] = s->preferred_y;
  for (int i = 0; i < s->wall_count; i++)
    wall_region(&j->r[i], s, &s->walls[i]);
  for (int i = 0; i < s->agent_count; i++) {
    const struct scalar_neighbour *a = &s->agents[i];
    struct judge_region *r = &j->r[j->wall_regions + i * j->per_agent];
    if (method == HRVO)
      hrvo_region(r, j, s, a);
    else
      clearpath_regions(r, j, s, a, method == CLEARPATH_GUARANTEED);
    if (method != HRVO && hypot(a->px, a->py) <= clearpath_overlaps_below(a))
      j->preferred_velocity[0] = j->preferred_velocity[1] = 0;
  }
}

double judge_depth(const struct judge *j, int agents, const double v[2])
{
  double deepest = -DBL_MAX;
  for (int i = 0; i < j->wall_regions + agents * j->per_agent; i++) {
    double depth = DBL_MAX;
    for (int e = 0; e < j->r[i].edge_count; e++)
      depth = fmin(depth, j->r[i].nx[e] * v[0] + j->r[i].ny[e] * v[1] - j->r[i].b[e]);
    deepest = fmax(deepest, depth);
  }
  return deepest;
}

double judge_excess(const struct judge *j, const double v[2])
{
  const double fast = hypot(v[0], v[1]) - j->speed;
  const double sudden = hypot(v[0] - j->centre[0], v[1] - j->centre[1]) - j->reach;
  return j->reach < 0 ? fast : fmax(fast, sudden);
}

struct trial {
  const struct judge *j;
  int agents;
  double slack, best2, *best;
};

static void trial_of(struct trial *t, double x, double y)
{
  const double v[2] = {x, y}, rounding = 1e-9;
  const double dx = x - t->j->preferred_velocity[0], dy = y - t->j->preferred_velocity[1],
               d2 = dx * dx + dy * dy;
  if (d2 >= t->best2 || judge_excess(t->j, v) > rounding - t->slack ||
      judge_depth(t->j, t->agents, v) > rounding - t->slack)
    return;
  t->best2 = d2;
  t->best[0] = x, t->best[1] = y;
}

static void trial_line_circle(struct trial *t, const double h[3], double cx, double cy, double r)
{
  const double off = h[2] - h[0] * cx - h[1] * cy, room = r * r - off * off;
  if (room < 0)
    return;
  const double half = sqrt(room), x = cx + off * h[0], y = cy + off * h[1];
  trial_of(t, x + half * h[1], y - half * h[0]);
  trial_of(t, x - half * h[1], y + half * h[0]);
}

static void trial_circle_foot(struct trial *t, double cx, double cy, double r)
{
  const double dx = t->j->preferred_velocity[0] - cx, dy = t->j->preferred_velocity[1] - cy,
               d = hypot(dx, dy);
  if (d > 0)
    trial_of(t, cx + r * dx / d, cy + r * dy / d);
}

static void trial_circles(struct trial *t, double speed, double reach)
{
  const double cx = t->j->centre[0], cy = t->j->centre[1], c = hypot(cx, cy);
  trial_circle_foot(t, cx, cy, reach);
  if (c == 0)
    return;
  const double h[3] = {cx / c, cy / c, (c * c + speed * speed - reach * reach) / (2 * c)};
  trial_line_circle(t, h, 0, 0, speed);
}

bool judge_nearest(const struct judge *j, int agents, double slack, double best[2])
{
  struct trial t = {j, agents, slack, DBL_MAX, best};
  double lines[3 * JUDGE_REGIONS][3];
  int n = 0;
  const double speed = j->speed - slack, reach = j->reach - slack;
  trial_of(&t, j->preferred_velocity[0], j->preferred_velocity[1]);
  trial_circle_foot(&t, 0, 0, speed);
  if (j->reach >= 0)
    trial_circles(&t, speed, reach);
  for (int i = 0; i < j->wall_regions + agents * j->per_agent; i++)
    for (int e = 0; e < j->r[i].edge_count; e++, n++) {
      lines[n][0] = j->r[i].nx[e], lines[n][1] = j->r[i].ny[e], lines[n][2] = j->r[i].b[e] - slack;
    }
  for (int i = 0; i < n; i++) {
    const double *h = lines[i], violation = h[2] - h[0] * j->preferred_velocity[0] -
                                            h[1] * j->preferred_velocity[1];
    trial_of(&t, j->preferred_velocity[0] + violation * h[0],
             j->preferred_velocity[1] + violation * h[1]);
    trial_line_circle(&t, h, 0, 0, speed);
    if (j->reach >= 0)
      trial_line_circle(&t, h, j->centre[0], j->centre[1], reach);
    for (int k = 0; k < i; k++) {
      const double *g = lines[k], d = h[0] * g[1] - h[1] * g[0];
      if (fabs(d) > 1e-12)
        trial_of(&t, (h[2] * g[1] - g[2] * h[1]) / d, (h[0] * g[2] - g[0] * h[2]) / d);
    }
  }
  return t.best2 < DBL_MAX;
}
