// The ranks of a machine share memory: what one writes, all read after they have met.
#include "machine.h"
#include "rank_crowd.h"
#include <dirent.h>
#include <string.h>
#include <unistd.h>

static int segments_left(void) // names of ours in the machine's shared memory
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

static void check_agreement(const struct team *t)
{
  law(team_agree(t, true), "%s", "all said yes");
  for (int32_t r = 0; r < t->size; r++)
    law(!team_agree(t, t->rank != r), "%d said no", r);
}

// Everybody writes a part, over and over; everybody reads the whole.
static void check_memory(const struct team *t)
{
  const size_t count = 300000, bytes = count * sizeof(int64_t);
  int64_t *one = team_share(t, bytes), *other = team_share(t, bytes);
  law((one && other) == (t->size > 1), "%d ranks", t->size);
  law(one == NULL || one != other, "%s", "two of them");
  law(segments_left() == 0, "%s", "a name is left in /dev/shm");
  for (size_t i = 0; one && i < count; i++)
    law(one[i] == 0 && other[i] == 0, "%zu is not zero", i);
  for (int64_t round = 1; one && round <= 20; round++) {
    law(team_agree(t, true), "%s", "nobody reads the old ones");
    for (size_t i = (size_t)t->rank; i < count; i += (size_t)t->size)
      one[i] = round * (int64_t)i, other[i] = -one[i];
    law(team_agree(t, true), "%s", "all are written");
    for (size_t i = 0; i < count; i++)
      law(one[i] == round * (int64_t)i && other[i] == -one[i], "%zu in round %lld", i,
          (long long)round);
  }
  team_part(t, one, bytes);
  team_part(t, other, bytes);
}

// More than any machine has; nothing; and not the same everywhere: an answer, and no hang.
static void check_refusals(const struct team *t)
{
  law(!team_share(t, (size_t)1 << 60), "%s", "an exabyte");
  law(!team_share(t, 0), "%s", "nothing");
  law(!team_share(t, (size_t)(t->rank + 1) * 4096), "%s", "different sizes");
  law(segments_left() == 0, "%s", "a name is left in /dev/shm");
  team_part(t, NULL, 0);
}

int main(int argc, char **argv)
{
  struct comm c;
  struct machine m;
  comm_begin(&c, &argc, &argv);
  machine_create(&m, &c);
  law(m.team.size == c.size && m.team.rank == c.rank, "%s", "all are on this machine");
  check_agreement(&m.team);
  check_memory(&m.team);
  check_refusals(&m.team);
  machine_destroy(&m);
  comm_end(&c);
  return 0;
}
