# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page of all results, beside Tables 2 to 4 of the note.

The directory gets index.html, which needs only a browser, and a CSV file for
each table. Results are those of the repository and your own; `samara chip
synth` and `samara chip power` make them.

\b
Examples:
  samara chip report
  samara chip report --store results/chip -o page
"""

from samara.chip.report.making import report
from samara.cli.shared.answering import answering

command = answering(report, writes=False, pages=False)
