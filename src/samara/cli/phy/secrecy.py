# SPDX-License-Identifier: Apache-2.0
"""Measure what encryption at the physical layer costs, and what it hides.

Each attack tries each scheme on frames with a channel code, over white Gaussian
noise. The eavesdropper knows all but the key. The table shows what it gained, with
an interval, and what it would have by chance. If mutual information is estimated,
a table shows the bias of the estimator on channels where the truth is known. The
last table shows the cost: Eb/N0 for a frame error rate of 0.1, symbols, keystream
and time.

repeated-keystream, few-keystreams, short-period, linear-feedback, counter-sum
and bit-order are broken on purpose: they
show that the attacks find what is there.

\b
Examples:
  samara phy secrecy ple
  samara phy secrecy none ple permutation --attack distinguish -o pictures
  samara phy secrecy rotation --modulation 16-qam --frames 4000 --json
  samara phy secrecy none ./my_scheme.py --attack known-pilots
"""

from samara.cli.shared.answering import answering
from samara.phy.secrecy import pictures
from samara.phy.secrecy.bench import measure_secrecy

command = answering(measure_secrecy, files=pictures.files, keeps="attacks")
