# SPDX-License-Identifier: Apache-2.0
"""Show a node's settings, counters, and totals of what it has received.

\b
Examples:
  samara node status alice
  samara node status alice --json
"""

from samara.cli.shared.answering import answering
from samara.link.node.status import status

command = answering(status)
