# SPDX-License-Identifier: Apache-2.0
"""Compute how long the battery of a node lasts that sends to a sink in range.

Years are a range: the 10th, 50th and 90th percentile of all draws. "Taken" is the
share of the life without security that security costs, in the same draws.

\b
Examples:
  samara energy life --bytes 20 --interval 300 --battery cr2032
  samara energy life --compare none,5,6,7 --mac contikimac
  samara energy life --level 6 --compare none --compare suite=ascon-aead128
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_lifetimes
from samara.energy.life import life

command = answering(life, charts=charts_of_lifetimes)
