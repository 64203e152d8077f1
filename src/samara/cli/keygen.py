# SPDX-License-Identifier: Apache-2.0
"""Generate a random key for a suite or a block cipher, and write it as hex digits.

\b
Examples:
  samara keygen aes128-ccm-8 -o key
  samara keygen ascon-aead128
"""

from pathlib import Path
from typing import Annotated

import typer

from samara.atomic_files import write_secret
from samara.cli.shared import files
from samara.cli.shared.answering import takes_request
from samara.crypto.keys import KeyRequest, new_key
from samara.standard_streams import refuse_closed


def _keygen(
    request: KeyRequest,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="New file for the key, readable by its owner only. Default: stdout.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace FILE if it exists.")
    ] = False,
) -> None:
    text = new_key(request).hex() + "\n"
    if output is None or output == files.STANDARD_STREAM:
        refuse_closed()
        print(text, end="")
    else:
        write_secret(output, text.encode("ascii"), force=force)


command = takes_request(_keygen)
