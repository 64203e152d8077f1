# SPDX-License-Identifier: Apache-2.0
"""Measure a cipher that is not part of samara.

PATH is a directory with api.h and sources in C and assembly (.S, .s) that
define crypto_aead_encrypt and crypto_aead_decrypt, as in NIST's Lightweight
Cryptography project; or, for a block cipher, crypto_block_set_key,
crypto_block_encrypt and crypto_block_decrypt, which are timed apart. The
headers crypto_aead.h and crypto_block.h are supplied if PATH lacks them;
the latter, in firmware/measure/lwc, describes the interface.

Left out are C files that define main, such as NIST's genkat_aead.c: they
call the cipher and are no part of it. A warning names them. Left out, too,
are subdirectories, files of other languages, and the file with NIST's
table lwc_aead_cipher if another one defines crypto_aead_encrypt.

Answers of the devices are compared with --same-as, or with --reference, or
else with the C sources of PATH, compiled for this machine. Known answers
are checked as well, except for a block cipher. Without --kat, a file
LWC_AEAD_KAT_*.txt in PATH or in its parent directory is used. If this
machine cannot compile the sources, known answers are enough: the device
must also open what it has sealed and refuse a changed tag.

NAME is kept for `samara bench run` and `show` if at least one device could
build and run the cipher.

\b
Examples:
  samara bench add firmware/examples/ascon --name my-ascon \\
    --device atmega328p --message 64
  samara bench add firmware/examples/ascon --name my-ascon \\
    --device cortex-m3 --same-as ascon-aead128 --replace \\
    --message 16 --ad 14 --opt O2
  samara bench add firmware/examples/xtea --name my-xtea --device atmega328p
"""

from samara.bench.add import add
from samara.cli.shared.answering import answering

command = answering(add, writes=False)
