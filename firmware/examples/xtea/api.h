/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of XTEA in bytes. Each of its 32 rounds has two words as round keys. */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_BLOCKBYTES 8
#define CRYPTO_STATEBYTES 256
