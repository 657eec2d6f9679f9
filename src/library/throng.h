/* throng as a library: a simulation that the caller steps, reads and changes.
 *
 *   struct throng_options options = throng_default_options();
 *   struct throng *t;
 *   options.path = "hall.yaml";
 *   throng_begin(THRONG_EMBEDDED);
 *   if (throng_create(&t, &options) != THRONG_DONE)
 *     puts(throng_messages());
 *   throng_advance(t, 100);
 *   ...
 *   throng_destroy(t);
 *   throng_end();
 *
 * One simulation is held by all ranks of a communicator, each with a part of the agents. Functions
 * marked "collective" are called by all of them, with the same arguments. A simulation that is only
 * advanced, in steps of any number, gives the result of `throng run`, bit for bit, on any number of
 * ranks and threads.
 *
 * Functions return THRONG_DONE or another enum throng_code; throng_messages() says what is wrong. A
 * simulation whose function failed can only be destroyed, unless the description says otherwise.
 *
 * Units: m, s, m/s. Positions are those of the scenario. One thread calls, the same in all calls.
 * Between two calls, a thread of throng may write files with HDF5: throng_checkpoint and
 * throng_finish wait for it. Whatever locale the caller has set, throng reads and writes numbers
 * with a decimal point; the functions that it calls have the locale of the caller.
 */
#ifndef THRONG_H
#define THRONG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when callers have to be compiled again. Options are only appended to their struct. */
#define THRONG_API 1
#if defined(__GNUC__)
#define THRONG_PUBLIC __attribute__((visibility("default")))
#else
#define THRONG_PUBLIC
#endif

enum throng_code {
  THRONG_DONE = 0,
  THRONG_BAD_INPUT = 64,      /* arguments, or the scenario */
  THRONG_CORRUPT_DATA = 65,   /* a checkpoint is damaged */
  THRONG_INTERNAL_ERROR = 70, /* a bug in throng */
  THRONG_OUT_OF_MEMORY = 71,
  THRONG_IO = 74,
  THRONG_RESUMABLE = 75 /* stopped early, after a checkpoint */
};

/* ------------------------------------------------------------------------------ the library */

enum throng_mode {
  THRONG_PROGRAM, /* messages go to standard error; fatal errors end the program on all ranks */
  /* Messages are kept for throng_messages. Fatal errors are returned; those that one of several
   * ranks or one of several threads meets still end the program. */
  THRONG_EMBEDDED
};

/* Starts MPI unless the caller has done so; handles SIGBUS, which a full /dev/shm raises, and
 * ignores SIGXFSZ unless the caller handles it. Once, before anything else. THRONG_BAD_INPUT after
 * throng_end has ended MPI; another code where the system grants too little (ulimit). Collective.
 */
THRONG_PUBLIC int throng_begin(enum throng_mode mode);
/* Ends MPI if throng_begin has started it. Collective. */
THRONG_PUBLIC void throng_end(void);
THRONG_PUBLIC int throng_api(void);             /* THRONG_API of the library */
THRONG_PUBLIC const char *throng_version(void); /* with the revision and the compiler */
/* The messages of the last call that gave some, one a line; "" if the last call gave none. */
THRONG_PUBLIC const char *throng_messages(void);

/* --------------------------------------------------------------------------- the simulation */

struct throng; /* one rank's part of a simulation */

struct throng_options {
  size_t size;            /* sizeof(struct throng_options): set by throng_default_options */
  const char *path;       /* of the scenario */
  const char *text;       /* YAML instead of the file's; relative files are found from path */
  const char *const *set; /* [set_count] "key.path=value", as --set */
  int set_count;
  const char *backend;      /* as --backend */
  int threads;              /* 0: the rank's share of the cores */
  const char *directory;    /* of the files that the scenario asks for; NULL: none are written; "":
                             * the scenario's output.directory, or runs/NAME */
  const char *restart;      /* a checkpoint, or "auto"; NULL: starts at step 0 */
  int64_t steps;            /* in all; < 0: the scenario's time.end */
  double max_wall;          /* s since throng_begin after which it stops; 0: no limit */
  int quiet;                /* no progress, no summary on standard output */
  int has_communicator;     /* else all ranks of MPI_COMM_WORLD */
  int communicator;         /* MPI_Comm_c2f(...) */
  const char *replay;       /* directory of a run whose window this is; NULL: none */
  int64_t replay_from;      /* first step of that window; `steps` is the last one */
  uint64_t replay_identity; /* of the summary of that run */
};
/* Sets the first `size` bytes of the options to their defaults: a caller that was compiled with an
 * older header has fewer options. */
THRONG_PUBLIC void throng_default_options_of(struct throng_options *options, size_t size);
static inline struct throng_options throng_default_options(void)
{
  struct throng_options options;
  throng_default_options_of(&options, sizeof options);
  return options;
}

/* Reads the scenario and makes its first agents, or reads a checkpoint. NULL after an error. The
 * options are copied. Collective. */
THRONG_PUBLIC int throng_create(struct throng **t, const struct throng_options *options);
THRONG_PUBLIC void throng_destroy(struct throng *t); /* NULL: nothing. Collective */

/* Advances by `steps` steps. Stops earlier when the simulation is over or when the user asks it to
 * stop (THRONG_RESUMABLE): where there are files, no step may follow then, but another simulation
 * may restart from the checkpoint. THRONG_BAD_INPUT, and no step, when what was written to columns
 * makes no sense; correct it and call again. Collective. */
THRONG_PUBLIC int throng_advance(struct throng *t, int64_t steps);
/* Writes the last files and summary.json, after the last step. Collective. */
THRONG_PUBLIC int throng_finish(struct throng *t);
/* Writes a checkpoint of the present step into the directory. Collective. */
THRONG_PUBLIC int throng_checkpoint(struct throng *t);

struct throng_state {
  int64_t step;     /* steps made */
  double time, dt;  /* s */
  int64_t agents;   /* inside, on all ranks */
  int64_t created;  /* on all ranks so far; created = agents + arrived + removed */
  int64_t arrived;  /* left at their destination */
  int64_t removed;  /* by throng_remove */
  int64_t overlaps; /* pairs of agents that overlapped in the last step */
  int is_over;      /* the end of time, or nobody is inside and nobody will enter */
  int rank, ranks;
  double origin_x, origin_y, quantum; /* m: x = origin_x + quantum * column x */
  double extent[4];                   /* m: x0, y0, x1, y1 of the world */
};
THRONG_PUBLIC void throng_get_state(const struct throng *t, struct throng_state *state);
/* The checksum of the state, equal to that of the summary of a run. Collective. */
THRONG_PUBLIC int throng_checksum(struct throng *t, uint64_t *checksum);

enum throng_names { THRONG_PROFILES, THRONG_SOURCES, THRONG_DESTINATIONS, THRONG_JOURNEYS };
/* Name of number k; NULL: there are not so many. */
THRONG_PUBLIC const char *throng_name(const struct throng *t, enum throng_names of, int k);

/* -------------------------------------------------------------------------------- the agents */

/* A column of this rank's agents, in memory: data[count]. It may be written where is_writable, and
 * is valid until the next function that is not marked "reads". After that the memory is still
 * there, until throng_destroy, but what it holds means nothing. Who writes has to write the same on
 * any number of ranks to get one result. */
struct throng_column {
  const char *name, *unit;
  char type; /* 'f': float; 'i': int32_t; 'l': int64_t */
  int is_writable;
  int is_inverted; /* all bits are inverted: ~data[i] is the value */
  int64_t count;
  void *data;
};
/* Column number k in the order of the library, -1: by its name. THRONG_BAD_INPUT: there is none;
 * the simulation goes on. Reads. */
THRONG_PUBLIC int throng_get_column(struct throng *t, int k, const char *name,
                                    struct throng_column *column);

struct throng_agent {
  double x, y;           /* m */
  double goal_x, goal_y; /* m; NaN: none */
  double radius, speed;  /* m, m/s; NaN: by the profile */
  /* Numbers of throng_name, -1: none. A source gives all that an agent that enters by it gets; else
   * a profile (none: the first one), and one of a destination, a journey and a goal, or nothing. */
  int source, profile, destination, journey;
};
/* Adds agents with the ids *first_id, *first_id + 1, ... THRONG_BAD_INPUT, and no change: one of
 * them cannot be where it is; the simulation goes on. Collective. */
THRONG_PUBLIC int throng_add(struct throng *t, const struct throng_agent *agents, int64_t count,
                             int64_t *first_id);
/* Removes the agents with these ids. *found, if not NULL: how many were inside. Collective. */
THRONG_PUBLIC int throng_remove(struct throng *t, const int64_t *ids, int64_t count,
                                int64_t *found);
/* Sends the agents with these ids straight to goals[2 * count], m: x, y. They leave their journey
 * or queue. Collective. */
THRONG_PUBLIC int throng_steer(struct throng *t, const int64_t *ids, const double *goals,
                               int64_t count, int64_t *found);
/* Sends them along the routes of the scenario to a destination. Collective. */
THRONG_PUBLIC int throng_send(struct throng *t, const int64_t *ids, int64_t count, int destination,
                              int64_t *found);
/* The k <= 32 nearest agents to each of points[2 * count], m, within `range`, m, nearest first and
 * by id where equal: ids[count * k], distances[count * k]; -1 and infinity where there are fewer.
 * On every rank. Collective. */
THRONG_PUBLIC int throng_nearest(struct throng *t, const double *points, int64_t count, int k,
                                 double range, int64_t *ids, double *distances);

/* Calls the function in every step when the columns prefer_x and prefer_y, m/s, hold the velocity
 * at which each agent of this rank would like to walk, which the function may change, and no other
 * column: collision avoidance follows. It may call throng_get_column, throng_get_state and
 * throng_name, and nothing else. NULL: no function. THRONG_BAD_INPUT: the agents live on a
 * GPU. Reads. */
THRONG_PUBLIC int throng_on_preferred(struct throng *t, void (*function)(void *context),
                                      void *context);

#ifdef __cplusplus
}
#endif
#endif
