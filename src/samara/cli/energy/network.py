# SPDX-License-Identifier: Apache-2.0
"""Compute how long networks live, and which share of that security costs.

Lives and shares are ranges: the 10th, 50th and 90th percentile of draws from the
tolerances of data sheets. Networks that saturate, or that send for longer than a
band allows, in at least one draw of ten, are marked and have no life. -o draws
contours: medians as lines, 10 % and 90 % dashed; what does not work is hatched.

\b
Examples:
  samara energy network --topology tree --nodes 10:60 --interval 60:3600
  samara energy network --preset paper -o paper.svg
  samara energy network --radio cc1350 --band eu868 -o eu868.csv
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_networks
from samara.energy.network_lifetimes import network_lifetimes
from samara.energy.plots.networks import paint_network_lifetimes

command = answering(
    network_lifetimes,
    paint=paint_network_lifetimes,
    charts=charts_of_networks,
    size=(9.0, 4.2),
)
