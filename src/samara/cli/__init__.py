# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`.

Importing a command's module takes time, so this happens only when that command is
called. Until then the table in `samara.cli.commands` stands for it.
"""

import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line of this process."""
    # When the reader of a pipe has left (head), the process ends without an error.
    # SIGTERM becomes an exception, so that unfinished output files are removed.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    # So does SIGINT, except during the imports, when nothing has to be removed: then
    # it ends the process at once. If the parent ignores it, it stays ignored.
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from samara.cli.running import run  # noqa: PLC0415 - as above

    if interruptible:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))
