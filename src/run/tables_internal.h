// What the files of tables share.
#pragma once
#include "tables.h"

// EXIT_IO after a message when it is not good on rank 0. Collective.
enum exit_code tables_agree(const struct tables *t, const struct simulation *s, bool good);
FILE *table_open(const struct tables *t, const char *name, const char *head); // NULL: see errno
void table_text(FILE *out, const char *text); // a cell of CSV, quoted where it must be
