# SPDX-License-Identifier: Apache-2.0
"""Reports: one page and a file a table, from results and published figures.

A report consists of sections, which find their figures and do not depend on HTML;
`page` and `files` write them. For what has not been measured, a report has the
command that measures it.
"""

from samara.bench.report.making import PAPERS, Report, make, write

__all__ = ["PAPERS", "Report", "make", "write"]
