// The ranks of a machine share memory: after a synchronisation all read what one has written.
#include "node_memory.h"
#include "rank_crowd.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>

static int segments_left(void) // of this process in /dev/shm
{
  DIR *folder = opendir("/dev/shm");
  char own[64];
  int count = 0;
  snprintf(own, sizeof own, "throng-%ld-", (long)getpid());
  for (const struct dirent *e; folder && (e = readdir(folder));)
    count += strncmp(e->d_name, own, strlen(own)) == 0;
  if (folder)
    closedir(folder);
  return count;
}

static void check_agreement(const struct node_group *t)
{
  law(node_group_all(t, true), "%s", "all said yes");
  for (int32_t r = 0; r < t->size; r++)
    law(!node_group_all(t, t->rank != r), "%d said no", r);
}

// Every rank writes a part, round after round, and reads all of it.
static void check_memory(const struct node_group *t)
{
  const size_t count = 300000, bytes = count * sizeof(int64_t);
  int64_t *one = node_group_allocate(t, bytes), *other = node_group_allocate(t, bytes);
  law((one && other) == (t->size > 1), "%d ranks", t->size);
  law(one == NULL || one != other, "%s", "two of them");
  law(segments_left() == 0, "%s", "a name is left in /dev/shm");
  for (size_t i = 0; one && i < count; i++)
    law(one[i] == 0 && other[i] == 0, "%zu is not zero", i);
  for (int64_t round = 1; one && round <= 20; round++) {
    law(node_group_all(t, true), "%s", "no rank still reads the old values");
    for (size_t i = (size_t)t->rank; i < count; i += (size_t)t->size)
      one[i] = round * (int64_t)i, other[i] = -one[i];
    law(node_group_all(t, true), "%s", "all new values are written");
    for (size_t i = 0; i < count; i++)
      law(one[i] == round * (int64_t)i && other[i] == -one[i], "%zu in round %lld", i,
          (long long)round);
  }
  node_group_release(t, one, bytes);
  node_group_release(t, other, bytes);
}

// Too much, nothing, and different sizes: NULL on every rank, and no hang.
static void check_refusals(const struct node_group *t)
{
  law(!node_group_allocate(t, (size_t)1 << 60), "%s", "an exabyte");
  law(!node_group_allocate(t, 0), "%s", "nothing");
  law(!node_group_allocate(t, (size_t)(t->rank + 1) * 4096), "%s", "different sizes");
  law(segments_left() == 0, "%s", "a name is left in /dev/shm");
  node_group_release(t, NULL, 0);
}

int main(int argc, char **argv)
{
  struct comm c;
  struct node_memory m;
  comm_begin(&c, &argc, &argv);
  node_memory_create(&m, &c);
  law(m.node_group.size == c.size && m.node_group.rank == c.rank, "%s", "all are on this machine");
  check_agreement(&m.node_group);
  check_memory(&m.node_group);
  check_refusals(&m.node_group);
  node_memory_destroy(&m);
  comm_end(&c);
  return 0;
}
