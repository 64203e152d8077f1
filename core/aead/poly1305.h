/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SAMARA_POLY1305_H
#define SAMARA_POLY1305_H

/* Poly1305 in the form that suits the machine. Each header is empty unless its
 * form is chosen here. */

#include "common/machine.h"

#define POLY1305_LIMBS 1
#define POLY1305_WORDS 2
#define POLY1305_BYTES 3

#if SAMARA_WORD_BITS == 64 && SAMARA_MULTIPLIES && defined(__SIZEOF_INT128__)
#define POLY1305_FORM POLY1305_WORDS
#elif SAMARA_ARCH_AVR && defined(__AVR_HAVE_MUL__)
#define POLY1305_FORM POLY1305_BYTES
#else
#define POLY1305_FORM POLY1305_LIMBS
#endif

#include "aead/poly1305_bytes.h"
#include "aead/poly1305_limbs.h"
#include "aead/poly1305_words.h"

#endif
