// Where and when a run was computed, for reports about it.
#pragma once
#include <stddef.h>

// "host, model of the processor, 64 processors, Linux x86_64": of this process's machine.
void machine_text(char *text, size_t size);
void machine_time(char *text, size_t size); // now: "2026-11-23T21:33:05Z"
