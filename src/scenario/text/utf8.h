// Text in UTF-8: every input is checked before a parser sees it, and shown without control
// characters.
#pragma once
#include "diagnostics.h"

// The bytes up to the first that belongs to no character of UTF-8 (RFC 3629); length if there is
// none.
size_t utf8_valid_length(const char *text, size_t length);

// False and an error if the text is not UTF-8. file, override: where it comes from (struct
// location).
bool utf8_check(const char *text, size_t length, const char *file, const char *override,
                struct diagnostics *p);

// Appends the text to `to`. Control characters and bytes that are not UTF-8 become \xHH, so that
// they do not reach a terminal.
void utf8_add_printable(struct text *to, const char *text);
