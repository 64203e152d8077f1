# SPDX-License-Identifier: Apache-2.0
"""Show the best public code that is known, beside the fastest of samara's.

Each row is about one message or block, measured in the same simulator, and
one of samara's implementations, such as C or assembly. times is samara's
count divided by that of the public code. Cycles are compared where they are
measured, instructions where they are estimated.

Every pair of public code and a device is shown, the lost ones first: those of
which even the fastest of samara's implementations takes more than the public
code, the worst at the top. What is not measured comes last.

\b
Examples:
  samara bench best --device atmega128
  samara bench best --suite aes128 --json
"""

from samara.bench.best import best
from samara.cli.shared.answering import answering

command = answering(best, charts="best", writes=False)
