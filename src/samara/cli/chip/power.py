# SPDX-License-Identifier: Apache-2.0
"""Simulate messages through netlists of cores, and show their power.

The netlist of each core seals a message, gate by gate; its answers are compared
with those of the library. How often each pin changed gives the power: before
data (starting: key, nonce, mixing) and with data (running). Gates have no delay
in the simulation, so glitches are missing; so are the wires and the clock tree
of a layout.

Energy of a message includes its start. Dynamic energy of a clock does not
depend on the frequency; leakage is a power, which costs more energy the slower
the clock is. A warning says if a netlist does not reach the clock.

\b
Examples:
  samara chip power --n 8 --clock 10MHz
  samara chip power --variant low-power --clock 100kHz --liberty cells.lib.gz
"""

from samara.chip.simulated import simulate
from samara.cli.shared.answering import answering

command = answering(simulate, writes=False)
