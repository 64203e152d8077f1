/* SPDX-License-Identifier: Apache-2.0 */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 8
