# SPDX-License-Identifier: Apache-2.0
"""Synthesise cores, and show their area and speed.

Area is in gate equivalents (GE): over that of the library's smallest NAND
gate of two inputs. Speed is that of the longest path between flip-flops. All
figures are estimates at one corner: the netlist has no layout, its wires no
delay, and its clock arrives everywhere at once.

Each core is synthesised for each goal. Where the two netlists differ, the
small one is not the fast one: a figure of area and a figure of speed are of
one netlist only if they are in one row.

\b
Examples:
  samara chip synth --n 1,8,64 --authenticate
  samara chip synth --variant fast --goal speed --liberty cells.lib.gz \\
    -o netlists
  samara chip synth --top axi --n 1 --variant plain --goal area
"""

from samara.chip.synthesised import synth
from samara.cli.shared.answering import answering

command = answering(synth, writes=False)
