# SPDX-License-Identifier: Apache-2.0
"""Reports: one page and a file a table, from results and published figures.

A part of a report is made of sections, which know where to find their figures
and nothing of HTML; `page` and `files` write what sections hold. What has not
been measured is said, with the command that measures it.
"""

from samara.bench.report.making import PAPERS, Report, make, write

__all__ = ["PAPERS", "Report", "make", "write"]
