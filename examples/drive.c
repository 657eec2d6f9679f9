/* Drives a scenario with libthrong: half of those who are inside after ten seconds turn to the
 * first destination.
 *
 *   cc drive.c -o drive $(pkg-config --cflags --libs throng) && ./drive hall.yaml
 *   mpirun -n 4 ./drive hall.yaml                 the same line, from rank 0
 */
#include <throng.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int code)
{
  if (code == THRONG_DONE)
    return;
  fputs(throng_messages(), stderr);
  exit(code);
}

int main(int argc, char **argv)
{
  struct throng *t;
  struct throng_state state;
  struct throng_options options = throng_default_options();
  int64_t ids[1000], found;
  uint64_t checksum;

  if (argc < 2)
    return 64;
  options.path = argv[1];
  options.quiet = 1;
  check(throng_begin(THRONG_EMBEDDED));
  check(throng_create(&t, &options));
  throng_get_state(t, &state);
  check(throng_advance(t, (int64_t)(10 / state.dt)));
  for (int k = 0; k < 1000; k++)
    ids[k] = 2 * k; /* all ranks pass the same ids */
  check(throng_send(t, ids, 1000, 0, &found));
  do {
    check(throng_advance(t, 100));
    throng_get_state(t, &state);
  } while (!state.is_over);
  check(throng_checksum(t, &checksum));
  if (state.rank == 0)
    printf("%" PRId64 " turned; the last one left after %.1f s; checksum %016" PRIx64 "\n", found,
           state.time, checksum);
  throng_destroy(t);
  throng_end();
  return 0;
}
