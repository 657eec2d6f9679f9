// The space in /dev/shm, through which the ranks of a machine exchange messages. MPI reserves none:
// where it is used up, a rank dies of a bus error, and MPI opens no file.
#pragma once
#include <stdbool.h>

bool shared_memory_is_full(void);
// From here on a bus error in full shared memory ends the process with a message and
// EXIT_OUT_OF_MEMORY; any other bus error kills it as before.
void shared_memory_catch_bus_errors(void);
