/* Drives a scenario with libthrong: every second agent that is inside after ten seconds slows down
 * to half its speed.
 *
 *   cc drive.c -o drive $(pkg-config --cflags --libs throng) && ./drive hall.yaml
 *   mpirun -n 4 ./drive hall.yaml                 the same checksum
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

/* Half the speed for agents with an even id, in the memory of the simulation. The number of them on
 * this rank. */
static int64_t slow_down(struct throng *t)
{
  struct throng_column id, speed;
  int64_t slower = 0;
  check(throng_get_column(t, -1, "id", &id));
  check(throng_get_column(t, -1, "speed", &speed));
  for (int64_t i = 0; i < speed.count; i++) {
    const int even = ((const int64_t *)id.data)[i] % 2 == 0;
    ((float *)speed.data)[i] *= even ? 0.5f : 1.0f;
    slower += even;
  }
  return slower;
}

int main(int argc, char **argv)
{
  struct throng *t;
  struct throng_state state;
  struct throng_options options = throng_default_options();
  uint64_t checksum;
  int64_t slower;

  if (argc < 2)
    return 64;
  options.path = argv[1];
  options.quiet = 1;
  check(throng_begin(THRONG_EMBEDDED));
  check(throng_create(&t, &options));
  throng_get_state(t, &state);
  check(throng_advance(t, (int64_t)(10 / state.dt)));
  slower = slow_down(t);
  do {
    check(throng_advance(t, 100));
    throng_get_state(t, &state);
  } while (!state.is_over);
  check(throng_checksum(t, &checksum));
  if (state.rank == 0)
    printf("%" PRId64
           " agents of rank 0 slowed down; the last one left after %.1f s; checksum %016" PRIx64
           "\n",
           slower, state.time, checksum);
  throng_destroy(t);
  throng_end();
  return 0;
}
