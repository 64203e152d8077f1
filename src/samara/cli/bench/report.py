# SPDX-License-Identifier: Apache-2.0
"""Write one HTML page of all results, beside the figures of the papers.

The directory gets index.html, which needs only a browser, and a CSV file
for each table. For what is not measured yet, the command that measures it
is printed.

\b
Examples:
  samara bench report
  samara bench report --paper grain128aead --paper modspeck -o papers
"""

from samara.bench.report.making import report
from samara.cli.shared.answering import answering

command = answering(report, writes=False, pages=False)
