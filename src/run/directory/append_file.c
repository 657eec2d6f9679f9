#include "append_file.h"

#include "message.h"
#include "regular_file.h"
#include "run_directory.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool append_file_open(struct append_file *f, const char *directory, const char *name,
                      const char *head, bool resuming)
{
  *f = (struct append_file){.path = run_directory_file(directory, name), .length = -1};
  f->file = (resuming ? regular_file_append : regular_file_create)(f->path);
  if (!f->file) {
    message_print("%s: cannot be written: %s", f->path, regular_file_reason(errno));
    return false;
  }
  fseeko(f->file, 0, SEEK_END);
  if (head && ftello(f->file) == 0)
    fprintf(f->file, "%s\n", head);
  return true;
}

bool append_file_flush(const struct append_file *f)
{
  return !f->file || (fflush(f->file) == 0 && !ferror(f->file)); // ferror: an earlier full buffer
}

void append_file_close(struct append_file *f)
{
  if (f->file)
    fclose(f->file); // append_file_flush has checked every row
  free(f->path);
  *f = (struct append_file){0};
}

static int64_t length_on_disk(const struct append_file *f)
{
  fflush(f->file);
  fsync(fileno(f->file)); // fails harmlessly where no file system syncs
  return (int64_t)ftello(f->file);
}

bool append_file_resume(const struct append_file *f)
{
  if (!f->file || f->length < 0)
    return true;
  const int64_t found = length_on_disk(f);
  if (found < f->length) {
    message_print("%s: rows from before the checkpoint are missing (it has %" PRId64 " of %" PRId64
                  " bytes): continuing without them",
                  f->path, found, f->length);
    return true;
  }
  if (ftruncate(fileno(f->file), f->length) == 0 && fseeko(f->file, 0, SEEK_END) == 0)
    return true;
  message_print("%s: cannot be truncated: %s", f->path, strerror(errno));
  return false;
}

void append_file_visit(struct append_file *f, struct state *v, const char *name)
{
  int64_t length = f->file && !v->reading ? length_on_disk(f) : -1;
  state_value(v, STATE_SAME, ((struct state_range){-1, 0x1p53}), name, &length);
  f->length = v->fault[0] ? -1 : length;
}
