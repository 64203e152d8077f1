# SPDX-License-Identifier: Apache-2.0
"""Show the runs that are stored, and their p-values; no test is computed.

Without SOURCE, a row for each run: what was tested, and the verdict. With SOURCE,
a row for each p-value of its runs. The runs that come with samara are those of its
keystreams, of AES, and of sources that are bad on purpose.

\b
Examples:
  samara randomness show
  samara randomness show grain128ple
  samara randomness show bad:lcg --json
"""

from samara.cli.shared.answering import answering
from samara.randomness.shown import show

command = answering(show, charts="p-values", writes=False)
