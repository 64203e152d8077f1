# SPDX-License-Identifier: Apache-2.0
"""What the console is asked as it starts."""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Final

from samara.records import Parameter, Request, request_class

HOST: Final = "127.0.0.1"


class _Addresses:
    """Addresses to listen on: the system takes an empty one for all of this machine."""

    def __contains__(self, value: object) -> bool:
        try:
            return isinstance(value, str) and bool(ipaddress.IPv4Address(value))
        except ValueError:
            return False

    def __str__(self) -> str:
        return "an IPv4 address"


@request_class
class ConsoleRequest(Request):
    """A console that is to run."""

    nodes: Annotated[
        tuple[Path, ...],
        Parameter(
            metavar="[DIR...]",
            help="Directories of nodes to show, too.",
            repeatable=True,
            is_argument=True,
        ),
    ] = ()
    host: Annotated[
        str,
        Parameter(
            metavar="ADDRESS",
            help="IP address to listen on, such as 127.0.0.1 for this machine only.",
            values=_Addresses(),
        ),
    ] = HOST
    port: Annotated[
        int,
        Parameter(
            help="Port to listen on, or the next free one; 0: any.",
            values=range(65536),
        ),
    ] = 8154
    folder: Annotated[
        Path | None,
        Parameter(
            name="state",
            metavar="DIR",
            help="Where conversations are kept.",
            default_text="samara/console in $XDG_STATE_HOME or ~/.local/state",
        ),
    ] = None
