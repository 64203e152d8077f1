# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page about runs of samara randomness run.

For each source: the share of sequences that passes each test, with NIST's
interval, the uniformity of p-values, and histograms; what the paper on ModSpeck
states beside it; which tests found the sources that are bad on purpose; and what
passing does not prove. The directory gets index.html, which needs only a browser,
and a CSV file for each table.

\b
Examples:
  samara randomness run modspeck128-128-ctr -o runs/modspeck
  samara randomness report runs
  samara randomness report results/randomness -o page
"""

from samara.cli.shared.answering import answering
from samara.randomness.report.making import report

command = answering(report, writes=False, pages=False)
