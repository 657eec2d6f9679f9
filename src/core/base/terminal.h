// What a program may assume about the terminal that it writes to.
#pragma once
#include <stdbool.h>

struct terminal_size {
  int columns, rows; // 80 and 24 if the terminal does not say
};

// Whether this file is a terminal that obeys escape sequences (the variable TERM).
bool terminal_rewrites(int file);
// Whether a program in the foreground of the same terminal has the screen: a rewritten line would
// run into its text.
bool terminal_is_lent(int file);
// At present; the variables COLUMNS and LINES can only make it smaller.
struct terminal_size terminal_measure(int file);
