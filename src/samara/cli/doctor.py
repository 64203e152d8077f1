# SPDX-License-Identifier: Apache-2.0
"""Show what samara can use on this machine, what is missing, and what to install.

Each row is a program, a Python package, or a facility of the machine, with the
commands that use it. Package names are those of Debian and Ubuntu. Nothing is
changed, and no network is used.

Exit status: 0 if all that every command needs is there, 1 if not. Missing optional
parts do not change it. Without the C library no command starts: it is 2.

\b
Examples:
  samara doctor
  samara doctor --missing
  samara doctor --json
"""

from samara.cli.shared.answering import answering
from samara.doctor import examine

command = answering(examine, writes=False)
