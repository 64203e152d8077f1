# SPDX-License-Identifier: Apache-2.0
"""Tell what the image of a project takes, and each of its messages.

The project is built with a key of its own and runs in a simulator, where
nobody hears it. From a message to the next the command counts the cycles in
which the processor computes, the time in which its UART sends, and what is
written to the memory of counters. Flash, variables and the longest time with
interrupts off are read in the image; the stack is what the program has used.

A message is what is sent between two sleeps. To know what a whole day takes,
see `samara firmware run` and `samara energy`.

\b
Examples:
  samara firmware cost sensor
  samara firmware cost sensor --json
"""

from samara.cli.shared.answering import answering
from samara.firmware.costing import cost

command = answering(cost)
