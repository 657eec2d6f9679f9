// Walls kept from step to step are those that a search finds in every step.
#include "agent_kernel.h"
#include "fixture.h"
#include "oracle.h"
#include <criterion/criterion.h>

#define M(metres) ((int32_t)((metres)*METRE))
#define STEPS     60

static void add_square(struct fixture *s, double west, double south, double side)
{
  const int32_t w = M(west), e = M(west + side), b = M(south), t = M(south + side);
  fixture_add_line(s, 4, (const int32_t[][2]){{w, b}, {e, b}, {e, t}, {w, t}}, true);
}

// Buildings, and a row of posts with more walls than a list holds.
static void add_walls(struct fixture *s)
{
  add_square(s, -9, -9, 6);
  add_square(s, 4, -8, 3);
  add_square(s, -7, 3, 4);
  for (int k = 0; k < 16; k++)
    add_square(s, 1 + 0.6 * k, 4, 0.2);
  fixture_build_walls(s);
}

static void begin(struct fixture *s, const char *backend)
{
  fixture_create(s, backend);
  add_walls(s);
  fixture_add_crowd(s, 3, 500, 60);
  for (int64_t i = 0; i < s->agents.count; i++)
    s->agents.max_speed[i] = i % 7 ? 1.3f : 2.5f;
}

struct use { // of the lists
  int64_t kept, full, empty;
};

static void add_use(struct use *use, const struct fixture *s)
{
  for (int64_t leaf = 0; leaf < s->agents.count / BOX_TREE_WIDTH; leaf++) {
    const struct wall_list *l = &s->wall_lists.of_leaf[leaf];
    bool moved = false;
    for (int k = 0; k < BOX_TREE_WIDTH; k++)
      moved |= l->x[k] != s->agents.from_x[leaf * BOX_TREE_WIDTH + k];
    use->kept += moved;
    use->full += l->count == WALL_LIST_FULL;
    use->empty += l->count == 0;
  }
}

Test(wall_lists, give_the_bits_of_a_search)
{
  static const char *const names[] = {"scalar", "simd4", "simd8", "simd16"};
  for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
    struct fixture kept, searched;
    struct use use = {0};
    if (!backend_find(names[n]))
      continue;
    begin(&kept, names[n]);
    begin(&searched, names[n]);
    searched.searches_walls = true;
    for (int t = 0; t < STEPS; t++) {
      kept.sorts = searched.sorts = t % 20 == 0; // other agents in the leaves
      fixture_step(&kept);
      fixture_step(&searched);
      cr_assert_eq(agents_checksum(&kept.agents), agents_checksum(&searched.agents),
                   "%s: parts in step %d", names[n], t);
      add_use(&use, &kept);
    }
    cr_assert(use.kept > 300 && use.full > 20 && use.empty > 20, "%lld kept, %lld full, %lld empty",
              (long long)use.kept, (long long)use.full, (long long)use.empty);
    fixture_destroy(&kept);
    fixture_destroy(&searched);
  }
}

// A door opens: the lists of the old walls are dropped.
Test(wall_lists, are_found_anew_after_they_are_cleared)
{
  struct fixture kept, searched;
  begin(&kept, "simd");
  begin(&searched, "simd");
  searched.searches_walls = true;
  for (int t = 0; t < STEPS; t++) {
    if (t == STEPS / 2) {
      struct fixture *const both[] = {&kept, &searched};
      for (int k = 0; k < 2; k++) {
        obstacles_destroy(&both[k]->world.obstacles);
        both[k]->line_count -= 8; // of the posts
        both[k]->points_count -= 32;
        fixture_build_walls(both[k]);
      }
      wall_lists_follow(&kept.wall_lists, 1);
    }
    fixture_step(&kept);
    fixture_step(&searched);
    cr_assert_eq(agents_checksum(&kept.agents), agents_checksum(&searched.agents), "step %d", t);
  }
  fixture_destroy(&kept);
  fixture_destroy(&searched);
}
