#include "scenario_text.h"

#include <string.h>

void overrides_copy(struct scenario *s, const char *const *overrides, int count)
{
  s->override_count = count;
  s->overrides = memory_create((size_t)count, sizeof *s->overrides);
  for (int i = 0; i < count; i++)
    s->overrides[i] = text_copy(overrides[i], strlen(overrides[i]));
}

void overrides_destroy(struct scenario *s)
{
  for (int i = 0; i < s->override_count; i++)
    memory_destroy(s->overrides[i]);
  memory_destroy(s->overrides);
}

bool option_reaches_agents(const char *path)
{
  static const char *const sections[] = {"output", "balance", "ranks"};
  const size_t length = strcspn(path, ".= ");
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (length == strlen(sections[i]) && strncmp(path, sections[i], length) == 0)
      return false;
  return true;
}

// Each line of a value becomes a comment of its own.
static void override_add(struct text *t, const char *override)
{
  const char *mark = "# --set ";
  for (const char *line = override; *line || line == override; mark = "# ") {
    const size_t length = strcspn(line, "\n");
    text_add(t, "%s%.*s\n", mark, (int)length, line);
    line += length + (line[length] == '\n');
    if (length == 0 && !*line)
      break;
  }
}

char *scenario_text(const struct scenario *s, bool agents_only)
{
  struct text t = {0};
  text_add_bytes(&t, s->yaml, strlen(s->yaml));
  if (s->override_count && t.length && t.bytes[t.length - 1] != '\n')
    text_add(&t, "\n");
  for (int i = 0; i < s->override_count; i++)
    if (!agents_only || option_reaches_agents(s->overrides[i]))
      override_add(&t, s->overrides[i]);
  return t.bytes;
}
