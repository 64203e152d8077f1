# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`.

Importing a command's module takes time, so this happens only when that command is
called. Until then the table in `samara.cli.commands` stands for it.
"""

import gc
import signal
import sys
from typing import NoReturn

from samara.cli.cycles import hold_search
from samara.cli.importing import hold_signals
from samara.standard_streams import hold_closed


def main() -> NoReturn:
    """Run the command line of this process."""
    # When the reader of a pipe has left (head), the process ends without an error.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    hold_closed()
    hold_signals()
    hold_search()
    from samara.cli.running import run  # noqa: PLC0415 - the signals first
    from samara.cli.shared.encoding import take_any_encoding  # noqa: PLC0415

    # Here, not in `run`: a program that calls `run` keeps its streams as they are.
    take_any_encoding()

    status = run(sys.argv[1:])
    # Before it ends, the interpreter searches all objects for cycles, several times.
    # That took a sixth of `samara energy life`, and finds nothing that has to be done.
    gc.freeze()
    sys.exit(status)
