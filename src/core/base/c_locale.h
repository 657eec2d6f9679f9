// Numbers have a decimal point and messages are in English, whatever locale the caller of the
// library has set: around every call, in the threads of throng, and around the code of plug-ins.
// Concerns the calling thread alone.
#pragma once
#include <locale.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

locale_t c_locale_begin(void); // returns what the thread had
void c_locale_end(locale_t before);
