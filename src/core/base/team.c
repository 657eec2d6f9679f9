#include "team.h"

const struct team team_alone = {.size = 1};

bool team_agree(const struct team *t, bool mine)
{
  return t->size > 1 ? t->agree(t->context, mine) : mine;
}

void *team_share(const struct team *t, size_t bytes)
{
  return t->size > 1 ? t->share(t->context, bytes) : NULL;
}

void team_part(const struct team *t, void *memory, size_t bytes)
{
  if (memory)
    t->part(memory, bytes);
}
