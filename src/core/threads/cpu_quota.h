// How many cores the limits of a container or a job leave to this process (Linux's control groups).
#pragma once

// The least quota of its groups and of those around them, in cores: 1.5 is 150 ms of every 100.
// INFINITY: none, or the system has no groups.
double cpu_quota(void);
// The same from other files than /proc/self/cgroup and /proc/self/mountinfo.
double cpu_quota_of(const char *cgroup, const char *mountinfo);
