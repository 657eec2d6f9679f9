// Loaded by LD_PRELOAD: shared memory is full, and a rank touches a page that it does not get.
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/statvfs.h>

int statvfs(const char *path, struct statvfs *disk)
{
  memset(disk, 0, sizeof *disk);
  disk->f_bavail = disk->f_frsize = strcmp(path, "/dev/shm") == 0 ? 0 : 4096;
  return 0;
}

int MPI_Comm_split_type(MPI_Comm all, int type, int key, MPI_Info info, MPI_Comm *part)
{
  raise(SIGBUS);
  return PMPI_Comm_split_type(all, type, key, info, part);
}
