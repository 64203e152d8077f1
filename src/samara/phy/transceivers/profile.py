# SPDX-License-Identifier: Apache-2.0
"""Profiles of transceiver chips that send 2-FSK or GFSK: a file each in `profiles`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.phy.transceivers.keying import Keying
from samara.phy.transceivers.packet_formats import (
    Check,
    Layout,
    PacketFormat,
    Whitening,
)
from samara.toml_rows import row_of, tables_in

if TYPE_CHECKING:
    from collections.abc import Mapping

_HERE = Path(__file__).parent / "profiles"


@dataclass(frozen=True, slots=True)
class Profile:
    """How a chip sends packets."""

    name: str
    title: str
    source: str
    """Where the values were read."""
    keying: Keying
    preamble: bytes
    sync: bytes
    format: PacketFormat


@cache
def profiles() -> Mapping[str, Profile]:
    """Return all profiles by their names, which are those of the files."""
    found = {path.stem: path for path in _HERE.glob("*.toml")}
    return {name: read_profile(found[name]) for name in sorted(found)}


def profile_named(name: str) -> Profile:
    """Return a profile.

    Raises
    ------
    MisuseError
        If there is none of this name.
    """
    known = profiles()
    if name not in known:
        message = f"unknown chip {name!r}: expected one of {', '.join(known)}"
        raise MisuseError(message)
    return known[name]


def read_profile(path: Path) -> Profile:
    """Read a profile.

    Raises
    ------
    MisuseError
        If the file cannot be read, or a value is missing or wrong.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        message = f"{path} is not a profile of a chip: {error.strerror or error}"
        raise MisuseError(message) from None
    row = row_of(_Row, f"the profile {path}", tables_in(content, str(path)))
    try:
        return row.profile(path.stem)
    except ValueError as error:
        message = f"{path} is not a profile of a chip: {error}"
        raise MisuseError(message) from None


@dataclass(frozen=True, slots=True)
class _Row:
    """A profile as its file has it."""

    title: str
    source: str
    bit_rate: float
    deviation: float
    preamble: str
    sync: str
    layout: str
    longest: int
    bandwidth_time: float = 0.0
    whitening: str = Whitening.NONE.value
    check: Check | None = None

    def profile(self, name: str) -> Profile:
        """Return the profile; ValueError when a value cannot be."""
        for field, values in _POSSIBLE.items():
            _check(field, getattr(self, field), values)
        if self.bandwidth_time:
            _check("bandwidth_time", self.bandwidth_time, _GAUSSIAN)
        layout = Layout(self.layout)
        _check("longest", self.longest, _LONGEST[layout])
        _check("deviation over bit_rate", self.deviation / self.bit_rate, (0.01, 100))
        if self.check is not None:
            _check_sequence(self.check)
        sync = _hex("sync", self.sync, 1)
        return Profile(
            name,
            self.title,
            self.source,
            Keying(self.bit_rate, self.deviation, self.bandwidth_time),
            _hex("preamble", self.preamble, 0),
            sync,
            PacketFormat(
                layout, Whitening(self.whitening), self.check, self.longest, sync
            ),
        )


_POSSIBLE = {
    "bit_rate": (1, 1e8),
    "deviation": (0.1, 1e8),
}
_GAUSSIAN = (0.1, 10)
_LONGEST = {
    Layout.LENGTH_BYTE: (1, 255),
    Layout.FIXED: (1, 2047),
    Layout.ESB: (1, 32),
}
"""Bytes that the length of a packet, or the buffer of a chip, can tell."""
_CHECK_BITS_MAX = 64
_HEX_BYTES_MAX = 64


def _check(field: str, value: float, values: tuple[float, float]) -> None:
    low, high = values
    if not low <= value <= high:
        message = f"{field} is {value!r:.40}, not from {low:,g} to {high:,g}"
        raise ValueError(message)


def _check_sequence(check: Check) -> None:
    _check("bits of check", check.bits, (1, _CHECK_BITS_MAX))
    for field in ("polynomial", "initial", "final"):
        _check(f"{field} of check", getattr(check, field), (0, 2**check.bits - 1))


def _hex(field: str, digits: str, least: int) -> bytes:
    found = bytes.fromhex(digits)
    if not least <= len(found) <= _HEX_BYTES_MAX:
        message = f"{field} has {len(found)} bytes, not {least} to {_HEX_BYTES_MAX}"
        raise ValueError(message)
    return found
