/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "image.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

/* Where avr-ld puts what is in no flash memory: variables, EEPROM, fuses. */
enum { ELSEWHERE = 0x800000 };

static bool load_segment(avr_t *avr, Elf *elf, const GElf_Phdr *segment) {
  if (segment->p_type != PT_LOAD || segment->p_filesz == 0 ||
      segment->p_paddr >= ELSEWHERE) {
    return true;
  }
  const uint64_t room = (uint64_t)avr->flashend + 1;
  if (segment->p_paddr > room || segment->p_filesz > room - segment->p_paddr) {
    return false;
  }
  Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)segment->p_offset,
                                        (size_t)segment->p_filesz, ELF_T_BYTE);
  if (data == NULL) {
    return false;
  }
  memcpy(avr->flash + segment->p_paddr, data->d_buf, data->d_size);
  return true;
}

static bool load_segments(avr_t *avr, Elf *elf) {
  size_t count = 0;
  bool loaded = elf_getphdrnum(elf, &count) == 0;
  for (size_t i = 0; loaded && i < count; i++) {
    GElf_Phdr segment;
    loaded = gelf_getphdr(elf, (int)i, &segment) != NULL &&
             load_segment(avr, elf, &segment);
  }
  return loaded;
}

/* Behind the last instruction. */
static avr_flashaddr_t code_end(Elf *elf) {
  GElf_Addr end = 0;
  for (Elf_Scn *one = NULL; (one = elf_nextscn(elf, one)) != NULL;) {
    GElf_Shdr section;
    if (gelf_getshdr(one, &section) != NULL &&
        (section.sh_flags & SHF_EXECINSTR) != 0 &&
        section.sh_addr + section.sh_size > end) {
      end = section.sh_addr + section.sh_size;
    }
  }
  return (avr_flashaddr_t)end;
}

bool load_image(avr_t *avr, const char *path) {
  const int file = open(path, O_RDONLY);
  if (file < 0 || elf_version(EV_CURRENT) == EV_NONE) {
    return false;
  }
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  const bool loaded = elf != NULL && load_segments(avr, elf);
  if (loaded) {
    avr->codeend = code_end(elf);
  }
  elf_end(elf);
  close(file);
  return loaded;
}
