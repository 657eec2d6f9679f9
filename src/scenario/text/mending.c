#include "mending.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mending {
  struct text out;
  const char *copied; // up to here the text is in `out`
  double gap;         // between the ends of a ring, at most
  int64_t closed;     // rings
};

enum list_kind { LIST_OTHER, LIST_LINE, LIST_RING };

struct position_list {
  enum list_kind kind;
  int64_t count;
  struct json_span first, last; // positions, with the brackets of JSON
};

static void copy_until(struct mending *m, const char *end)
{
  text_add_bytes(&m->out, m->copied, (size_t)(end - m->copied));
  m->copied = end;
}

static void position_add(struct mending *m, struct json_span position)
{
  text_add_bytes(&m->out, position.begin, (size_t)(position.end - position.begin));
}

// The first two numbers of a position. False: it has not got them.
static bool position_read(struct json_span s, double xy[2])
{
  const char *at = s.begin;
  for (int k = 0; k < 2; k++) {
    char *end;
    at += strspn(at, "[, \t\r\n");
    xy[k] = at < s.end ? strtod(at, &end) : NAN;
    if (!(at < s.end) || end == at || end > s.end)
      return false;
    at = end;
  }
  return true;
}

static bool is_nearly_closed(const struct mending *m, const struct position_list *list)
{
  double a[2], b[2];
  if (list->count < 4 || !position_read(list->first, a) || !position_read(list->last, b))
    return false;
  const double gap = fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
  return gap > 0 && gap <= m->gap;
}

static void list_mend(struct mending *m, const struct position_list *list)
{
  if (list->kind == LIST_LINE && list->count == 1) {
    copy_until(m, list->last.end);
    text_add(&m->out, ", ");
    position_add(m, list->first);
  } else if (list->kind == LIST_RING && is_nearly_closed(m, list)) {
    copy_until(m, list->last.begin);
    position_add(m, list->first);
    m->copied = list->last.end;
    m->closed++;
  }
}

static void position_found(struct position_list *list, struct json_span position)
{
  list->first = list->count++ ? list->first : position;
  list->last = position;
}

// The rest of the text, if anything was changed.
static char *mending_end(struct mending *m, const char *text, int64_t *closed)
{
  *closed += m->closed;
  if (m->copied == text)
    return NULL;
  copy_until(m, text + strlen(text));
  return m->out.bytes;
}

// --------------------------------------------------------------------------------- GeoJSON

// depth: of the lists around the positions.
static void json_lists_mend(struct mending *m, struct json_span array, int depth,
                            enum list_kind kind)
{
  struct json j = {array.begin, array.begin, array.end, NULL};
  struct position_list list = {.kind = kind};
  struct json_span member;
  if (!array.begin || !json_enter(&j, '['))
    return;
  while (json_element(&j, &member))
    if (depth > 1)
      json_lists_mend(m, member, depth - 1, kind);
    else
      position_found(&list, member);
  list_mend(m, &list);
}

static void json_shape_mend(struct mending *m, struct json_span shape)
{
  char type[40];
  const struct json_span at = json_find(shape, "coordinates"),
                         list = json_find(shape, "geometries");
  struct json j = {list.begin, list.begin, list.end, NULL};
  struct json_span member;
  json_text(json_find(shape, "type"), type, sizeof type);
  const bool multi = strncmp(type, "Multi", 5) == 0;
  if (strstr(type, "Polygon"))
    json_lists_mend(m, at, 2 + multi, LIST_RING);
  else if (strstr(type, "LineString"))
    json_lists_mend(m, at, 1 + multi, LIST_LINE);
  else if (list.begin && json_enter(&j, '['))
    while (json_element(&j, &member))
      json_shape_mend(m, member);
}

char *geojson_mend(const char *shape, double gap, int64_t *closed)
{
  struct mending m = {.copied = shape, .gap = gap};
  json_shape_mend(&m, (struct json_span){shape, shape + strlen(shape)});
  return mending_end(&m, shape, closed);
}

// ------------------------------------------------------------------------------------- WKT

// "POLYGON", "MULTILINESTRING"; "Z" and the like say nothing.
static enum list_kind word_kind(const char *word, size_t length, enum list_kind before)
{
  char text[40];
  snprintf(text, sizeof text, "%.*s", (int)length, word);
  return length <= 2                      ? before
         : strcasestr(text, "POLYGON")    ? LIST_RING
         : strcasestr(text, "LINESTRING") ? LIST_LINE
                                          : LIST_OTHER;
}

// The positions between begin, behind a parenthesis, and end, the parenthesis that closes it.
static void wkt_list_mend(struct mending *m, const char *begin, const char *end,
                          enum list_kind kind)
{
  struct position_list list = {.kind = kind};
  for (const char *at = begin; at < end;) {
    const char *comma = memchr(at, ',', (size_t)(end - at)), *next = comma ? comma : end;
    position_found(&list, (struct json_span){at, next});
    at = comma ? comma + 1 : end;
  }
  list_mend(m, &list);
}

char *wkt_mend(const char *shape, double gap, int64_t *closed)
{
  struct mending m = {.copied = shape, .gap = gap};
  enum list_kind kind = LIST_OTHER;
  const char *open = NULL; // behind the last parenthesis, if it holds no other one
  for (const char *c = shape; *c;) {
    size_t letters = 0;
    while (isalpha((unsigned char)c[letters]))
      letters++;
    if (letters && !open)
      kind = word_kind(c, letters, kind);
    if (*c == ')' && open)
      wkt_list_mend(&m, open, c, kind);
    open = *c == '(' ? c + 1 : *c == ')' ? NULL : open;
    c += letters ? letters : 1;
  }
  return mending_end(&m, shape, closed);
}
