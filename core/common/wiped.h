/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_COMMON_WIPED_H
#define SAMARA_COMMON_WIPED_H

/* Local objects that hold secrets.
 *
 *   uint8_t mask[16];
 *   SAMARA_WIPED(mask);
 *
 * `mask` is then zeros when its scope ends, whichever way that is left: no
 * return can forget it. It is a declaration, and stands behind that of the
 * object. Rests that have no name in C are samara_leave's (common/stack.h).
 *
 * This needs the attribute `cleanup` of gcc and clang, the compilers that the
 * library is written for. Once inlined it is the call of samara_wipe that would
 * stand at the end of the scope. */

#include "common/machine.h"
#include <samara/memory.h>

typedef struct samara_wiped {
  void *memory;
  size_t size;
} samara_wiped;

SAMARA_INLINE void samara_wipe_object(const samara_wiped *object) {
  samara_wipe(object->memory, object->size);
}

#define SAMARA_WIPED(object)                                                   \
  const samara_wiped samara_wiped_##object                                     \
      __attribute__((cleanup(samara_wipe_object), unused)) = {&(object),       \
                                                              sizeof(object)}

#endif
