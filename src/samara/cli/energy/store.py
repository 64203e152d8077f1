# SPDX-License-Identifier: Apache-2.0
"""Compute how long a memory lasts that keeps the counter of a node.

The node keeps its counter with `samara/store.h` in a ring of records. A record covers
as many messages as the step says. A larger step writes less, and skips more numbers at
a reset. Without --step, the answer compares the powers of 2 up to 4096 and recommends
the smallest that reaches --years.

\b
Examples:
  samara energy store
  samara energy store --memory nrf52840-flash --interval 10 --resets 1
  samara energy store --step 1 --step 16 --records 80 --json
"""

from samara.cli.shared.answering import answering
from samara.energy.store_life import store_life

command = answering(store_life)
