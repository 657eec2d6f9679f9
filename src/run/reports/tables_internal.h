// Shared by tables.c and tables_travel.c.
#pragma once
#include "tables.h"

// EXIT_IO, after a message with errno, if `good` is false on rank 0. Collective.
enum exit_code tables_agree(const struct tables *t, const struct simulation *s, bool good);
FILE *table_open(const struct tables *t, const char *name, const char *head); // NULL: see errno
// Appends the agents that have left since the last call; then, at the end, those inside.
void tables_people(struct tables *t, struct simulation *s);
void tables_people_inside(struct tables *t, struct simulation *s);
void tables_queues(struct tables *t, const struct simulation *s);
bool tables_want_queues(const struct simulation *s); // there are queues
void table_text(FILE *out, const char *text);        // a CSV cell, quoted if necessary
