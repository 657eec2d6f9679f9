#include "machine.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// The processor's name as Linux has it; "" where it does not say (other systems, ARM).
static void processor_name(char *name, int size)
{
  FILE *file = fopen("/proc/cpuinfo", "r");
  char line[256];
  *name = 0;
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (colon && colon[1] == ' ' && strncmp(line, "model name", 10) == 0) {
      snprintf(name, (size_t)size, ", %.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
      break;
    }
  }
  if (file)
    fclose(file);
}

void machine_text(char *text, size_t size)
{
  struct utsname system = {0};
  char processor[128];
  uname(&system);
  processor_name(processor, sizeof processor);
  snprintf(text, size, "%s%s, %ld processors, %s %s", system.nodename, processor,
           sysconf(_SC_NPROCESSORS_ONLN), system.sysname, system.machine);
}

void machine_time(char *text, size_t size)
{
  const time_t now = time(NULL);
  struct tm date;
  gmtime_r(&now, &date);
  strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &date);
}
