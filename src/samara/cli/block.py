# SPDX-License-Identifier: Apache-2.0
"""Encrypt or decrypt one block with a block cipher.

This is the cipher without a mode of operation, to compare with test vectors. To
protect messages, use `samara seal`.

For AES the bytes are in the order of FIPS 197. Speck, Simon and ModSpeck follow
the designers' implementation guide: little-endian words, the low word first.
The designers' paper prints the high word first: the first example is its
Speck64/96 vector, with key 13121110 0b0a0908 03020100, plaintext 74614620
736e6165 and ciphertext 9f7952ec 4175946c.

\b
Examples:
  samara block speck64-96 encrypt --key 0001020308090a0b10111213 \\
    65616e7320466174  # 6c947541ec52799f
  samara block aes128 encrypt --key 000102030405060708090a0b0c0d0e0f \\
    00112233445566778899aabbccddeeff  # 69c4e0d86a7b0430d8cdb78070b4c55a
"""

from samara.cli.shared.answering import answering
from samara.crypto.single_block import crypt_block

command = answering(crypt_block, writes=False)
