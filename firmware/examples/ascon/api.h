/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of Ascon-AEAD128 in bytes, as NIST's Lightweight Cryptography project
 * names them. */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 16
#define CRYPTO_ABYTES 16
#define CRYPTO_NOOVERLAP 1
