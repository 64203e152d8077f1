# SPDX-License-Identifier: Apache-2.0
"""List the parts that options can name, and where each is from.

\b
Examples:
  samara energy parts list
  samara energy parts list --kind battery --json
  samara energy parts list --parts my-board.toml
"""

from samara.cli.shared.answering import answering
from samara.energy.part_list import list_parts

command = answering(list_parts)
