# SPDX-License-Identifier: Apache-2.0
"""List the cores: the design in rtl/ with its parameters.

Bits a clock are those of the message, or of the keystream, while nothing
stalls.

\b
Examples:
  samara chip cores
  samara chip cores --variant fast --authenticate --json
"""

from samara.chip.choosing import list_cores
from samara.cli.shared.answering import answering

command = answering(list_cores)
