# SPDX-License-Identifier: Apache-2.0
"""Measure again, and compare with the committed results.

One message of each suite is measured, with -Os; with --all, everything. All
committed results are read, also those that are not measured again, and figures
that cannot be true are told: sizes beyond the memory, times that are not those
of the cycles, fewer cycles for more work.

Results that were committed with another version of the compiler are counted,
and not compared. To commit to changed figures, use `samara bench accept`.

Exit status: 0 if all figures are equal; 1 if one differs or cannot be true,
nothing could be compared, or something could not be measured; 2 if the command
was called wrongly.

\b
Examples:
  samara bench check --device atmega328p
  samara bench check --device cortex-m4 --suite aes128-ccm-8 --all
  samara bench check --all
"""

from samara.bench.checking import check
from samara.cli.shared.answering import answering

command = answering(check, writes=False, pages=False)
