# SPDX-License-Identifier: Apache-2.0
"""Estimate what the wait states of flash memory, or of FRAM, add.

The simulator runs the program and counts how long its instructions and constants are
waited for, by a model of the chip's flash memory: wait states at the clock, lines
that are kept, and prefetch. docs/bench.md has the model's limits.

Exit status: 0 if everything was measured, 1 if something was not, 2 if the command
was called wrongly.

\b
Examples:
  samara bench waits --device bluepill
  samara bench waits --device stm32f103 --clock 48MHz --suite aes128
  samara bench waits --device stm32f405 --wait-states 5 --suite ascon-aead128
"""

from samara.bench.flash_waits import waits
from samara.cli.shared.answering import answering

command = answering(waits)
