// Words and numbers that reports share.
#pragma once
#include "simulation.h"
#include <stdio.h>

void clock_text(char *text, size_t size, double seconds); // 83 as "1:23"
void count_text(char *text, size_t size, double count);   // 1234567 as "1.23 M"
// The seconds that each phase of the steps took, as a JSON object.
void phases_write(FILE *file, const double *seconds);
