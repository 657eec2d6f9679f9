#include "append_file.h"

#include "run_directory.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool append_file_open(struct append_file *r, const char *directory, const char *name,
                      const char *head, bool resuming)
{
  *r = (struct append_file){.path = run_directory_file(directory, name), .length = -1};
  r->file = fopen(r->path, resuming ? "a" : "w");
  if (!r->file) {
    fprintf(stderr, "throng: %s: cannot be written: %s\n", r->path, strerror(errno));
    return false;
  }
  fseeko(r->file, 0, SEEK_END);
  if (head && ftello(r->file) == 0)
    fprintf(r->file, "%s\n", head);
  return true;
}

bool append_file_flush(const struct append_file *r)
{
  return !r->file || (fflush(r->file) == 0 && !ferror(r->file)); // earlier: its buffer was full
}

void append_file_close(struct append_file *r)
{
  if (r->file)
    fclose(r->file); // was flushed and checked after each moment
  free(r->path);
  *r = (struct append_file){0};
}

static int64_t length_on_disk(const struct append_file *r)
{
  fflush(r->file);
  fsync(fileno(r->file)); // not every file can: what counts was checked when it was flushed
  return (int64_t)ftello(r->file);
}

bool append_file_resume(const struct append_file *r)
{
  if (!r->file || r->length < 0)
    return true;
  const int64_t found = length_on_disk(r);
  if (found < r->length) {
    fprintf(stderr,
            "throng: %s: rows from before the checkpoint are missing (%" PRId64 " of %" PRId64
            " bytes are there): it goes on without them\n",
            r->path, found, r->length);
    return true;
  }
  if (ftruncate(fileno(r->file), r->length) == 0 && fseeko(r->file, 0, SEEK_END) == 0)
    return true;
  fprintf(stderr, "throng: %s: cannot be cut back: %s\n", r->path, strerror(errno));
  return false;
}

void append_file_visit(struct append_file *r, struct state *v, const char *name)
{
  int64_t length = r->file && !v->reading ? length_on_disk(r) : -1;
  r->length = state_length(v, name, length);
}
