# SPDX-License-Identifier: Apache-2.0
"""Simulate a network by events, and compare it with the closed form.

Messages wait in queues until the medium is free, are lost and sent again, and
routing sends by Trickle. Powers and lives are ranges: the 10th, 50th and 90th
percentile of all runs, each with a draw of all quantities from their tolerances,
which the closed form has, too. The last line says which of both to believe. Runs
are spread over --workers processes, or over a Dask cluster; the answer to a seed
is the same everywhere.

\b
Examples:
  samara energy simulate --topology chain --nodes 30 --interval 300
  samara energy simulate --topology grid --sink centre --nodes 80 --runs 8
  samara energy simulate --edges house.csv --interval 60 --hours 48 --json
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_powers
from samara.energy.network_simulation import simulate_network

command = answering(simulate_network, charts=charts_of_powers)
