/* SPDX-License-Identifier: Apache-2.0 */
/* Template: the end of what wide_template.h began. */

#undef WIDE
#undef WIDE_BLOCKS
#undef WIDE_NAME
#undef WIDE_LOCAL
#undef WIDE_INLINE
#undef WIDE_KERNEL
#undef WIDE_TARGET
#undef WIDE_UNROLL
#undef wide
#undef wide_load
#undef wide_store
#undef wide_xor
#undef wide_encrypt
#undef wide_encrypt_last
#undef wide_bytes
#undef wide_words
#undef wide_add32
#undef wide_add64
#undef wide_multiply
#undef wide_broadcast
#undef wide_first
#undef wide_numbers
#undef wide_forget
#undef wide_load_block
#undef wide_store_block
#undef wide_sum
#undef wide_round_key
#undef wide_reverse
#undef wide_rounds
