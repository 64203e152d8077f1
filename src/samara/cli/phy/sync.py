# SPDX-License-Identifier: Apache-2.0
"""Measure how reliably the receiver finds frame counters that are not sent.

Each frame is searched for twice: in a window of counters that contains its
counter at a random place, and in a window that does not. The table shows the
share of the counters that are found, the number of wrong counters that are
found, and the share of the frames that can be decoded if the counter is known.
Speeds are millions of counters per second of one core's processor time.

\b
Examples:
  samara phy sync
  samara phy sync --window 65536 --ebn0 3 --frames 200
  samara phy sync --ebn0 0:5:0.5 -o sync --json
"""

from samara.cli.shared.answering import answering
from samara.phy import searching

command = answering(searching.search_counters, files=searching.files, keeps="points")
