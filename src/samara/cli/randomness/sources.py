# SPDX-License-Identifier: Apache-2.0
"""List the sources of bits that samara randomness run tests.

Sources whose names begin with bad: are bad on purpose: a battery that misses one
shows nothing.

\b
Examples:
  samara randomness sources
  samara randomness sources --json
"""

from samara.cli.shared.answering import answering
from samara.randomness.source_list import list_sources

command = answering(list_sources)
