# SPDX-License-Identifier: Apache-2.0
"""The table of the modulations: one row for each.

Everything that depends on the modulation is made from this table: the values of
--modulation and its help, the settings of `samara node` for software-defined radio,
the simulation, the curves of theory, recordings and bursts.

To add a modulation, add a row to `_ROWS`. To send it in bursts, too, add a row to
the table of gr-samara (gr-samara/lib/burst_modulation_table.cc) and name it under
`waveform`. A test compares both tables. Rows of transceiver chips are made from their
profiles, which are found by scanning.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from samara.phy.mappers import Mapper
    from samara.phy.uncoded import Curve


@dataclass(frozen=True, slots=True)
class Unit:
    """The smallest part of a frame whose error is independent of the others."""

    bits: int
    error_rate: Callable[[Curve], Curve]
    """Eb/N0 (as a ratio) to the probability that the unit is wrong."""


@dataclass(frozen=True, slots=True)
class Modulation:
    """A row of the table."""

    name: str
    """Value of --modulation."""
    title: str
    """Name in text and in GNU Radio Companion."""
    waveform: str | None
    """Row of the table in gr-samara for its bursts; None: it has none there."""
    mapper: Callable[[], Mapper]
    bit_error_rate: Callable[[Curve], Curve] | None
    """Eb/N0 (as a ratio) to the bit error rate without a channel code, if known."""
    unit: Unit | None
    """None: its error rate is not known."""
    exact: bool = True
    """Whether `bit_error_rate` is exact; otherwise it is a union bound."""
    antipodal: bool = False
    """Whether each bit is +1 or -1 on an axis of its own.

    Then a coded bit is as reliable as one of BPSK, and the union bound of the channel
    code applies.
    """
    chip: str | None = None
    """Profile of a transceiver chip whose modulation it is."""


# Mappers and error rates need NumPy. They are loaded when they are called, so that
# commands that only list the names start quickly.
def _mapper(name: str) -> Callable[[], Mapper]:
    """Return a function that makes a mapper of `samara.phy.mappers`."""

    def make() -> Mapper:
        mapper: Mapper = getattr(importlib.import_module("samara.phy.mappers"), name)()
        return mapper

    return make


def _rate(name: str) -> Callable[[Curve], Curve]:
    """Return an error rate of `samara.phy.uncoded`."""

    def rate(ratio: Curve) -> Curve:
        function = getattr(importlib.import_module("samara.phy.uncoded"), name)
        values: Curve = function(ratio)
        return values

    return rate


_ANTIPODAL = Unit(1, _rate("antipodal"))
_ROWS = (
    Modulation(
        name="bpsk",
        title="BPSK",
        waveform="bpsk",
        mapper=_mapper("Bpsk"),
        bit_error_rate=_rate("antipodal"),
        unit=_ANTIPODAL,
        antipodal=True,
    ),
    Modulation(
        name="qpsk",
        title="QPSK",
        waveform="qpsk",
        mapper=_mapper("Qpsk"),
        bit_error_rate=_rate("antipodal"),
        unit=_ANTIPODAL,
        antipodal=True,
    ),
    Modulation(
        name="16-qam",
        title="16-QAM",
        waveform="16-qam",
        mapper=_mapper("Qam16"),
        bit_error_rate=_rate("qam16"),
        unit=Unit(2, _rate("qam16_axis")),
    ),
    Modulation(
        name="o-qpsk-dsss",
        title="O-QPSK DSSS",
        waveform="o-qpsk-dsss",
        mapper=_mapper("OqpskDsss"),
        bit_error_rate=_rate("dsss"),
        unit=Unit(4, _rate("dsss_symbol")),
        exact=False,
    ),
)

_PROFILES = Path(__file__).parent / "transceivers" / "profiles"


def _of_chip(name: str) -> Modulation:
    """Return the row of a chip's modulation, with the name of its profile."""

    def mapper() -> Mapper:
        demodulating = importlib.import_module("samara.phy.transceivers.demodulating")
        profile = importlib.import_module("samara.phy.transceivers.profile")
        made: Mapper = demodulating.FskMapper(profile.profile_named(name).keying)
        return made

    return Modulation(
        name=name,
        title=f"FSK of {name}",
        waveform=None,
        mapper=mapper,
        bit_error_rate=None,
        unit=None,
        chip=name,
    )


CHIPS = tuple(sorted(path.stem for path in _PROFILES.glob("*.toml")))
"""Names of the profiles of transceiver chips, which are modulations too."""

MODULATIONS: dict[str, Modulation] = {
    row.name: row for row in (*_ROWS, *map(_of_chip, CHIPS))
}
"""The rows by their names, in the order in which help texts list them."""

DEFAULT = "qpsk"
"""The modulation of a link or a recording when none is given."""


def find(name: str) -> Modulation:
    """Return the modulation with this name.

    Raises
    ------
    MisuseError
        If the table has none; the text lists the names.
    """
    if name not in MODULATIONS:
        message = f"unknown modulation {name!r}: expected one of {names()}"
        raise MisuseError(message)
    return MODULATIONS[name]


def names() -> str:
    """Return all names, for help texts and errors."""
    return ", ".join(MODULATIONS)
