// snapshots.xdmf: the snapshots of a run as a time series, for VisIt and for ParaView before 5.12,
// which does not read VTKHDF PolyData.
#include "message.h"
#include "regular_file.h"
#include "snapshot_file.h"

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void snapshot_file_name(int64_t step, char *name, size_t size)
{
  snprintf(name, size, "snapshot-%08" PRId64 ".vtkhdf", step);
}

struct data_item {
  const char *number;
  int precision; // bytes
  int64_t rows;
  int width; // numbers per row
};

static void data_item_write(FILE *out, struct data_item item, const char *file, const char *dataset)
{
  fprintf(out, "<DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%" PRId64,
          item.number, item.precision, item.rows);
  if (item.width > 1)
    fprintf(out, " %d", item.width);
  fprintf(out, "\">%s:%s</DataItem>\n", file, dataset);
}

static void agents_grid(FILE *out, const struct snapshot_entry *e)
{
  char file[64], dataset[64];
  snapshot_file_name(e->step, file, sizeof file);
  fprintf(out,
          "<Grid Name=\"agents\" GridType=\"Uniform\">\n"
          "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%" PRId64
          "\" NodesPerElement=\"1\"/>\n<Geometry GeometryType=\"XYZ\">",
          e->agent_count);
  data_item_write(out, (struct data_item){"Float", e->f64 ? 8 : 4, e->agent_count, 3}, file,
                  "/VTKHDF/Points");
  fprintf(out, "</Geometry>\n");
  for (int i = 0; i < snapshot_column_count; i++) {
    const struct agent_column *c = &snapshot_columns[i];
    if (!(e->fields >> i & 1))
      continue;
    const bool is_integer = c->number == NUMBER_I32 || c->number == NUMBER_I64;
    snprintf(dataset, sizeof dataset, "/VTKHDF/PointData/%s", c->name);
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", c->name,
            c->width == 3 ? "Vector" : "Scalar");
    data_item_write(out,
                    (struct data_item){is_integer ? "Int" : "Float", number_size(c->number),
                                       e->agent_count, c->width},
                    file, dataset);
    fprintf(out, "</Attribute>\n");
  }
  fprintf(out, "</Grid>\n");
}

static void walls_grid(FILE *out, const char *file, const struct outlines *walls)
{
  int64_t closed = 0;
  for (int64_t l = 0; l < walls->count; l++)
    closed += walls->closed[l] != 0;
  const int64_t points = walls->start[walls->count];
  fprintf(out,
          "<Grid Name=\"walls\" GridType=\"Uniform\">\n"
          "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%" PRId64 "\">",
          walls->count);
  data_item_write(out, (struct data_item){"Int", 8, points + closed + 2 * walls->count, 1}, file,
                  "/throng/xdmf_topology");
  fprintf(out, "</Topology>\n<Geometry GeometryType=\"XYZ\">");
  data_item_write(out, (struct data_item){"Float", 8, points, 3}, file, "/VTKHDF/Points");
  fprintf(out, "</Geometry>\n</Grid>\n");
}

// The agents and walls of one snapshot. XDMF readers fail on empty grids, so those are left out.
static void time_step_grid(FILE *out, const struct snapshot_entry *e, const char *walls_file,
                           const struct outlines *walls)
{
  fprintf(out,
          "<Grid Name=\"step %" PRId64 "\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
          "<Time Value=\"%.17g\"/>\n",
          e->step, e->time);
  if (e->agent_count)
    agents_grid(out, e);
  if (walls_file && walls && walls->count)
    walls_grid(out, walls_file, walls);
  fprintf(out, "</Grid>\n");
}

static bool publish(FILE *out, const char *partial, const char *path)
{
  bool good = fflush(out) == 0;
  good = fclose(out) == 0 && good;
  return good && rename(partial, path) == 0;
}

bool snapshots_write_xdmf(const char *path, const struct snapshot_entry *entries, int64_t count,
                          const char *walls_file, const struct outlines *walls)
{
  char partial[4096];
  snprintf(partial, sizeof partial, "%s.tmp", path);
  FILE *out = regular_file_create(partial);
  if (out) {
    fprintf(out, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n<Domain>\n"
                 "<Grid Name=\"throng\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int64_t i = 0; i < count; i++)
      time_step_grid(out, &entries[i], walls_file, walls);
    fprintf(out, "</Grid>\n</Domain>\n</Xdmf>\n");
  }
  if (out && publish(out, partial, path))
    return true;
  message_print("%s: cannot be written: %s", path, strerror(errno));
  unlink(partial);
  return false;
}
