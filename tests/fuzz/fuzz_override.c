// The text after --set.
#include "check.h"
#include "config_read.h"
#include "files.h"
#include <string.h>

static const char yaml[] = "time: {end: 5}\nprofiles: [{name: adult, speed: {uniform: [1, 2]}}]\n"
                           "sources:\n  - {name: a, area: {rectangle: [0, 0, 9, 9]}, count: 5}\n"
                           "  - {area: {circle: [3, 3, 1]}, count: 5, profile: {adult: 1}}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diagnostics p = {0};
  struct config c = {0};
  char *text = text_copy((const char *)data, size); // an argument ends at its first NUL
  const char *override = text;
  const struct config_source source = {"x.yaml", yaml, strlen(yaml), &override, 1};
  check_diagnostics(&p, config_read(&c, &source, &p));
  config_destroy(&c);
  diagnostics_destroy(&p);
  memory_destroy(text);
  return 0;
}
