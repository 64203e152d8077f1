# SPDX-License-Identifier: Apache-2.0
"""Seal and open a message with every suite, and try to forge it.

The forgery changes one bit of the sealed message. A suite that authenticates
must refuse it; exit status 1 if one does not.

\b
Examples:
  samara tour
  samara tour --json
"""

from samara.cli.shared.answering import answering
from samara.crypto.tour import tour

command = answering(tour)
