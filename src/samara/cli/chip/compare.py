# SPDX-License-Identifier: Apache-2.0
"""Show what it costs to seal a message: cores beside microcontrollers.

Cores are those with results of `samara chip power`; devices those of `samara
bench`, each with the build of Grain-128AEAD that needs the least energy. Energy
of a device is that of its processor while it computes; of a core that of its
gates alone, without layout, memory, bus and wrapper. Beside it stand the area that
the wrapper adds, and the cycles of a host of 32 bits that puts the message into the
core and takes the answer: 4 for each of 9 register accesses and 6 for each beat of
data, which are assumed. A core is left out if its netlist does not reach the clock.

Below the table, the best core stands beside the best device of each kind of
processor: by which factor its gates are cheaper, how often messages must come if it
stays powered and leaks, and what is left of the factor if that device is its host
and feeds it.

\b
Examples:
  samara chip compare
  samara chip compare --message 16 --clock 100kHz
  samara chip compare --wrapper spi
"""

from samara.chip.compared import compare_costs
from samara.cli.shared.answering import answering

command = answering(compare_costs, charts="gates")
