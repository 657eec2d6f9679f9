// Loaded by LD_PRELOAD: a machine with 20 MB of memory.
#include <dlfcn.h>
#include <unistd.h>

long sysconf(int name)
{
  long (*real)(int);
  *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
  return name == _SC_PHYS_PAGES ? 20000000 / real(_SC_PAGE_SIZE) : real(name);
}
