# SPDX-License-Identifier: Apache-2.0
"""Compare the energy model with measurements that others published.

Each row is a measurement, with the range that the model gives in the same unit, and
whether that range holds the measurement. The program says which rows a quantity of the
model was fitted to; all others judge it. It lists how many measurements the model says
nothing of, and why.

\b
Examples:
  samara energy check
  samara energy check --all -o check.csv
  samara energy check -o check.svg
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_check
from samara.energy.check import check
from samara.energy.plots.check import paint_check

command = answering(check, paint=paint_check, charts=charts_of_check)
