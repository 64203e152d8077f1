# SPDX-License-Identifier: Apache-2.0
"""Show the help of samara, or of one of its commands.

It is what COMMAND --help shows.

\b
Examples:
  samara help
  samara help seal
  samara help bench show
"""

from typing import Annotated

import typer

from samara.cli.running import run


def _help(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[COMMAND...]",
            help="The command, such as bench show. Default: samara itself.",
            show_default=False,
        ),
    ] = None,
) -> int:
    return run([*(words or ()), "--help"])


command = _help
