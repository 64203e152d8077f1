# SPDX-License-Identifier: Apache-2.0
"""A parts file of what a trace has measured.

Its radio has the fields of one of the catalogue, but the current of sleep and the
charge of an event from the trace. Its medium access has the interval of the polls.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from samara.atomic_files import replacing
from samara.bench.devices import device as device_named
from samara.energy.catalogue import Radio, controller
from samara.energy.catalogue import radio as radio_named
from samara.energy.controller_power import board_of
from samara.energy.part_values import SETTING
from samara.energy.part_writing import text_of_part
from samara.energy.quantity import Quantity, exact
from samara.errors import MisuseError
from samara.records import Line, Remark

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from samara.energy.catalogue import Controller
    from samara.energy.controller_power import Board
    from samara.energy.trace.analysis import NamedKind, TraceFindings

_ACK_BYTES = 5
_SLEEP_TOLERANCE = 0.3
"""Boards and analyzers differ by more: published sleeps of 15 boards do."""
_EVENT_TOLERANCE = 0.1
_MODE = 0o644
_NOT_TAKEN = ("name", "like")
"""Fields of a part that are not those of another one that is described in full."""
_EVENT = "event_c"


@dataclass(frozen=True, slots=True)
class PartsFile:
    """A file to be written, and the parts whose other fields it takes."""

    path: Path
    radio: Radio
    board: Board
    controller: Controller
    poll_bytes: int

    @classmethod
    def checked(cls, path: Path, radio: str, device: str, poll_bytes: int) -> Self:
        """Return a file that can be written, before the trace is read.

        Raises
        ------
        MisuseError
            When its name is not one of TOML, or there is no such directory.
        samara.crypto.UnknownNameError
            When there is no such radio or device.
        """
        if path.suffix != ".toml":
            message = f"--write-parts {path} is not valid: expected a name with .toml"
            raise MisuseError(message)
        if not path.parent.is_dir():
            message = f"--write-parts {path}: there is no directory {path.parent}"
            raise MisuseError(message)
        name = device_named(device).name
        return cls(
            path, radio_named(radio), board_of(name), controller(name), poll_bytes
        )


def write_parts(to: PartsFile, found: TraceFindings) -> Iterator[Line | Remark]:
    """Write a parts file, and yield what is in it and what is not."""
    poll = next((each for each in found.kinds if each.interval_s), None)
    event = None
    if poll is not None:
        event = event_quantity(found, poll, to.radio, to.poll_bytes)
        if event is None:
            yield Remark(
                f"A poll takes less than the states of {to.radio.name} alone: the "
                "charge of an event is not in the parts file. Check --radio and "
                "--poll-bytes."
            )
    text = "\n".join(_tables(to, found, event, poll))
    with replacing(to.path, exclusive=False, mode=_MODE) as file:
        file.write(text.encode())
    yield Line(f"wrote {to.path}", aside=True)


def sleep_quantity(found: TraceFindings) -> Quantity:
    """Return the current of sleep, with a tolerance from its spread."""
    _, means = found.finder.windows.means()
    weights = found.finder.windows.weights_s()
    spread = 0.0
    if means.size and found.sleep_a > 0:
        variance = float(np.average((means - found.sleep_a) ** 2, weights=weights))
        spread = 1.2816 * variance**0.5 / found.sleep_a
    return Quantity(
        _rounded(max(found.sleep_a, 0.0)),
        round(min(max(spread, _SLEEP_TOLERANCE), 10.0), 3),
        f"trace {_printable(found)}, mean between events, the whole board",
        checked=True,
    )


def event_quantity(
    found: TraceFindings, poll: NamedKind, radio: Radio, poll_bytes: int
) -> Quantity | None:
    """Return the charge of an event besides the states of the radio.

    None: the states alone take more than was measured.
    """
    charges = found.above_sleep_c[poll.members]
    mean = float(charges.mean())
    rest = mean - _states_c(radio, poll_bytes)
    if rest <= 0:
        return None
    spread = (float(np.quantile(charges, 0.9)) - float(np.median(charges))) / rest
    return Quantity(
        _rounded(rest),
        round(min(max(spread, _EVENT_TOLERANCE), 10.0), 3),
        f"trace {_printable(found)}: a poll of {mean * 1e6:.3g} uC, less the "
        f"states of {radio.name} with a request of {poll_bytes} bytes",
        checked=True,
    )


def _states_c(radio: Radio, poll_bytes: int) -> float:
    """Return the charge of a poll by the states of the radio alone."""
    byte_s = 8 / radio.bit_rate.value
    front = radio.overhead_bytes.value
    sends_s = (front + poll_bytes) * byte_s
    hears_s = radio.turnaround_s.value + (front + _ACK_BYTES) * byte_s
    return (
        radio.start_s.value * radio.idle_a.value
        + sends_s * radio.transmit_a.value
        + hears_s * radio.receive_a.value
    )


def _tables(
    to: PartsFile, found: TraceFindings, event: Quantity | None, poll: NamedKind | None
) -> Iterator[str]:
    own, sleep = f"{to.radio.name}-measured", sleep_quantity(found)
    measured: dict[str, Any] = {"sleep_a": sleep}
    if event is not None:
        measured |= {
            _EVENT: event,
            "software": f"that of the trace {_printable(found)}",
        }
    comment = (
        f"From the trace {_printable(found)}: sleep (of the whole board, in the\n"
        "device), event and poll_interval, as far as they are here. All else is that\n"
        f"of {to.radio.name} and {to.board.name}."
    )
    yield text_of_part("radio", own, _fields(to.radio, measured), comment)
    device: dict[str, Any] = {
        "measured_as": to.board.name,
        "clock_hz": exact(to.board.clock_hz, f"the device {to.board.name}"),
        "supply_v": exact(to.board.supply_v, f"the device {to.board.name}"),
        "active_a": to.board.active_a,
        **_fields(to.controller, {"sleep_a": sleep, "on_chip_with": own}),
    }
    yield text_of_part("device", f"{to.board.name}-measured", device)
    if poll is not None and poll.interval_s is not None:
        interval = exact(_rounded(poll.interval_s), SETTING)
        settings: dict[str, Any] = {
            "medium_access": "polling",
            "poll_interval_s": interval,
        }
        yield text_of_part("mac", f"polling-{own}", settings)


def _fields(row: Radio | Controller, measured: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a part, with what was measured in their place."""
    values = {
        each.name: getattr(row, each.name)
        for each in fields(row)
        if each.name not in _NOT_TAKEN and getattr(row, each.name) != each.default
    }
    return values | {"title": f"{row.title}, as measured"} | dict(measured)


def _rounded(value: float) -> float:
    """Return a measured value with as many digits as it can have."""
    return float(f"{value:.4g}")


def _printable(found: TraceFindings) -> str:
    """Return the name of a trace's file for a source or a comment."""
    name = found.reading.path.name
    return name if name.isprintable() else ascii(name)
