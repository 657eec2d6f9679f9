#include "build_selection.h"

#include <string.h>

static uint32_t field_bit(const struct config *c, int i, struct diagnostics *p)
{
  const struct text_list *list = &c->output.fields;
  for (int f = 0; f < SELECT_FIELDS; f++)
    if (strcmp(list->texts[i], selection_names[f]) == 0)
      return 1u << f;
  diagnostics_error(
      p, origin_location(c, &c->from, "output.fields"),
      "output.fields: \"%s\" is not a field (id, velocity, speed, radius, destination)",
      list->texts[i]);
  return 0;
}

struct selection build_selection(const struct config *c, const struct frame *frame,
                                 struct diagnostics *p)
{
  const struct numbers *given = &c->output.region;
  const double *region = given->values;
  struct selection s = selection_all;
  s.stride = (int64_t)c->output.stride;
  if (c->output.fields.count)
    s.fields = 0;
  for (int i = 0; i < c->output.fields.count; i++)
    s.fields |= field_bit(c, i, p);
  if (!given->given)
    return s;
  if (!(region[0] < region[2] && region[1] < region[3]))
    diagnostics_error(p, origin_location(c, &c->from, "output.region"),
                      "output.region: x0 < x1 and y0 < y1 are expected in [x0, y0, x1, y1]");
  else if (!frame_holds(frame, region[0], region[1]) || !frame_holds(frame, region[2], region[3]))
    diagnostics_error(p, origin_location(c, &c->from, "output.region"),
                      "output.region: the region extends beyond the world");
  else
    s.region = (struct box){frame_point(frame, region[0], region[1]),
                            frame_point(frame, region[2], region[3])};
  return s;
}
