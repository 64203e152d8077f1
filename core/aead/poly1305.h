/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_POLY1305_H
#define SAMARA_POLY1305_H

/* Poly1305 in the form that suits the machine. */

#include "common/machine.h"

#if SAMARA_WORD_BITS == 64 && SAMARA_MULTIPLIES && defined(__SIZEOF_INT128__)
#include "aead/poly1305_words.h"
#elif SAMARA_ARCH_AVR && defined(__AVR_HAVE_MUL__)
#include "aead/poly1305_bytes.h"
#else
#include "aead/poly1305_limbs.h"
#endif

#endif
