#include "plugin_file.h"

#include "base.h"
#include "regular_file.h"
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE_LIMIT ((off_t)1 << 28) // bytes

struct object {
  char *bytes;
  size_t size;
};

static bool object_read(struct object *o, int fd)
{
  struct stat about;
  if (fstat(fd, &about) != 0 || about.st_size > SIZE_LIMIT)
    return false;
  o->size = (size_t)about.st_size;
  o->bytes = memory_create(o->size + 1, 1);
  size_t done = 0;
  for (ssize_t got; done < o->size && (got = read(fd, o->bytes + done, o->size - done)) > 0;)
    done += (size_t)got;
  return done == o->size;
}

// item[count] at this place of the file. False: it ends before.
static bool part_read(const struct object *o, uint64_t at, void *item, size_t size)
{
  if (at > o->size || size > o->size - at)
    return false;
  memcpy(item, o->bytes + at, size);
  return true;
}

// The machine of this program: that of its own code.
static unsigned own_machine(void)
{
#if defined __x86_64__
  return EM_X86_64;
#elif defined __aarch64__
  return EM_AARCH64;
#elif defined __powerpc64__
  return EM_PPC64;
#elif defined __riscv
  return EM_RISCV;
#else
  return EM_NONE; // unknown: the loader decides
#endif
}

static const char *header_fault(const struct object *o, ElfW(Ehdr) * header)
{
  const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  const unsigned char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (!part_read(o, 0, header, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_type != ET_DYN)
    return "it is not a shared object";
  if (header->e_ident[EI_CLASS] != class || header->e_ident[EI_DATA] != order ||
      (own_machine() != EM_NONE && header->e_machine != own_machine()))
    return "it is for another machine";
  return header->e_shentsize == sizeof(ElfW(Shdr)) ? NULL : "it is damaged";
}

static bool section_read(const struct object *o, const ElfW(Ehdr) * header, uint64_t number,
                         ElfW(Shdr) * section)
{
  return number < header->e_shnum &&
         part_read(o, header->e_shoff + number * sizeof *section, section, sizeof *section);
}

struct wanted { // a symbol
  const char *name;
  size_t size; // bytes at least
};

// Defined in this object, and as large.
static bool is_wanted(const struct object *o, const ElfW(Sym) * symbol, const ElfW(Shdr) * names,
                      const struct wanted *w)
{
  const size_t length = strlen(w->name) + 1;
  const uint64_t at = names->sh_offset + symbol->st_name;
  return symbol->st_shndx != SHN_UNDEF && (symbol->st_info & 0xf) == STT_OBJECT &&
         symbol->st_size >= w->size && at <= o->size && length <= o->size - at &&
         memcmp(o->bytes + at, w->name, length) == 0;
}

static bool table_has(const struct object *o, const ElfW(Shdr) * table, const ElfW(Shdr) * names,
                      const struct wanted *w)
{
  ElfW(Sym) symbol;
  for (uint64_t at = 0; at + sizeof symbol <= table->sh_size; at += sizeof symbol)
    if (!part_read(o, table->sh_offset + at, &symbol, sizeof symbol))
      return false;
    else if (is_wanted(o, &symbol, names, w))
      return true;
  return false;
}

static bool has_symbol(const struct object *o, const ElfW(Ehdr) * header, const struct wanted *w)
{
  ElfW(Shdr) table, names;
  for (uint64_t k = 0; section_read(o, header, k, &table); k++)
    if (table.sh_type == SHT_DYNSYM && section_read(o, header, table.sh_link, &names) &&
        table_has(o, &table, &names, w))
      return true;
  return false;
}

const char *plugin_file_fault(const char *path, const char *const *symbols, int count, size_t size)
{
  struct object o = {0};
  ElfW(Ehdr) header;
  const int fd = regular_file_open(path);
  if (fd < 0)
    return regular_file_reason(errno);
  const char *fault = object_read(&o, fd) ? header_fault(&o, &header) : "it is not a shared object";
  for (int k = 0; k < count && !fault; k++)
    if (!has_symbol(&o, &header, &(struct wanted){symbols[k], size}))
      fault = "it is no plug-in, or was not compiled by throng-plugin";
  close(fd);
  memory_destroy(o.bytes);
  return fault;
}
