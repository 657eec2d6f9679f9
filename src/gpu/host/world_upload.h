// The world in device memory. A new member of a struct below needs a line in its list: deep_copy.h.
#pragma once
#include "deep_copy.h"
#include "obstacles_inside_kernel.h"
#include "zones.h"

struct world_upload {
  struct device_state *state;
  const struct world *host;
  struct world *device; // address of the copy, not to be followed by the host
};

// ----------------------------------------------------------------------------------- obstacles

INLINE int64_t padded_nodes(const struct box_tree_level *l) // kernels read whole vectors
{
  return l->count ? l->count + BOX_TREE_WIDTH : 0;
}

#define MEMBERS_box_tree_level(X)                                                                  \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, lo_x, padded_nodes(host))                                                               \
  X(ARRAY, lo_y, padded_nodes(host))                                                               \
  X(ARRAY, hi_x, padded_nodes(host))                                                               \
  X(ARRAY, hi_y, padded_nodes(host))                                                               \
  X(ARRAY, radius, padded_nodes(host))
DEEP_COPY(box_tree_level, struct world_upload);

#define MEMBERS_box_tree(X)                                                                        \
  X(PLAIN, count)                                                                                  \
  X(PLAIN, level_count)                                                                            \
  X(EACH, level, box_tree_level, host->level_count)                                                \
  X(PLAIN, capacity)
DEEP_COPY(box_tree, struct world_upload);

#define MEMBERS_row_index(X)                                                                       \
  X(PLAIN, low)                                                                                    \
  X(PLAIN, height)                                                                                 \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, passing_start, host->count + 1)                                                         \
  X(ARRAY, passing, host->passing_start[host->count])                                              \
  X(ARRAY, ending_start, host->count + 1)                                                          \
  X(ARRAY, ending, host->ending_start[host->count])
DEEP_COPY(row_index, struct world_upload);
DEEP_COPY_ARRAY(row_index, struct world_upload);

#define MEMBERS_ground_raster(X)                                                                   \
  X(PLAIN, lo)                                                                                     \
  X(PLAIN, shift)                                                                                  \
  X(PLAIN, columns)                                                                                \
  X(PLAIN, rows)                                                                                   \
  X(PLAIN, square_columns)                                                                         \
  X(PLAIN, square_rows)                                                                            \
  X(ARRAY, squares, (int64_t)host->square_columns * host->square_rows)                             \
  X(PLAIN, kind_count)                                                                             \
  X(ARRAY, kinds, host->kind_count)
DEEP_COPY(ground_raster, struct world_upload);
DEEP_COPY_ARRAY(ground_raster, struct world_upload);

#define MEMBERS_obstacles(X)                                                                       \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, walls, host->count)                                                                     \
  X(PLAIN, outside_solid)                                                                          \
  X(STRUCT, tree, box_tree)                                                                        \
  X(ARRAY, order, host->count)                                                                     \
  X(STRUCT, boxes, box_tree_level)                                                                 \
  X(STRUCTS, rows, row_index, host->count ? 1 : 0)                                                 \
  X(STRUCTS, raster, ground_raster, host->count ? 1 : 0)
DEEP_COPY(obstacles, struct world_upload);

// --------------------------------------------------------------------------------------- zones

#define MEMBERS_zone(X) X(STRUCT, area, obstacles) X(PLAIN, box) X(PLAIN, speed)
DEEP_COPY(zone, struct world_upload);
DEEP_COPY_ARRAY(zone, struct world_upload);

#define MEMBERS_zones(X)                                                                           \
  X(PLAIN, count)                                                                                  \
  X(STRUCTS, list, zone, host->count)                                                              \
  X(PLAIN, box)                                                                                    \
  X(ARRAY, raster, host->count ? ZONES_RASTER *ZONES_RASTER : 0)
DEEP_COPY(zones, struct world_upload);

// -------------------------------------------------------------------------------------- fields

#define MEMBERS_nav_grid(X)                                                                        \
  X(LINK, obstacles, &u->device->obstacles)                                                        \
  X(PLAIN, origin)                                                                                 \
  X(PLAIN, cell)                                                                                   \
  X(PLAIN, columns)                                                                                \
  X(PLAIN, rows)                                                                                   \
  X(PLAIN, square_columns)                                                                         \
  X(PLAIN, square_rows)                                                                            \
  X(PLAIN, per_cell)                                                                               \
  X(ARRAY, bits, nav_grid_cell_count(host))                                                        \
  X(HOST, upwind)                                                                                  \
  X(HOST, cost)                                                                                    \
  X(HOST, blocked_directions)                                                                      \
  X(ARRAY, gap, host->gap ? nav_grid_cell_count(host) : 0)                                         \
  X(PLAIN, far)                                                                                    \
  X(PLAIN, narrow_count)                                                                           \
  X(ARRAY, narrow, host->narrow_count)                                                             \
  X(PLAIN, lost_passages)                                                                          \
  X(PLAIN, lost_at)
DEEP_COPY(nav_grid, struct world_upload);

#define MEMBERS_field(X)                                                                           \
  X(LINK, nav_grid, &u->device->nav_grid)                                                          \
  X(ARRAY, cells, nav_grid_cell_count(host->nav_grid))                                             \
  X(ARRAY, time, nav_grid_cell_count(host->nav_grid))                                              \
  X(ARRAY, reached, nav_grid_square_count(host->nav_grid))                                         \
  X(HOST, known)                                                                                   \
  X(HOST, routes)                                                                                  \
  X(HOST, visits)                                                                                  \
  X(ARRAY, destination_box, 1)                                                                     \
  X(PLAIN, version)                                                                                \
  X(HOST, owned_memory)
DEEP_COPY(field, struct world_upload);

// The host keeps the array too: upload_changed_fields follows its pointers into device memory.
static struct field *deep_copy_field_array(const struct world_upload *u, const struct field *host,
                                           int64_t count)
{
  struct device_state *state = u->state;
  memory_destroy(state->fields);
  state->fields = count ? (struct field *)memory_create((size_t)count, sizeof *host) : NULL;
  for (int64_t f = 0; f < count; f++)
    deep_copy_field(u, &host[f], &state->fields[f]);
  return count ? UPLOAD_ELEMENTS(u, state->fields, count) : NULL;
}

#define REFRESH_MEMBER(kind, ...) REFRESH_##kind(__VA_ARGS__)
#define REFRESH_LINK(...)
#define REFRESH_HOST(...)
#define REFRESH_PLAIN(member) copy->member = host->member; // kernels do not read it
#define REFRESH_ARRAY(member, count)                                                               \
  device_upload(d, copy->member, host->member, (size_t)(count) * sizeof *host->member);

static void refresh_field(struct device *d, const struct field *host,
                          struct field *copy){MEMBERS_field(REFRESH_MEMBER)}

// ------------------------------------------------------------------------------------- roadmap

#define MEMBERS_waypoints(X)                                                                       \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, segments, host->count)                                                                  \
  X(ARRAY, order, host->count)                                                                     \
  X(STRUCT, tree, box_tree)
DEEP_COPY(waypoints, struct world_upload);

#define MEMBERS_destination(X) X(STRUCT, area, obstacles) X(PLAIN, box) X(STRUCT, edges, waypoints)
DEEP_COPY(destination, struct world_upload);
DEEP_COPY_ARRAY(destination, struct world_upload);

#define MEMBERS_cost_to_go(X)                                                                      \
  X(ARRAY, of, u->host->roadmap.node_count)                                                        \
  X(ARRAYS, least, u->host->roadmap.waypoints.tree.level_count,                                    \
    u->host->roadmap.waypoints.tree.level[k].count)                                                \
  X(ARRAY, tangent_wedges, u->host->roadmap.node_count)
DEEP_COPY(cost_to_go, struct world_upload);

#define MEMBERS_shortest_path_tree(X)                                                              \
  X(STRUCT, cost_to_go, cost_to_go)                                                                \
  X(ARRAY, next, u->host->roadmap.node_count)                                                      \
  X(ARRAY, passages, host->passages ? u->host->roadmap.node_count : 0)
DEEP_COPY(shortest_path_tree, struct world_upload);
DEEP_COPY_ARRAY(shortest_path_tree, struct world_upload);

#define MEMBERS_inflated(X) X(STRUCT, walls, obstacles) X(ARRAY, after, host->walls.count)
DEEP_COPY(inflated, struct world_upload);

#define MEMBERS_roadmap(X)                                                                         \
  X(LINK, walls, &u->device->obstacles)                                                            \
  X(PLAIN, street_graph)                                                                           \
  X(STRUCT, inflated, inflated)                                                                    \
  X(PLAIN, clearance)                                                                              \
  X(PLAIN, node_count)                                                                             \
  X(ARRAY, nodes, host->node_count)                                                                \
  X(HOST, corners)                                                                                 \
  X(HOST, first)                                                                                   \
  X(HOST, to)                                                                                      \
  X(HOST, length)                                                                                  \
  X(STRUCT, waypoints, waypoints)                                                                  \
  X(PLAIN, destination_count)                                                                      \
  X(STRUCTS, destinations, destination, host->destination_count)                                   \
  X(HOST, last_edges)                                                                              \
  X(STRUCTS, trees, shortest_path_tree, host->destination_count)                                   \
  X(PLAIN, passage_margin)                                                                         \
  X(PLAIN, passage_most)
DEEP_COPY(roadmap, struct world_upload);

// --------------------------------------------------------------------------------------- world

#define MEMBERS_frame(X) X(PLAIN, origin_x) X(PLAIN, origin_y) X(PLAIN, exponent)
DEEP_COPY(frame, struct world_upload);

#define MEMBERS_arrival_area(X) X(STRUCT, outlines, obstacles) X(PLAIN, box)
DEEP_COPY(arrival_area, struct world_upload);
DEEP_COPY_ARRAY(arrival_area, struct world_upload);

#define MEMBERS_world(X)                                                                           \
  X(PLAIN, version)                                                                                \
  X(STRUCT, frame, frame)                                                                          \
  X(PLAIN, bounds)                                                                                 \
  X(STRUCT, obstacles, obstacles)                                                                  \
  X(PLAIN, navigation)                                                                             \
  X(STRUCT, nav_grid, nav_grid)                                                                    \
  X(PLAIN, destination_count)                                                                      \
  X(PLAIN, route_count)                                                                            \
  X(STRUCTS, fields, field, host->destination_count * host->route_count)                           \
  X(PLAIN, spare_count)                                                                            \
  X(HOST, spare_fields)                                                                            \
  X(HOST, node_group)                                                                              \
  X(HOST, fields_memory)                                                                           \
  X(STRUCT, roadmap, roadmap)                                                                      \
  X(PLAIN, arrival_count)                                                                          \
  X(STRUCTS, arrival_areas, arrival_area, host->arrival_count)                                     \
  X(PLAIN, arrival_reach)                                                                          \
  X(PLAIN, meeting_reach)                                                                          \
  X(STRUCT, zones, zones)                                                                          \
  X(PLAIN, facings)
DEEP_COPY(world, struct world_upload);

#define MEMBERS_density_speed(X)                                                                   \
  X(PLAIN, range)                                                                                  \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, ahead, host->count)                                                                     \
  X(ARRAY, half, host->count)                                                                      \
  X(ARRAY, share, (host->count * DENSITY_SPEED_ENTRIES))
DEEP_COPY(density_speed, struct world_upload);

#define MEMBERS_headway_options(X)                                                                 \
  X(PLAIN, on)                                                                                     \
  X(PLAIN, spreads)                                                                                \
  X(PLAIN, look_period)                                                                            \
  X(PLAIN, choice_period)                                                                          \
  X(PLAIN, count)                                                                                  \
  X(ARRAY, length, host->count)                                                                    \
  X(ARRAY, rate, host->count)                                                                      \
  X(ARRAY, anticipation, host->count)                                                              \
  X(ARRAY, sight, host->count)                                                                     \
  X(ARRAY, side, host->count)                                                                      \
  X(ARRAY, spread, host->count)                                                                    \
  X(ARRAY, queue, host->count)                                                                     \
  X(ARRAY, shoulders, host->count)                                                                 \
  X(ARRAY, steps_aside, host->count)
DEEP_COPY(headway_options, struct world_upload);

static struct world_upload world_upload_begin(struct device_state *state, const struct world *host)
{
  struct world_upload u = {state, host, NULL};
  u.device = (struct world *)buffer(state, WORLD, sizeof state->world);
  return u;
}

// What avoidance reads of the world; the rest is zero, so that no host pointer is left.
static void upload_walls(struct device_state *state, const struct world *host)
{
  const struct world_upload u = world_upload_begin(state, host);
  struct world *copy = &state->world;
  memset(copy, 0, sizeof *copy);
  copy->frame = host->frame;
  copy->bounds = host->bounds;
  deep_copy_obstacles(&u, &host->obstacles, &copy->obstacles);
}

static void upload_whole_world(struct device_state *state, const struct world *host)
{
  const struct world_upload u = world_upload_begin(state, host);
  deep_copy_world(&u, host, &state->world);
}

// Waits, because the host solves the next ones in place.
static void upload_changed_fields(struct device_state *state, const struct world *host)
{
  const int32_t count = host->destination_count * host->route_count;
  bool changed = false;
  for (int32_t f = 0; f < count; f++) {
    if (state->fields[f].version == host->fields[f].version)
      continue;
    refresh_field(&state->device, &host->fields[f], &state->fields[f]);
    changed = true;
  }
  if (changed)
    device_wait(&state->device);
}

static void upload_headway(struct device_state *state, const struct headway_options *host)
{
  const struct world_upload u = {state, NULL, NULL};
  memset(&state->headway, 0, sizeof state->headway);
  if (host && host->on)
    deep_copy_headway_options(&u, host, &state->headway);
}

static void upload_density_speed(struct device_state *state, const struct density_speed *host)
{
  const struct world_upload u = {state, NULL, NULL};
  memset(&state->density_speed, 0, sizeof state->density_speed);
  if (host && host->range > 0)
    deep_copy_density_speed(&u, host, &state->density_speed);
}
