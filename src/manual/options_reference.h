// The pages that are printed from the table of options: docs/options.md, and a part of throng(1).
#pragma once
#include "options.h"
#include <stdio.h>

void options_reference_print(FILE *out); // docs/options.md
const char *option_type_text(const struct option *o);
void option_range_print(const struct option *o, FILE *out);
