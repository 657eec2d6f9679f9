#include "value_scalar.h"

#include "config.h"
#include "suggestion.h"
#include <math.h>
#include <stdarg.h>
#include <string.h>

void report_value(const struct value *v, const struct node *n, const char *format, ...)
{
  char message[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (n->at.override && !strchr(v->path, '['))
    diagnostics_error(v->diagnostics, n->at, "%s", message); // --set already shows the path
  else
    diagnostics_error(v->diagnostics, n->at, "%s: %s", v->path, message);
}

void report_type(const struct value *v, const struct node *n, const char *wanted)
{
  if (n->kind == NODE_LIST)
    report_value(v, n, "%s is expected, not a list of %lld", wanted, (long long)n->count);
  else if (n->kind == NODE_MAP)
    report_value(v, n, "%s is expected, not a section", wanted);
  else if (node_is_empty(n))
    report_value(v, n, "%s is expected, but nothing is given", wanted);
  else
    report_value(v, n, "\"%.200s\" is not %s", n->text, wanted);
}

bool value_number(const struct value *v, const struct node *n, double *out)
{
  if (n->kind != NODE_SCALAR || n->quoted || !number_parse(n->text, out)) {
    report_type(v, n, "a number");
    return false;
  }
  const struct option *o = v->option;
  if (*out >= o->min && *out <= o->max)
    return true;
  report_value(v, n, "%s is out of range (%.16g to %.16g%s%s)", n->text, o->min, o->max,
               *o->unit ? " " : "", o->unit);
  return false;
}

bool value_integer(const struct value *v, const struct node *n, double *out)
{
  if (!value_number(v, n, out))
    return false;
  if (*out == floor(*out))
    return true;
  report_value(v, n, "%s is not a whole number", n->text);
  return false;
}

bool value_numbers(const struct value *v, const struct node *n, int count, const char *wanted,
                   double *out)
{
  if (n->kind != NODE_LIST || n->count != count) {
    report_type(v, n, wanted);
    return false;
  }
  bool good = true;
  for (const struct node *item = n->first; item; item = item->next)
    good = value_number(v, item, out++) && good;
  return good;
}

char *value_text(const struct value *v, const struct node *n)
{
  if (n->kind != NODE_SCALAR || node_is_empty(n) || !*n->text) {
    report_type(v, n, "text");
    return NULL;
  }
  return text_copy(n->text, strlen(n->text));
}

// Copies word number index of "one|two|three" to out. False: there are fewer words.
static bool choice_at(const char *choices, int index, char out[40])
{
  for (; index > 0 && choices; index--)
    choices = strchr(choices, '|') ? strchr(choices, '|') + 1 : NULL;
  if (choices)
    snprintf(out, 40, "%.*s", (int)strcspn(choices, "|"), choices);
  return choices != NULL;
}

static void report_unknown_choice(const struct value *v)
{
  const struct option *o = v->option;
  const struct node *n = v->node;
  const bool is_word = n->kind == NODE_SCALAR && !node_is_empty(n);
  struct suggestion near = suggestion_create(is_word ? n->text : "");
  struct text all = {0};
  char word[40];
  for (int i = 0; choice_at(o->choices, i, word); i++) {
    text_add(&all, "%s%s", i ? ", " : "", word);
    if (is_word)
      suggestion_offer(&near, word);
  }
  if (is_word)
    report_value(v, n, "\"%.100s\" is not %s (%s)%s", n->text, o->noun, all.bytes, near.text);
  else
    report_value(v, n, "%s (%s) is expected, not %s", o->noun, all.bytes,
                 n->kind == NODE_MAP    ? "a section"
                 : n->kind == NODE_LIST ? "a list"
                                        : "nothing");
  memory_destroy(all.bytes);
}

void choice_read(const struct value *v)
{
  char word[40];
  for (int i = 0; v->node->kind == NODE_SCALAR && choice_at(v->option->choices, i, word); i++)
    if (strcmp(v->node->text, word) == 0) {
      *(int *)v->target = i;
      return;
    }
  report_unknown_choice(v);
}

void flag_read(const struct value *v)
{
  const struct node *n = v->node;
  const bool yes = n->kind == NODE_SCALAR && strcmp(n->text, "true") == 0;
  if (!yes && !(n->kind == NODE_SCALAR && strcmp(n->text, "false") == 0))
    report_type(v, n, "true or false");
  *(bool *)v->target = yes;
}

void texts_read(const struct value *v)
{
  struct text_list *list = v->target;
  const struct node *n = v->node;
  const bool single = n->kind == NODE_SCALAR && !node_is_empty(n);
  if (n->kind != NODE_LIST && !single) {
    report_type(v, n, "a list of texts");
    return;
  }
  const size_t count = single ? 1 : (size_t)n->count;
  list->texts = memory_create(count, sizeof *list->texts);
  list->at = memory_create(count, sizeof *list->at);
  for (const struct node *item = single ? n : n->first; item; item = single ? NULL : item->next) {
    char *text = value_text(v, item);
    if (!text)
      continue;
    list->texts[list->count] = text;
    list->at[list->count++] = item->at;
  }
}

void text_read(const struct value *v)
{
  *(char **)v->target = value_text(v, v->node);
}

void number_read(const struct value *v)
{
  value_number(v, v->node, v->target);
}

void integer_read(const struct value *v)
{
  value_integer(v, v->node, v->target);
}

void optional_read(const struct value *v)
{
  struct optional *optional = v->target;
  optional->given = value_number(v, v->node, &optional->value);
}

void optional_integer_read(const struct value *v)
{
  struct optional *optional = v->target;
  optional->given = value_integer(v, v->node, &optional->value);
}

void point_read(const struct value *v)
{
  struct numbers *numbers = v->target;
  numbers->given = value_numbers(v, v->node, 2, "[x, y]", numbers->values);
}

void text_destroy(void *target)
{
  memory_destroy(*(char **)target);
}

void texts_destroy(void *target)
{
  struct text_list *list = target;
  for (int i = 0; i < list->count; i++)
    memory_destroy(list->texts[i]);
  memory_destroy(list->texts);
  memory_destroy(list->at);
}
