# SPDX-License-Identifier: Apache-2.0
"""Show a part: each value with its unit, tolerance, origin and source.

\b
Examples:
  samara energy parts show cr2032
  samara energy parts show my-radio --parts my-board.toml
"""

from samara.cli.shared.answering import answering
from samara.energy.part_list import show_part

command = answering(show_part)
