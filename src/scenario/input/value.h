// Values of options: one reader for each type in the table of options.
#pragma once
#include "value_scalar.h"

// Reads v->node into v->target. Not for OPTION_RECORDS, which config_read.c handles.
void value_read(const struct value *v);
void value_destroy(const struct option *o, void *target);
