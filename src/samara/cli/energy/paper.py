# SPDX-License-Identifier: Apache-2.0
"""Compare the figures of Altolini et al. with samara's, and list contradictions.

Their contours of a network's life (Figs. 6 and 7) are told by the preset paper, and
held against what the paper's text states of them: its lines were not at hand. The
preset has no tolerances, so that its lives are one value each;
times of CCM* (Figs. 8 and 9, Table V) and memory (Table VI) are those of the
bench on ATmega128RFA1, at the paper's clock and power. A ratio above 1 means that
the paper's figure is larger.

-o writes fig6 to fig9 as .png, .svg and .csv, and table5.csv, table6.csv and
contradictions.csv.

\b
Examples:
  samara energy paper
  samara energy paper -o altolini
  samara energy paper --json
"""

from samara.cli.shared.answering import answering
from samara.energy.paper import paper
from samara.energy.paper_files import paper_files

command = answering(paper, files=paper_files)
