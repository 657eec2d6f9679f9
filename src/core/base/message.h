// What a program says on standard error: one message a line, and a progress line that is rewritten
// on a terminal. Every message goes through here, so none continues the progress line.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Prints "throng: ", the text and a line end, without control characters (utf8_printable).
void message_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints whole lines that are already in their final form.
void message_print_lines(const char *lines);

// From now on, appends messages to the string text[size], where they are cut off, instead of
// printing them.
void message_capture(char *text, size_t size);
#define MESSAGE_COLLECTED 16384 // bytes, at most
// The same for the messages of the calling thread alone, which another one prints later. text NULL:
// no longer.
void message_collect(char *text, size_t size);
// Prints what another thread has collected so far, and empties the text.
void message_print_collected(char *text);

// Writes what is left of standard output. False after a message: some of it could not be written.
bool message_finish_output(void);

bool message_rewrites(void); // standard error is a terminal on which a line can be overwritten
int message_columns(void);   // of the progress line, at present
// Shows the state of the program: on a terminal the last such line is overwritten, elsewhere this
// is a line like any other. On a terminal that another program uses, which has put this one in the
// background, nothing is shown. text: ASCII; what exceeds message_columns is cut off.
void message_progress(const char *text);
// Erases the progress line. Before anything is printed to standard output, which may be the same
// terminal, and at the end.
void message_erase_progress(void);
// Ends the progress line; for handlers of signals that end the program.
void message_end_progress(void);
