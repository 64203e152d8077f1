# SPDX-License-Identifier: Apache-2.0
"""Show what happens in a network over time: a week, in windows of six hours.

The network is simulated by events, as `samara energy simulate` does, with all
quantities as data sheets state them. For each window of --step hours the table has
the messages that were made, delivered and lost, the node that draws the most, and
the least charge of a battery. With --json, each window also has the frames, the
energy and the charge of each node. The same --seed gives the same events.

\b
Examples:
  samara energy timeline
  samara energy timeline --topology grid --nodes 24 --interval 900 --hours 24
  samara energy timeline --step 1 --json > week.jsonl
"""

from samara.cli.shared.answering import answering
from samara.energy.network_timeline import network_timeline

command = answering(network_timeline)
