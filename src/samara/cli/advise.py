# SPDX-License-Identifier: Apache-2.0
"""Recommend a suite, tag and layer for a product, and say how long its battery lasts.

All suites that the bench has measured on the device are tried, at each layer and
with each build. Of those that keep all limits, the one with the longest life is
recommended; lives within 1 % are equal, and then a standard comes before a
finalist, and less flash before more. The node sends to a sink in range and passes
on nothing: for one that relays, see `samara energy network`. -o draws flash against
energy. When nothing fits, the command says what to relax to which value, and exits
with 1.

\b
Examples:
  samara advise --device atmega328p --bytes 20 --interval 300 --years 1
  samara advise --device cortex-m4 --mac contikimac --battery cr2032 \\
    --tag 8 --layer link -o choices.svg
  samara advise --device atmega328p --flash 4Ki --ram 200 --latency 150ms \\
    --json
"""

from samara.cli.shared.answering import answering
from samara.energy.advise import advise
from samara.energy.plots.advice import paint_choices

command = answering(advise, paint=paint_choices, charts="advice", size=(7.2, 4.2))
