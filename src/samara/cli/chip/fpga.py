# SPDX-License-Identifier: Apache-2.0
"""Place and route cores in an FPGA, and show their area and speed.

yosys maps a core to the cells of the part, nextpnr places and routes it, once a
seed. Clocks are estimates by nextpnr's model of the part at its worst case; the
clock of one seed is luck, so the best and the median of all seeds are shown.

The core has more ports than the part has pins. It stands between two shift
registers with a clock of their own: their cells are subtracted, and only
paths from flip-flop to flip-flop of the core count. With --top spi everything
counts.

\b
Examples:
  samara chip fpga --part ice40-hx8k --n 1,8 --variant plain
  samara chip fpga --part ecp5-25k --variant fast --seeds 10 -o placed
  samara chip fpga --part ice40-hx8k --top spi --n 1
"""

from samara.chip.placed import place
from samara.cli.shared.answering import answering

command = answering(place, writes=False)
