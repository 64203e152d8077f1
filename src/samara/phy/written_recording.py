# SPDX-License-Identifier: Apache-2.0
"""What requests have in common that record a message after a channel."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

from samara.errors import MisuseError
from samara.records import Parameter, Request, request_class
from samara.units import HERTZ, PPM

_MOST_BYTES = 1 << 16

CarrierOffset: TypeAlias = Annotated[
    float,
    Parameter(name="offset", unit=HERTZ, help="Carrier frequency offset in Hz."),
]
ClockError: TypeAlias = Annotated[
    float, Parameter(unit=PPM, help="Clock error of the transmitter.")
]


@request_class
class WrittenRecording(Request):
    """A message, and the recording that it is written into."""

    name: Annotated[
        Path,
        Parameter(
            is_argument=True, metavar="NAME", help="Name of the recording to write."
        ),
    ]
    message: Annotated[
        str | None, Parameter(help="Message to send.", longest=_MOST_BYTES)
    ] = None
    content: Annotated[
        bytes | None,
        Parameter(
            name="input",
            short="i",
            metavar="FILE",
            help="File to send.",
            from_file=True,
            longest=_MOST_BYTES,
        ),
    ] = None

    def sent(self) -> bytes:
        """Return the message.

        Raises
        ------
        MisuseError
            When not one message is given.
        """
        if (self.message is None) == (self.content is None):
            wrong = "expected either --message TEXT or -i FILE"
            raise MisuseError(wrong)
        return self.content or (self.message or "").encode("utf-8")

    def new_files(self) -> tuple[Path, Path]:
        """Return the files for facts and samples.

        Raises
        ------
        MisuseError
            When one of them exists.
        """
        from samara.phy import recordings  # noqa: PLC0415 - NumPy is slow

        meta, data = recordings.paths(self.name)
        for path in (meta, data):
            if path.exists():
                wrong = f"{path} exists: choose another name, or remove it"
                raise MisuseError(wrong)
        return meta, data
