#include "crs.h"

#include "crs_table.h"
#include "utf8.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// The OGC has names of its own, which put the longitude first, as GeoJSON always does.
static const struct {
  const char *name;
  int code;
} ogc_names[] = {{"CRS84", 4326}, {"CRS83", 4269}, {"CRS27", 4267}};

// The number at the end of the first system in "urn:ogc:def:crs:EPSG::4258", "EPSG:4258",
// "http://www.opengis.net/def/crs/EPSG/0/4258" or "EPSG:25832+7837", the last of which is one of
// heights; 0: there is none.
static int code_read(const char *name)
{
  const char *epsg = strcasestr(name, "EPSG"), *begin = epsg ? epsg : strcasestr(name, "ESRI");
  const char *end = begin ? begin + strcspn(begin, ",+") : name;
  while (end > name && !isdigit((unsigned char)end[-1]))
    end--;
  while (end > name && isdigit((unsigned char)end[-1]))
    end--;
  const long code = begin && end > begin ? strtol(end, NULL, 10) : 0;
  return code > 0 && code < 1000000000 ? (int)code : 0;
}

static enum crs_kind kind_of(int code)
{
  int first = 0, last = crs_table_count; // the range is in [first, last), if there is one
  while (first + 1 < last) {
    const int middle = (first + last) / 2;
    *(crs_table[middle].first <= code ? &first : &last) = middle;
  }
  const struct crs_range *r = &crs_table[first];
  return r->first <= code && code <= r->last ? r->kind : CRS_METRES;
}

// {"type": "name", "properties": {"name": NAME}}, {"type": "EPSG", "properties": {"code": 4258}},
// or NAME alone. Free with memory_destroy.
static char *name_read(struct json_span member)
{
  if (*member.begin == '"')
    return json_decode(member);
  const struct json_span properties = json_find(member, "properties");
  const struct json_span name = json_find(properties, "name"), code = json_find(properties, "code");
  if (name.begin && *name.begin == '"')
    return json_decode(name);
  struct text t = {0};
  text_add(&t, code.begin ? "EPSG:%.*s" : "of a form that is not known",
           code.begin ? (int)(code.end - code.begin) : 0, code.begin);
  return t.bytes;
}

struct crs crs_read(struct json_span member)
{
  struct crs crs = {.kind = CRS_NOT_STATED};
  if (!member.begin || strncmp(member.begin, "null", 4) == 0)
    return crs;
  char *name = name_read(member);
  crs.code = code_read(name);
  for (size_t i = 0; i < sizeof ogc_names / sizeof *ogc_names && !crs.code; i++)
    if (strcasestr(name, ogc_names[i].name))
      crs.code = ogc_names[i].code;
  crs.kind = kind_of(crs.code);
  utf8_printable(crs.name, sizeof crs.name, name);
  if (crs.code && strcasestr(name, "EPSG"))
    snprintf(crs.name, sizeof crs.name, "EPSG:%d", crs.code);
  memory_destroy(name);
  return crs;
}

// WGS84 and what follows it: ETRS89, NAD83, SIRGAS, JGD2011, CGCS2000, GDA94, GDA2020, NZGD2000.
static bool is_close_to_wgs84(int code)
{
  static const int codes[] = {4326, 4979, 4258, 4937, 4269, 6318, 4617, 4674,
                              4612, 6668, 4490, 4283, 7844, 4167, 4171, 10690};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i] == code)
      return true;
  return false;
}

bool crs_close(const struct crs *a, const struct crs *b)
{
  return crs_equal(a, b) || (is_close_to_wgs84(a->code) && is_close_to_wgs84(b->code));
}

bool crs_equal(const struct crs *a, const struct crs *b)
{
  return a->code == b->code && (a->code || strcmp(a->name, b->name) == 0);
}
