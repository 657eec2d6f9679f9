// What this build is, as CMake found it (version.h.in).
#pragma once

const char *build_info_version(void);  // "0.2.0"
const char *build_info_revision(void); // of git, e.g. "abc1234-dirty"
const char *build_info_compiler(void); // with its version
const char *build_info_full(void);     // "0.2.0 (abc1234)": stored in snapshots and checkpoints
