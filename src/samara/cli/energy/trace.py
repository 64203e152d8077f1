# SPDX-License-Identifier: Apache-2.0
"""Read what a device draws from a trace of its current.

FILE is what a power analyzer has written: CSV of a Power Profiler Kit II, Otii or
EnergyTrace, a session of a Power Profiler Kit II (.ppk2), Joulescope (.jls, needs
pip install 'samara[jls]'), or other CSV with --columns. It may be of any length: it
is read in blocks.

Sleep is the mean between events. Pulses by which a converter recharges belong to it.
Events are sorted into kinds by duration and charge; the most frequent kind that comes
at regular times is called poll. --lengths says which events are transmissions of which
length; then the charge of a byte is shown, too. What could not be found out is listed
below the tables. --write-parts writes what was measured as a parts file.

\b
Examples:
  samara energy trace node.ppk2
  samara energy trace scope.csv --columns time=ms,current=uA --threshold 150uA
  samara energy trace node.csv --lengths sent.csv --write-parts node.toml \\
    -o node.svg
"""

from samara.cli.shared.answering import answering
from samara.energy.trace.charts import charts_of_trace
from samara.energy.trace.tracing import trace

command = answering(trace, charts=charts_of_trace)
