// The pages that the build generates from the tables of the command line and of the
// scenario options.
#pragma once
#include <stdio.h>

void man_page_print(FILE *out); // throng(1), in the man macros of roff

// What the completion functions offer, as shell code that bash and zsh both read.
void completion_data_print(FILE *out);

// The options in the notation of zsh's _arguments.
void completion_zsh_specs_print(FILE *out);
