# SPDX-License-Identifier: Apache-2.0
"""Compile ciphers for devices, run them on simulators, and count cycles.

Every answer is compared with that of the library on this machine. Without
options all ciphers are measured on all devices: about 20 minutes on two
processors.

Exit status: 0 if everything was measured, 1 if something was not, 2 if the
command was called wrongly.

\b
Examples:
  samara bench run --device atmega328p --suite aes128-ccm-8 --message 64
  samara bench run --device nrf52840 --suite aes128 --opt Os
  samara bench run --device atmega328p --suite aes128 \\
    --implementation assembly
  samara bench run --suite grain128aead --suite ascon-aead128 --json
"""

from samara.bench.run import run
from samara.cli.shared.answering import answering

command = answering(run, writes=False)
