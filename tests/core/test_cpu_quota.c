// The quota of control groups, as the system shows it in files of both versions.
#include "cpu_quota.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/throng-quota-XXXXXX";

static void write_text(const char *name, const char *text)
{
  FILE *f = fopen(name, "w");
  cr_assert(f, "%s", name);
  fputs(text, f);
  fclose(f);
}

static void begin(void)
{
  cr_assert(mkdtemp(folder) && chdir(folder) == 0);
  const char *const folders[] = {"v1", "v1/job", "v1/job/step", "v2", "v2/job", "v2/job/step"};
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++)
    cr_assert(mkdir(folders[k], 0700) == 0);
}

static void end(void)
{
  char command[100];
  snprintf(command, sizeof command, "rm -r %s", folder);
  cr_assert(system(command) == 0);
}

TestSuite(cpu_quota, .init = begin, .fini = end);

// The groups at `root` are mounted at this folder.
static double quota(const char *cgroup, const char *root, const char *at, const char *type)
{
  char line[300];
  snprintf(line, sizeof line,
           "22 1 0:20 / /proc rw - proc proc rw\n30 23 0:26 %s %s/%s rw,relatime shared:9 - %s\n",
           root, folder, at, type);
  write_text("mountinfo", line);
  write_text("cgroup", cgroup);
  return cpu_quota_of("cgroup", "mountinfo");
}

#define V1 "cgroup cgroup rw,cpu,cpuacct"
#define V2 "cgroup2 cgroup rw,nsdelegate"

static void limit_v1(const char *group, const char *microseconds)
{
  char name[100];
  snprintf(name, sizeof name, "v1/%s/cpu.cfs_quota_us", group);
  write_text(name, microseconds);
  snprintf(name, sizeof name, "v1/%s/cpu.cfs_period_us", group);
  write_text(name, "100000\n");
}

Test(cpu_quota, version_2)
{
  cr_expect(isinf(quota("0::/job/step\n", "/", "v2", V2)), "no file");
  write_text("v2/job/step/cpu.max", "max 100000\n");
  cr_expect(isinf(quota("0::/job/step\n", "/", "v2", V2)), "no limit");
  write_text("v2/job/step/cpu.max", "150000 100000\n");
  cr_expect_eq(quota("0::/job/step\n", "/", "v2", V2), 1.5);
  write_text("v2/job/cpu.max", "50000 100000\n");
  cr_expect_eq(quota("0::/job/step\n", "/", "v2", V2), 0.5, "the group around it");
  cr_expect_eq(quota("0::/job\n", "/", "v2", V2), 0.5);
  cr_expect(isinf(quota("0::/\n", "/", "v2", V2)), "another group");
}

Test(cpu_quota, version_1)
{
  limit_v1("job", "-1\n");
  cr_expect(isinf(quota("5:memory:/\n4:cpu,cpuacct:/job\n0::/\n", "/", "v1", V1)));
  limit_v1("job", "250000\n");
  cr_expect_eq(quota("5:memory:/\n4:cpu,cpuacct:/job\n0::/\n", "/", "v1", V1), 2.5);
  cr_expect_eq(quota("4:cpuacct,cpu:/job/step\n", "/", "v1", V1), 2.5, "the group around it");
  cr_expect(isinf(quota("4:cpuset:/job\n", "/", "v1", V1)), "another kind of group");
  cr_expect(isinf(quota("4:cpu:/job\n", "/", "v1", "cgroup cgroup rw,cpuset")));
}

// A container sees its own group at the folder, by the name that the machine gives it or as "/".
Test(cpu_quota, in_a_container)
{
  write_text("v2/cpu.max", "300000 100000\n");
  cr_expect_eq(quota("0::/\n", "/", "v2", V2), 3);
  cr_expect_eq(quota("0::/docker/0af3\n", "/docker/0af3", "v2", V2), 3);
  write_text("v2/job/cpu.max", "100000 100000\n");
  cr_expect_eq(quota("0::/docker/0af3/job\n", "/docker/0af3", "v2", V2), 1);
  cr_expect_eq(quota("0::/docker/0af3x/job\n", "/docker/0af3", "v2", V2), 3, "not below it");
  cr_expect_eq(quota("0::/../other\n", "/", "v2", V2), 3, "outside of it");
}

Test(cpu_quota, damaged_files_are_no_limit)
{
  cr_expect(isinf(cpu_quota_of("none", "none")));
  const char *const texts[] = {"", "\n", "100000\n", "max\n", "0 0\n", "-5 100000\n", "x y\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    write_text("v2/cpu.max", texts[k]);
    cr_expect(isinf(quota("0::/\n", "/", "v2", V2)), "\"%s\"", texts[k]);
  }
  cr_expect(isinf(quota("0:\n:\n::\n\n", "/", "v2", V2)));
}
