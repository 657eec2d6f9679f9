// The text of a scenario, up to the configuration.
#include "check.h"
#include "config_check.h"
#include "config_read.h"
#include "files.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct diagnostics p = {0};
  struct config c = {0};
  char *text = text_copy((const char *)data, size);
  const struct config_source source = {"x.yaml", text, size, NULL, 0};
  // What file_read refuses never reaches a parser.
  const bool is_text = !memchr(text, 0, size) &&
                       diagnostics_check_utf8(&p, text, size, (struct location){.file = "x.yaml"});
  const bool good = is_text && config_read(&c, &source, &p);
  if (p.count || is_text)
    check_diagnostics(&p, good);
  if (good) {
    config_choose_navigation(&c);
    config_check(&c, &p);
  }
  config_destroy(&c);
  diagnostics_destroy(&p);
  memory_destroy(text);
  return 0;
}
