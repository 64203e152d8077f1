# SPDX-License-Identifier: Apache-2.0
"""Measure a selection again, and put its figures into results/.

The new figures replace the committed ones at all sizes. The reason is added
to results/accepted.jsonl, with what has changed. If anything cannot be
measured, nothing is replaced and the exit status is 1.

\b
Examples:
  samara bench accept --device cortex-m0 --suite aes128-ccm-16 \\
    --why "masks against a compiler's shortcut cost 3 %"
"""

from samara.bench.accepting import accept
from samara.cli.shared.answering import answering

command = answering(accept, writes=False, pages=False)
