/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a template that began with words_template.h: what every cipher on words
 * has in common, the modes where blocks have 128 bits, and the #undefs. */

void NAME(wipe)(KEY *key) { samara_wipe(key, sizeof *key); }

#undef load_word
#undef store_word
#undef rotate_left
#undef rotate_right
#undef add_words
#undef subtract_words
#undef WORD_SIZE
#undef WORD_MASK
#undef WORD
#undef KEY_WORDS
#undef ROUNDS

#if WORD_BITS == 64
#include "mode/block_modes_template.h"
#else
#undef SAMARA_CIPHER
#endif
#undef WORD_BITS
