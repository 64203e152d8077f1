# SPDX-License-Identifier: Apache-2.0
"""Addresses of a channel and of its radios, for `samara.phy.air` and its users."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from samara.errors import ArgumentError


def default_address() -> str:
    """Return the address of a channel when none is given: one for each user.

    It is in the user's runtime directory, or in the directory for temporary files.
    """
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    if runtime:
        return f"ipc://{Path(runtime, 'samara-channel')}"
    return f"ipc://{Path(tempfile.gettempdir(), f'samara-channel-{os.getuid()}')}"


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The two endpoints of a radio of a channel."""

    transmit: str
    receive: str

    @classmethod
    def of(cls, address: str, radio: int) -> Self:
        """Return the endpoints of a radio.

        Parameters
        ----------
        address
            ipc://PATH (each radio has two sockets, PATH with a suffix) or
            tcp://HOST:PORT (each radio has two ports, counted up from this one).
        radio
            Number of the radio, from 0.

        Raises
        ------
        ArgumentError
            If the address is neither.
        """
        if address.startswith("ipc://"):
            return cls(f"{address}.{radio}.tx", f"{address}.{radio}.rx")
        host, _, port = address.rpartition(":")
        if not host.startswith("tcp://") or not port.isdigit():
            message = (
                f"{address!r} is not an address of a channel: expected ipc://PATH or "
                "tcp://HOST:PORT"
            )
            raise ArgumentError(message)
        first = int(port) + 2 * radio
        return cls(f"{host}:{first}", f"{host}:{first + 1}")
