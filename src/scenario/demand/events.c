#include "events.h"

#include "demand_input.h"
#include "utf8.h"
#include <stdlib.h>
#include <string.h>

struct lookup { // what the functions below need
  struct event *event;
  const struct event_config *config;
  const struct demand_input *in;
  struct diagnostics *diagnostics;
};

static void action_add(const struct lookup *l, struct action action)
{
  l->event->actions[l->event->action_count++] = action;
}

static int door_find(const struct config *c, const char *name)
{
  return name_table_find(&c->names.doors, name);
}

// "exits" or "exits.1": index of the destination, and in *area of its area, or -1 for all of them.
// Returns -1 if there is no such destination or area.
static int exit_find(const struct config *c, const char *name, int32_t *area)
{
  const char *dot = strrchr(name, '.');
  char *end;
  const int whole = name_table_find(&c->names.destinations, name);
  *area = -1;
  if (!dot || dot[1] < '0' || dot[1] > '9')
    return whole;
  char *before = text_copy(name, (size_t)(dot - name));
  const int exit = name_table_find(&c->names.destinations, before);
  memory_destroy(before);
  const long number = strtol(dot + 1, &end, 10);
  if (exit < 0 || *end || number >= c->destinations.records[exit].areas.count ||
      (whole >= 0 && whole < exit))
    return whole;
  *area = (int32_t)number;
  return exit;
}

static void doors_add(const struct lookup *l, const struct text_list *names, bool open)
{
  for (int i = 0; i < names->count; i++) {
    int32_t area = -1;
    const int door = door_find(l->in->config, names->texts[i]);
    const int exit = door < 0 ? exit_find(l->in->config, names->texts[i], &area) : -1;
    if (door >= 0 && l->in->world->roadmap.street_graph)
      diagnostics_error(l->diagnostics, names->at[i],
                        "%s.%s: doors do not work with navigation.graph", l->config->from.path,
                        open ? "open" : "close");
    else if (door >= 0)
      action_add(l, (struct action){ACTION_DOOR, door, -1, open, 0});
    else if (exit < 0)
      diagnostics_error(l->diagnostics, names->at[i],
                        "%s.%s: \"%.80s\" is neither a door, nor a destination, nor an area of one "
                        "(name.0)",
                        l->config->from.path, open ? "open" : "close", names->texts[i]);
    else if (!l->in->world->destination_count)
      diagnostics_error(l->diagnostics, names->at[i],
                        "%s.%s: opening and closing destinations needs navigation.model: field",
                        l->config->from.path, open ? "open" : "close");
    else
      action_add(l, (struct action){ACTION_EXIT, exit, area, open, 0});
  }
}

static void calls_add(const struct lookup *l)
{
  const struct text_list *names = &l->config->call;
  char option[60];
  snprintf(option, sizeof option, "%s.call", l->config->from.path);
  for (int i = 0; i < names->count; i++) {
    const int32_t at = config_find_destination(l->in->config, names->texts[i], names->at[i], option,
                                               l->diagnostics);
    action_add(l, (struct action){ACTION_CALL, at, -1, true, 0});
  }
}

static void rates_add(const struct lookup *l)
{
  const struct config *c = l->in->config;
  for (int i = 0; i < l->config->rate.count; i++) {
    const struct share *share = &l->config->rate.shares[i];
    const int number = name_table_find(&c->names.sources, share->name);
    const bool scalar = l->config->rate.count == 1 && strcmp(share->node->key, "rate") == 0 &&
                        share->node->text && strcmp(share->node->text, share->name) == 0;
    const struct location at = scalar ? share->node->at : share->node->key_at;
    if (number < 0 || scalar)
      diagnostics_error(l->diagnostics, at,
                        "%s.rate: {source: factor} is expected, \"%.80s\" is not a source",
                        l->config->from.path, share->name);
    else if (!c->sources.records[number].rate.given && !c->sources.records[number].end.given)
      diagnostics_error(l->diagnostics, at, "%s.rate: \"%.80s\" has no rate to change",
                        l->config->from.path, share->name);
    action_add(l, (struct action){ACTION_RATE, number, -1, true, share->weight});
  }
}

// m^2; the walls of a region run counter-clockwise around it.
static double region_area(const struct region *r, const struct world *w)
{
  const double quantum = (double)frame_quantum(&w->frame);
  double twice = 0;
  for (int64_t i = 0; i < r->inside.count; i++) {
    const struct wall *wall = &r->inside.walls[i];
    twice += (double)wall->a.x * wall->b.y - (double)wall->b.x * wall->a.y;
  }
  return 0.5 * twice * quantum * quantum;
}

static void condition_create(const struct lookup *l)
{
  const struct event_config *c = l->config;
  const int conditions = c->count_above.given + c->count_below.given + c->density_above.given;
  l->event->timed = c->at.given;
  l->event->at = c->at.value;
  if (c->at.given ? conditions > 0 || c->area.kind != AREA_NONE
                  : conditions != 1 || c->area.kind == AREA_NONE) {
    diagnostics_error(l->diagnostics, origin_location(l->in->config, &c->from, NULL),
                      "%s: at is expected, or an area and one of count_above, count_below and "
                      "density_above",
                      c->from.path);
    return;
  }
  if (c->at.given && c->at.value >= l->in->config->time.end)
    diagnostics_warning(l->diagnostics, origin_location(l->in->config, &c->from, "at"),
                        "%s.at: %.10g s is not before time.end, %.10g s: the event never happens",
                        c->from.path, c->at.value, l->in->config->time.end);
  if (c->at.given || !region_create(&l->event->region, l->in, &c->area, 1, l->diagnostics))
    return;
  l->event->above = !c->count_below.given;
  l->event->below = c->count_below.given;
  l->event->count_below = c->count_below.value;
  l->event->count_above =
      c->density_above.given ? c->density_above.value * region_area(&l->event->region, l->in->world)
                             : c->count_above.value;
}

void events_create(struct events *e, const struct demand_input *in, struct diagnostics *p)
{
  const struct event_list *list = &in->config->events;
  e->events = memory_create((size_t)list->count, sizeof *e->events);
  for (; e->count < list->count; e->count++) {
    const struct event_config *c = &list->records[e->count];
    struct event *event = &e->events[e->count];
    const struct lookup l = {event, c, in, p};
    const int actions = c->open.count + c->close.count + c->call.count + c->rate.count;
    event->name = c->name;
    event->actions = memory_create((size_t)actions, sizeof *event->actions);
    condition_create(&l);
    doors_add(&l, &c->open, true);
    doors_add(&l, &c->close, false);
    calls_add(&l);
    rates_add(&l);
    if (actions == 0)
      diagnostics_error(p, origin_location(in->config, &c->from, NULL),
                        "%s: one of open, close, call and rate is expected", c->from.path);
  }
}

bool events_open_routes(const struct events *e)
{
  for (int i = 0; i < e->count; i++)
    for (int k = 0; k < e->events[i].action_count; k++)
      if (e->events[i].actions[k].kind <= ACTION_EXIT && e->events[i].actions[k].open)
        return true;
  return false;
}

void events_destroy(struct events *e)
{
  for (int i = 0; i < e->count; i++) {
    region_destroy(&e->events[i].region);
    memory_destroy(e->events[i].actions);
  }
  memory_destroy(e->events);
  *e = (struct events){0};
}

// --------------------------------------------------------------------------- throng check

static void action_describe(const struct config *c, const struct action *a, FILE *out)
{
  const char *verb = a->open ? "opens" : "closes";
  switch (a->kind) {
  case ACTION_DOOR:
    fprintf(out, "%s the door %s", verb, printable(c->doors.records[a->what].name).text);
    return;
  case ACTION_EXIT:
    fprintf(out, "%s \"%s\"", verb, printable(c->destinations.records[a->what].name).text);
    if (a->area >= 0)
      fprintf(out, ", area %d", a->area);
    return;
  case ACTION_CALL:
    fprintf(out, "calls the agents at \"%s\"",
            printable(c->destinations.records[a->what].name).text);
    return;
  case ACTION_RATE:
    fprintf(out, "multiplies the rate of %s by %.4g",
            printable(c->sources.records[a->what].name).text, a->factor);
    return;
  }
}

static void event_describe(const struct config *c, const struct event *e, FILE *out)
{
  fprintf(out, "  %-16s ", printable(e->name).text);
  if (e->timed)
    fprintf(out, "at %.6g s ", e->at);
  else
    fprintf(out, "as soon as %s %.6g agents are in its area ",
            e->above ? "more than" : "fewer than", e->above ? e->count_above : e->count_below);
  for (int32_t k = 0; k < e->action_count; k++) {
    fputs(k ? ", " : "", out);
    action_describe(c, &e->actions[k], out);
  }
  fputc('\n', out);
}

void events_describe(const struct events *e, const struct config *c, FILE *out)
{
  for (int i = 0; i < c->doors.count; i++)
    fprintf(out, "%s%s%s%s", i ? ", " : "doors         ", printable(c->doors.records[i].name).text,
            c->doors.records[i].closed ? " (closed)" : "", i + 1 < c->doors.count ? "" : "\n");
  if (e->count)
    fprintf(out, "events        %d\n", e->count);
  for (int32_t i = 0; i < e->count; i++)
    event_describe(c, &e->events[i], out);
}
