#include "build_selection.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

struct input {
  const struct config *config;
  const char *prefix; // of the options: "output."
  const struct selection_config *given;
  struct diagnostics *diagnostics;
};

__attribute__((format(printf, 3, 4))) static void
input_error(const struct input *in, const char *option, const char *format, ...)
{
  char path[80], text[200];
  va_list arguments;
  snprintf(path, sizeof path, "%s%s", in->prefix, option);
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diagnostics_error(in->diagnostics, origin_location(in->config, &in->config->from, path), "%s: %s",
                    path, text);
}

static uint32_t field_bit(const struct input *in, const char *name)
{
  for (int f = 0; f < SELECT_FIELDS; f++)
    if (strcmp(name, selection_names[f]) == 0)
      return 1u << f;
  input_error(in, "fields", "\"%.60s\" is not a field (id, velocity, speed, radius, destination)",
              name);
  return 0;
}

static struct box region_box(const struct input *in, const struct frame *frame)
{
  const double *region = in->given->region.values;
  if (!(region[0] < region[2] && region[1] < region[3]))
    input_error(in, "region", "x0 < x1 and y0 < y1 are expected in [x0, y0, x1, y1]");
  else if (!frame_holds(frame, region[0], region[1]) || !frame_holds(frame, region[2], region[3]))
    input_error(in, "region", "the region extends beyond the world");
  else
    return (struct box){frame_point(frame, region[0], region[1]),
                        frame_point(frame, region[2], region[3])};
  return selection_all.region;
}

static struct selection selection_from(const struct input *in, const struct frame *frame,
                                       uint32_t default_fields)
{
  struct selection s = selection_all;
  s.stride = (int64_t)in->given->stride;
  s.fields = in->given->fields.count ? 0 : default_fields;
  for (int i = 0; i < in->given->fields.count; i++)
    s.fields |= field_bit(in, in->given->fields.texts[i]);
  if (in->given->region.given)
    s.region = region_box(in, frame);
  return s;
}

struct selection build_selection(const struct config *c, const struct frame *frame,
                                 struct diagnostics *p)
{
  const struct input in = {c, "output.", &c->output.snapshots, p};
  return selection_from(&in, frame, selection_all.fields);
}

static void check_period(const struct config *c, struct diagnostics *p)
{
  const struct selection_config *given = &c->output.trajectory.selection;
  const double every = c->output.trajectory.every, step = c->time.step;
  const double steps = fmax(1, rint(every / step));
  if (every <= 0 && (given->fields.count || given->region.given || given->stride > 1 ||
                     c->output.trajectory.layout != TRAJECTORY_COMPACT))
    diagnostics_warning(
        p, origin_location(c, &c->from, "output.trajectory.every"),
        "output.trajectory: has no effect without output.trajectory.every, the time "
        "between two frames");
  if (every > 0 && fabs(steps * step - every) > 1e-6 * every)
    diagnostics_warning(p, origin_location(c, &c->from, "output.trajectory.every"),
                        "output.trajectory.every: %.10g s is no whole number of steps of %.10g s: "
                        "frames are %.10g s apart",
                        every, step, steps * step);
}

struct selection build_trajectory_selection(const struct config *c, const struct frame *frame,
                                            struct diagnostics *p)
{
  const struct input in = {c, "output.trajectory.", &c->output.trajectory.selection, p};
  struct selection s = selection_from(&in, frame, 0);
  s.fields |= 1u << SELECT_ID;
  if (c->output.trajectory.layout == TRAJECTORY_ARCHIVE && in.given->fields.count)
    input_error(&in, "fields",
                "the archive layout holds only ids and positions; use "
                "output.trajectory.layout: compact for more");
  check_period(c, p);
  return s;
}
