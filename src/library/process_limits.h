// What the system grants to a process (ulimit).
#pragma once
#include "base.h"

// A file that reaches the greatest size is then an error like a full disk, not a signal that ends
// the program. A handler of the caller stays.
void process_limits_report_file_size(void);
// EXIT_DONE, or a code after a message: too little is granted for MPI or Python, which would crash,
// or would end the process.
enum exit_code process_limits_check(void);
