# SPDX-License-Identifier: Apache-2.0
"""List what the life of a battery depends on, the strongest influence first.

One quantity is moved at a time, from its 10 % to its 90 % quantile; the others
stay as data sheets state them.

\b
Examples:
  samara energy depends --battery cr2032 --interval 60
  samara energy depends --mac tsch --device cortex-m4 --json
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_influences
from samara.energy.depends import depends

command = answering(depends, charts=charts_of_influences)
