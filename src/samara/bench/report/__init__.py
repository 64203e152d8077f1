# SPDX-License-Identifier: Apache-2.0
"""The bench's report: a page and a file a table, from results and published figures.

Sections find their figures and do not depend on HTML. For what has not been measured,
a report has the command that measures it.
"""
