# SPDX-License-Identifier: Apache-2.0
"""Compute the air time of a message, and how many messages an hour allows.

Strobes, preambles and repetitions of the medium access count. What a node
sends for others, its acknowledgements, and messages that are lost and sent again
are not in it. Each answer is a range, the 10th, 50th and 90th percentile of draws,
where it depends on quantities with a tolerance, such as how long a radio takes to
turn around; else it is one value, of bit rates, sizes and duty cycles, which are
settings.

\b
Examples:
  samara energy airtime --band eu868 --level 6 --bytes 20
  samara energy airtime --band eu868-low --mac x-mac --radio sx1262
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_airtime
from samara.energy.messages_allowed import messages_allowed

command = answering(messages_allowed, charts=charts_of_airtime)
