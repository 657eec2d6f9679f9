// Combinations of options that are wrong although each option is valid by itself.
#pragma once
#include "config.h"
#include "diagnostics.h"

// Chooses navigation.model where it is auto.
void config_choose_navigation(struct config *c);
void config_check(const struct config *c, struct diagnostics *p);

// The number of output.checkpoint_keep, INT64_MAX for all; 2 and an error if it is neither.
int64_t config_checkpoint_keep(const struct config *c, struct diagnostics *p);
