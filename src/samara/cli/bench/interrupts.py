# SPDX-License-Identifier: Apache-2.0
"""Tell how long the C library switches interrupts off.

The whole library is compiled for each device, and its machine code is read.
On an AVR, a function that sets the stack pointer keeps interrupts out for a
few cycles, and so does the C library where it writes a byte of the EEPROM.
On other processors, functions that switch interrupts off are named, and
their cycles are not counted.

Handlers of interrupts, and what a program does itself, are not in it:
`samara firmware cost` reads the image of a whole project.

\b
Examples:
  samara bench interrupts --device atmega328p
  samara bench interrupts --device cortex-m0 --device msp430f1611 --opt O2
  samara bench interrupts --device atmega328p --json
"""

from samara.bench.interrupts import interrupts
from samara.cli.shared.answering import answering

command = answering(interrupts, writes=False)
