// How the tables of options are written: options.c and option_scopes.c.
#pragma once
#include "options.h"

// clang-format off
#define ROW(...) ROW_(__VA_ARGS__)
#define ROW_(scope_, offset_, path_, type_, fallback_, min_, max_, unit_, ...) \
  {.scope = scope_, .offset = offset_, .path = path_, .type = OPTION_##type_, \
   .fallback = fallback_, .min = min_, .max = max_, .unit = unit_, .meaning = __VA_ARGS__}
#define CHOICES(noun_, choices_) .noun = noun_, .choices = choices_
#define SECTION(title, options) {title, options, (int)(sizeof options / sizeof *options)}
// clang-format on

#define FILE_SECTIONS 12
extern const struct option_section file_sections[FILE_SECTIONS];
