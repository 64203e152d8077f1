# SPDX-License-Identifier: Apache-2.0
"""Show the energy that its sender spends on one message, by part.

Parts: data, security bytes, listening, receiving, control, cipher, durable
counter writes, sleep. They add up to the total; listening and sleep are those
from one message to the next. The total is also given as a range: the 10th, 50th
and 90th percentile of draws from the tolerances of data sheets.

\b
Examples:
  samara energy message --level 6 --bytes 20 --mac box-mac-2
  samara energy message --link rf-serial --bytes 14 --device atmega328p
  samara energy message --mac tsch --interval 60 --device cortex-m4 --json
"""

from samara.cli.shared.answering import answering
from samara.energy.charts import charts_of_message
from samara.energy.message import message
from samara.energy.plots.message import paint_message

command = answering(message, paint=paint_message, charts=charts_of_message)
