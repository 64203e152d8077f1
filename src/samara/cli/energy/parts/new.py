# SPDX-License-Identifier: Apache-2.0
"""Write a template of a part, to be filled in from its data sheet.

Each question mark stands for a value. A part with one that is left is refused when it
is used, with the name of the field.

\b
Examples:
  samara energy parts new radio my-radio -o my-board.toml
  samara energy parts new battery my-cell
"""

from pathlib import Path
from typing import Annotated

import typer

from samara.atomic_files import write_new
from samara.cli.shared import files
from samara.cli.shared.answering import takes_request
from samara.cli.shared.diagnostics import say
from samara.energy.part_template import TemplateRequest, template


def _new(
    request: TemplateRequest,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="New file for the template. Default: stdout.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace FILE if it exists.")
    ] = False,
) -> None:
    text = template(request)
    if output is None or output == files.STANDARD_STREAM:
        print(text, end="")
        return
    write_new(output, text.encode(), force=force)
    say(f"wrote {output}: fill in its question marks, and give it to --parts")


command = takes_request(_new)
