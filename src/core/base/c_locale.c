#include "c_locale.h"

static locale_t c_locale;

__attribute__((constructor)) static void c_locale_create(void)
{
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t c_locale_begin(void)
{
  return uselocale(c_locale);
}

void c_locale_end(locale_t before)
{
  uselocale(before);
}
