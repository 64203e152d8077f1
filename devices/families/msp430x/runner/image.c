/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* What is below FRAM are the headers of the file, which lld puts there. */
static bool load_segment(machine *m, Elf *elf, const GElf_Phdr *segment) {
  if (segment->p_type != PT_LOAD || segment->p_filesz == 0 ||
      segment->p_paddr < m->fram_start) {
    return true;
  }
  if (segment->p_paddr > MEMORY_BYTES ||
      segment->p_filesz > MEMORY_BYTES - segment->p_paddr) {
    return false;
  }
  Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset,
                                        (size_t)segment->p_filesz, ELF_T_BYTE);
  if (data == NULL) {
    return false;
  }
  memcpy(m->memory + segment->p_paddr, data->d_buf, data->d_size);
  return true;
}

static bool load_segments(machine *m, Elf *elf) {
  size_t count = 0;
  bool loaded = elf_getphdrnum(elf, &count) == 0;
  for (size_t i = 0; loaded && i < count; i++) {
    GElf_Phdr segment;
    loaded = gelf_getphdr(elf, (int)i, &segment) != NULL &&
             load_segment(m, elf, &segment);
  }
  return loaded;
}

bool machine_load_image(machine *m, const char *path) {
  const int file = open(path, O_RDONLY);
  if (file < 0 || elf_version(EV_CURRENT) == EV_NONE) {
    return false;
  }
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  const bool loaded = elf != NULL && load_segments(m, elf);
  elf_end(elf);
  close(file);
  return loaded;
}
