# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`.

Importing a command's module takes time, so this happens only when that command is
called. Until then the table in `samara.cli.commands` stands for it.
"""

import signal
import sys
from typing import NoReturn

from samara.cli.importing import ended_by_interrupt


def main() -> NoReturn:
    """Run the command line of this process."""
    # When the reader of a pipe has left (head), the process ends without an error.
    # SIGTERM becomes an exception, so that unfinished output files are removed.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # So does SIGINT, except during imports.
    with ended_by_interrupt():
        from samara.cli.running import run  # noqa: PLC0415 - as above

    sys.exit(run(sys.argv[1:]))
