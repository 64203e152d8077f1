# SPDX-License-Identifier: Apache-2.0
"""Compute how the life of a battery depends on the interval of messages.

The node sends to a sink in range. Years are a range of draws from the tolerances of
data sheets: 10 %, 50 % and 90 % of the draws are below.

\b
Examples:
  samara energy intervals --device cortex-m4 --mac contikimac
  samara energy intervals --level 6 --interval 10s --interval 1min \\
    --interval 1h
"""

from samara.cli.shared.answering import answering
from samara.energy.intervals import lifetimes_by_interval

command = answering(lifetimes_by_interval, charts="life-by-interval")
