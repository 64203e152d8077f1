# SPDX-License-Identifier: Apache-2.0
"""List the published tables that `samara bench report` compares with.

The files are in published/. With --json their rows are printed too, each
value as the paper has it.

\b
Examples:
  samara bench published
  samara bench published --paper modspeck --json
"""

from samara.bench.paper_list import list_papers
from samara.cli.shared.answering import answering

command = answering(list_papers, writes=False)
