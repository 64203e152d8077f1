# SPDX-License-Identifier: Apache-2.0
"""Build a project, and tell how much flash and RAM its image takes.

RAM is that of variables; the stack comes on top.

\b
Examples:
  samara firmware size sensor
  samara firmware size sensor --json
"""

from samara.cli.shared.answering import answering
from samara.firmware.measuring import size

command = answering(size)
