#include "simulation_parts.h"

#include "demand.h"
#include "navigation.h"
#include "patience.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const phase_names[PHASE_COUNT] = {"halo",    "navigation", "index",   "avoidance",
                                              "move",    "migrate",    "balance", "demand",
                                              "changes", "measure",    "account", "output"};

static void apply_changes(struct simulation *s)
{
  const struct changes_input in = {s->scenario,   s->comm,      &s->agents,
                                   &s->newcomers, &s->journeys, s->step};
  const int64_t rebuilds = s->changes.rebuilds, replans = s->changes.replans;
  if (changes_concern(&s->changes, &in))
    simulation_come_home(s);
  changes_apply(&s->changes, &in);
  s->there = s->there && s->changes.rebuilds == rebuilds; // their aims are others
  s->learned = s->learned && s->changes.rebuilds == rebuilds && s->changes.replans == replans;
}

static void change(struct simulation *s)
{
  TIMED(s, PHASE_CHANGES, apply_changes(s));
}

int32_t simulation_patience(const struct simulation *s)
{
  const double patience = s->scenario->patience / s->scenario->dt;
  return patience > 0 ? (int32_t)fmin(ceil(patience), 1e9) : PATIENCE_ENDLESS;
}

static void progress_halo(void *halo)
{
  exchange_progress(&((struct halo *)halo)->exchange);
}

struct choose_input simulation_choice(struct simulation *s, enum choose_part part)
{
  const struct scenario *scenario = s->scenario;
  return (struct choose_input){.world = &scenario->world,
                               .avoidance = &scenario->avoidance,
                               .crowd = &s->crowd,
                               .dt = (float)scenario->dt,
                               .seed = scenario->seed,
                               .step = s->step,
                               .pace = &scenario->pace,
                               .part = part,
                               .inner = s->halo.inner,
                               .meanwhile = part == CHOOSE_INSIDE ? progress_halo : NULL,
                               .context = &s->halo};
}

static void begin(struct simulation *s)
{
  TIMED(s, PHASE_INDEX, s->parts->begin(s));
}

static void keep_order(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, s->parts->keep_order(s));
}

static void see_begin(struct simulation *s)
{
  TIMED(s, PHASE_HALO, s->parts->see_begin(s));
}

static void wish(struct simulation *s)
{
  COMPUTED(s, PHASE_NAVIGATION, s->parts->wish(s));
}

static void know_own(struct simulation *s)
{
  COMPUTED(s, PHASE_INDEX, s->parts->know_own(s));
}

static void see_end(struct simulation *s)
{
  s->parts->see_end(s);
  s->ghosts_waited += s->halo.exchange.waited;
}

// Members of groups wait for each other, ghosts or not: then nobody can choose before.
static bool chooses_early(const struct simulation *s)
{
  return s->scenario->overlap && s->halo.exchange.peer_count > 0 && !s->scenario->has_groups;
}

static void avoid_inside(struct simulation *s)
{
  if (chooses_early(s))
    COMPUTED(s, PHASE_AVOIDANCE, s->parts->choose(s, CHOOSE_INSIDE));
}

static void avoid(struct simulation *s)
{
  const enum choose_part part = chooses_early(s) ? CHOOSE_BORDER : CHOOSE_ALL;
  if (s->scenario->has_groups)
    COMPUTED(s, PHASE_NAVIGATION, s->parts->keep_together(s));
  COMPUTED(s, PHASE_AVOIDANCE, s->parts->choose(s, part));
  s->deepest_overlap = fmaxf(s->deepest_overlap, s->seen.deepest_overlap);
}

static void make_room(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND,
        newcomers_choose(&s->newcomers, s->scenario, s->comm, s->parts->look, s, s->step));
}

static void move(struct simulation *s)
{
  s->parts->move(s);
}

static void reserve_gone(struct simulation *s, const struct agents *a)
{
  if (a->count <= s->gone_capacity)
    return;
  memory_destroy(s->gone);
  s->gone_capacity = a->capacity;
  s->gone = memory_create((size_t)s->gone_capacity, 1);
}

// To and fro: whoever has arrived walks back to where they came from.
static void turn_back(struct simulation *s, struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++)
    if (s->gone[i])
      scenario_turn_back(s->scenario, a, i);
}

static void say_farewell(struct simulation *s, const struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++)
    if (s->gone[i]) {
      s->farewells += agents_farewell(a->id[i], s->step);
      measuring_leave(&s->measuring, a, i, s->step);
      s->arrived_here++;
    }
}

void simulation_advance(struct simulation *s, struct agents *a)
{
  const struct scenario *scenario = s->scenario;
  reserve_gone(s, a);
  const int64_t there = navigation_arrived(&scenario->world, scenario->goal_radius, a, s->gone);
  if (s->journeys.wanted)
    journeys_advance(&s->journeys, scenario, s->comm, s->step, a, s->gone);
  if (scenario->turn_back && there > 0)
    turn_back(s, a);
  if (scenario->leave_at_goal && (there > 0 || s->journeys.wanted))
    say_farewell(s, a);
}

static void arrive(struct simulation *s)
{
  s->arrived_here = 0;
  if (s->scenario->leave_at_goal || s->scenario->turn_back || s->journeys.wanted)
    TIMED(s, PHASE_DEMAND, s->parts->go_on_or_leave(s));
}

static void hand_over(struct simulation *s)
{
  TIMED(s, PHASE_MIGRATE, s->parts->change_ranks(s));
  s->migrants_waited += s->migrate.exchange.waited;
}

static void welcome(struct simulation *s)
{
  TIMED(s, PHASE_DEMAND, s->parts->come_in(s));
}

static void measure(struct simulation *s)
{
  TIMED(s, PHASE_MEASURE, s->parts->measure(s));
}

// Everybody who was made is inside or has arrived; all ranks know the sums of the step.
static void sum_up(struct simulation *s)
{
  int64_t v[11 + AUDIT_KINDS] = {s->agents.count,
                                 s->arrived_here,
                                 s->seen.overlaps_seen,
                                 s->seen.full_neighbourhoods,
                                 s->seen.infeasible,
                                 s->seen.wall_stops,
                                 s->kept_here,
                                 s->halo.sent,
                                 s->seen.relaxed,
                                 s->asked,
                                 neighbours_worn(&s->crowd)};
  memcpy(v + 11, s->measuring.audit.count, AUDIT_KINDS * sizeof *v);
  comm_sum(s->comm, v, sizeof v / sizeof *v);
  s->last = (struct step_totals){v[0], v[1], s->come, v[2] / 2, v[3], v[4], v[5], v[6], v[7], v[8]};
  s->all.agents += s->come;
  s->all.come += s->come;
  s->all.arrived += v[1];
  s->all.overlaps += v[2] / 2;
  s->all.full_neighbourhoods += v[3];
  s->all.infeasible += v[4];
  s->all.wall_stops += v[5];
  s->all.kept_inside += v[6];
  s->all.ghosts += v[7];
  s->all.relaxed += v[8];
  if (s->last.arrived)
    s->measuring.last_arrival = s->step;
  s->told = v[9];
  s->order_worn = v[10] > 0;
  measuring_judge(&s->measuring, v + 11);
  if (s->last.agents + s->all.arrived != s->all.agents)
    fail(EXIT_OUR_FAULT, "step %lld: %lld agents were made, %lld are inside and %lld have arrived",
         (long long)s->step, (long long)s->all.agents, (long long)s->last.agents,
         (long long)s->all.arrived);
}

static void account(struct simulation *s)
{
  TIMED(s, PHASE_ACCOUNT, sum_up(s));
}

static void fetch(void *simulation, bool people)
{
  if (people)
    simulation_come_home(simulation);
  else
    resident_seen(simulation);
}

static struct balancing_input balanced(struct simulation *s)
{
  struct balancing_input in = {.comm = s->comm,
                               .agents = &s->agents,
                               .crowd = &s->crowd,
                               .partition = &s->partition,
                               .halo = &s->halo,
                               .migrate = &s->migrate,
                               .context = s};
  if (s->residence) {
    in.parcels = &s->parcels;
    in.fetch = fetch;
  }
  return in;
}

static void balance(struct simulation *s)
{
  const struct balancing_input in = balanced(s);
  const int64_t times = s->balancing.times;
  TIMED(s, PHASE_BALANCE, balancing_step(&s->balancing, s->step, &in));
  s->there = s->there && s->balancing.times == times;
}

void simulation_step(struct simulation *s)
{
  s->seen = (struct choose_counts){.deepest_overlap = 0};
  change(s);       // events, doors, travel times
  begin(s);        // the people are where they belong
  keep_order(s);   // neighbours in the plane stand side by side in memory
  see_begin(s);    // show border agents to the other ranks
  wish(s);         // needs no neighbour: hides the messages
  know_own(s);     // and so does this,
  avoid_inside(s); // and the choice of all who see no ghost
  see_end(s);      // ghosts stand behind our own
  make_room(s);    // for those who are due
  avoid(s);        // permitted velocity nearest the wish, of groups: together
  move(s);         // on the integer grid
  arrive(s);       // who is there stays, queues, goes on or leaves
  s->step++;
  hand_over(s); // who has crossed a border gets a new owner
  welcome(s);   // newcomers
  measure(s);   // who stands where now
  account(s);
  balance(s); // boxes follow the crowd
}

// As far as anybody looks, touches or walks in one step, in quanta.
static int32_t halo_width(struct simulation *s)
{
  const struct scenario *scenario = s->scenario;
  int64_t most[2] = {0, 0}; // radius in um, speed in um/s: rounded up
  for (int64_t i = 0; i < s->agents.count; i++) {
    const int64_t radius = (int64_t)ceilf(s->agents.radius[i] * 1e6f);
    const int64_t speed = (int64_t)ceilf(s->agents.max_speed[i] * 1e6f);
    most[0] = radius > most[0] ? radius : most[0];
    most[1] = speed > most[1] ? speed : most[1];
  }
  if (demand_inlet_count(scenario_demand(scenario)) > 0) {
    double radius, fastest;
    demand_extremes(scenario_demand(scenario), &radius, &fastest);
    most[0] = most[0] > ceil(radius * 1e6) ? most[0] : (int64_t)ceil(radius * 1e6);
    most[1] = most[1] > ceil(fastest * 1e6) ? most[1] : (int64_t)ceil(fastest * 1e6);
  }
  comm_max(s->comm, most, 2);
  s->radius_most = 1e-6 * (double)most[0];
  const double sight = fmax(scenario->pace.range, scenario->has_groups ? GROUP_RANGE : 0);
  const double metres = fmax(fmax(scenario->avoidance.neighbour_distance, sight),
                             fmax(2e-6 * (double)most[0], 1e-6 * (double)most[1] * scenario->dt));
  return frame_length(&scenario->world.frame, metres * 1.0001) + 2;
}

static void check_state(const struct simulation *s)
{
  char message[200];
  if (!agents_check(&s->agents, s->scenario->world.bounds, message, sizeof message))
    fail(EXIT_BAD_INPUT, "step %lld: %s", (long long)s->step, message);
}

// This rank's share of the people, wherever they stand.
static void gather_people(struct simulation *s, struct agents *from)
{
  const int64_t n = s->scenario->agent_count, r = s->comm->rank, p = s->comm->size;
  const int64_t first = n / p * r + n % p * r / p, end = n / p * (r + 1) + n % p * (r + 1) / p;
  if (from) {
    s->agents = *from;
    *from = (struct agents){0};
    return;
  }
  agents_create(&s->agents, end - first);
  scenario_agents(s->scenario, first, end, &s->agents);
}

void simulation_create(struct simulation *s, struct scenario *scenario, const struct comm *comm,
                       const struct backend *backend, struct agents *from)
{
  *s = (struct simulation){.scenario = scenario, .comm = comm, .backend = backend};
  s->all.agents = s->last.agents = scenario->agent_count;
  newcomers_create(&s->newcomers, scenario);
  journeys_create(&s->journeys, scenario);
  changes_create(&s->changes, scenario);
  gather_people(s, from);
  check_state(s);
  resident_create(s);
  const int32_t width = halo_width(s);
  const struct balancing_input in = balanced(s);
  balancing_create(&s->balancing, &scenario->balance, width, &in);
  measuring_create(&s->measuring, scenario, comm);
}

void simulation_destroy(struct simulation *s)
{
  newcomers_destroy(&s->newcomers);
  journeys_destroy(&s->journeys);
  changes_destroy(&s->changes);
  halo_destroy(&s->halo);
  migrate_destroy(&s->migrate);
  measuring_destroy(&s->measuring);
  partition_destroy(&s->partition);
  neighbours_destroy(&s->crowd);
  groups_destroy(&s->groups);
  agents_destroy(&s->agents);
  memory_destroy(s->gone);
  resident_destroy(s);
}

bool simulation_is_over(const struct simulation *s)
{
  return s->step >= s->scenario->steps ||
         (s->last.agents == 0 && !newcomers_expected(&s->newcomers, s->scenario) &&
          !changes_expected(&s->changes, s->scenario));
}

double simulation_time(const struct simulation *s)
{
  return (double)s->step * s->scenario->dt;
}
