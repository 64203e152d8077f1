# SPDX-License-Identifier: Apache-2.0
"""Options that several commands of `samara ip` have."""

from typing import Annotated

import typer

from samara.net.addresses import DEFAULT_PREFIX

Prefix = Annotated[
    str,
    typer.Option(
        metavar="PREFIX",
        help=f"Prefix of the network, 64 bits. Default: {DEFAULT_PREFIX}.",
        show_default=False,
    ),
]
