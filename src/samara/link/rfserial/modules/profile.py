# SPDX-License-Identifier: Apache-2.0
"""What is known of a serial module: a TOML file, each figure with its origin.

    title = "HC-12 (Si4463, 433 MHz), mode FU3"
    wrapping = "transparent"
    radio = "hc-12"
    regions = ["eu433"]
    setting_up = "..."

    [baud]
    value = 9600
    origin = "published"
    source = "HC-12 user manual 2.4, page 3"

A figure is such a table with value, origin and source; `FIGURES` explains them.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NoReturn

from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.link.rfserial.modules.setting_up import (
    BAUDS,
    SettingUp,
    are_bytes,
    setting_up_of,
)
from samara.link.rfserial.settings import PACKET_SIZES
from samara.records import Between

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from samara.link.rfserial.modules.wrapping import Session, Wrapping

SIZE_MAX = 65_536
"""Bytes of a file, at most."""
_TEXT_MAX = 500
_RATES_MAX = _LINES_MAX = 32


@dataclass(frozen=True, slots=True)
class _Kind:
    """A figure of a module: its unit, and the values that it can have."""

    unit: str
    values: Container[float]
    help: str
    default: float | None = None
    """None: each profile has it."""


FIGURES: Mapping[str, _Kind] = {
    "baud": _Kind(
        "bit/s", Between(BAUDS[0], BAUDS[-1]), "Baud rate of the serial port."
    ),
    "packet": _Kind(
        "byte", Between(1, 65_536), "Bytes that the module puts into one packet."
    ),
    "fill": _Kind(
        "byte",
        Between(PACKET_SIZES[0], PACKET_SIZES[-1]),
        "What messages are padded to a multiple of.",
    ),
    "timeout": _Kind(
        "ms",
        Between(0, 60_000),
        "How long the module waits for the rest of a packet.",
        0,
    ),
    "gap": _Kind(
        "ms",
        Between(0, 60_000),
        "Silence that it needs between packets.",
        0,
    ),
    "buffer": _Kind(
        "byte", Between(1, 1 << 20), "Bytes that it keeps while it sends others."
    ),
    "air_rate": _Kind("bit/s", Between(1, 10_000_000), "Bit rate on the air."),
    "overhead": _Kind(
        "byte", Between(0, 1000), "Bytes that it sends around those of a packet."
    ),
}
"""The figures of a profile, in the order in which they are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of a serial module."""

    name: str
    title: str
    wrapping: Wrapping
    """How its serial line carries packets."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What the wrapping takes, by name."""
    start: tuple[bytes, ...] = ()
    """What is written when its port has been opened."""
    figures: Mapping[str, Figure]
    """By the names of `FIGURES`."""
    air_rates: Mapping[int, float] = field(default_factory=dict)
    """Bit rates on the air by baud rate, where the module derives them from it."""
    regions: tuple[str, ...] = ()
    """Names of `samara.link.rfserial.modules.regions` in which it can send."""
    radio: str | None = None
    """The part of the energy model that has its currents."""
    flow_control: bool = False
    """Whether it says by CTS when it takes no more bytes."""
    echoes: bool = False
    """Whether it outputs what is written to it."""
    tried: bool = False
    """Whether somebody tried it on hardware; all others were on an emulated one."""
    notes: str = ""
    setting_up: SettingUp | None = None
    """How it is set up; None: samara does not know."""

    def value(self, name: str) -> float:
        """Return a figure as a number, in the unit of `FIGURES`."""
        return self.figures[name].value

    @property
    def baud(self) -> int:
        """Baud rate of the serial port."""
        return int(self.value("baud"))

    @property
    def packet(self) -> int:
        """Bytes that the module puts into one packet."""
        return int(self.value("packet"))

    @property
    def fill(self) -> int:
        """What messages are padded to a multiple of, in bytes."""
        return int(self.value("fill"))

    @property
    def timeout_ms(self) -> int:
        """How long the module waits for the rest of a packet."""
        return int(self.value("timeout"))

    @property
    def gap_s(self) -> float:
        """Silence that it needs between packets."""
        return self.value("gap") / 1000

    @property
    def overhead(self) -> int:
        """Bytes on the air around those of a packet."""
        return int(self.value("overhead"))

    def session(self) -> Session:
        """Return what wraps and unwraps packets at its port."""
        return self.wrapping.session(self.options)

    def air_rate(self, baud: int) -> float:
        """Return the bit rate on the air with a serial port of this baud rate."""
        return self.air_rates.get(baud, self.value("air_rate"))

    def packets(self, size: int) -> list[int]:
        """Return the sizes of the packets that carry so many bytes."""
        whole, rest = divmod(size, self.packet)
        return [self.packet] * whole + [rest] * (rest > 0)

    def message_air_s(self, size: int, baud: int) -> float:
        """Return how long the packets with so many bytes are on the air together."""
        on_air = self.wrapping.air_size
        sent = sum(on_air(packet) + self.overhead for packet in self.packets(size))
        return sent * 8 / self.air_rate(baud)

    def check_baud(self, baud: int) -> None:
        """Refuse a baud rate that the module does not have.

        Raises
        ------
        MisuseError
            When it has rates on the air by baud rate, and none for this one.
        """
        if self.air_rates and baud not in self.air_rates:
            known = ", ".join(map(str, sorted(self.air_rates)))
            message = f"--baud of {self.name} must be one of {known}, not {baud}"
            raise MisuseError(message)

    def with_settings(self, packet: int, timeout_ms: int) -> Profile:
        """Return the profile of a module that is set so by its user.

        Parameters
        ----------
        packet
            What messages are padded to a multiple of: the packet of a module whose
            packets have to be full.
        """
        figures = dict(self.figures)
        if self.fill == self.packet:
            figures["packet"] = replace(figures["packet"], value=packet)
        figures["fill"] = replace(figures["fill"], value=packet)
        figures["timeout"] = replace(figures["timeout"], value=timeout_ms)
        return replace(self, figures=figures)


_TEXTS = {"title": True, "wrapping": True, "notes": False, "radio": False}
_FLAGS = ("flow_control", "echoes", "tried")
_OTHERS = ("regions", "air_rates", "setup", "options", "start")


def profile_of(name: str, text: str) -> Profile:
    """Return the profile that a text describes.

    Parameters
    ----------
    name
        Of the module; the text of an error names it.

    Raises
    ------
    MisuseError
        When it is none; the text says what is wrong.
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        _refuse(name, f"is not TOML: {error}")
    known = {*_TEXTS, *_FLAGS, *_OTHERS, *FIGURES}
    if unknown := sorted(set(table) - known):
        _refuse(name, f"has {unknown[0]!r:.60}, and knows {', '.join(sorted(known))}")
    return Profile(
        name=name,
        title=_text(name, table, "title"),
        wrapping=_wrapping(name, _text(name, table, "wrapping")),
        options=_options(name, table),
        start=_start(name, table.get("start", [])),
        figures={each: _figure(name, table, each) for each in FIGURES},
        air_rates=_air_rates(name, table.get("air_rates", {})),
        regions=_regions(name, table.get("regions", [])),
        radio=_text(name, table, "radio") or None,
        **{each: _flag(name, table, each) for each in _FLAGS},
        notes=_text(name, table, "notes"),
        setting_up=_setting_up(name, table.get("setup")),
    )


def _refuse(name: str, problem: str) -> NoReturn:
    message = f"the module {name} {problem}"
    raise MisuseError(message)


def _text(name: str, table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or len(value) > _TEXT_MAX or not value.isprintable():
        _refuse(name, f"has a {key} that is no text of one line")
    if _TEXTS[key] and not value:
        _refuse(name, f"has no {key}")
    return value


def _flag(name: str, table: Mapping[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        _refuse(name, f"has {key} = {value!r:.60}: expected true or false")
    return value


def _figure(name: str, table: Mapping[str, Any], key: str) -> Figure:
    """Return a figure of the table, or the default of one that is not there."""
    kind = FIGURES[key]
    given = table.get(key)
    if given is None and kind.default is not None:
        return Figure(kind.default, kind.unit, Origin.ASSUMED, "none is known")
    if not isinstance(given, dict) or set(given) != {"value", "origin", "source"}:
        _refuse(name, f"needs a table [{key}] with value, origin and source")
    value, origin, source = given["value"], given["origin"], given["source"]
    if isinstance(value, bool) or value not in kind.values:
        _refuse(name, f"has {key} {value!r:.60}: expected {kind.values} {kind.unit}")
    if kind.unit == "byte" and not isinstance(value, int):
        _refuse(name, f"has {key} {value!r:.60}: expected a whole number")
    if origin not in {each.value for each in Origin}:
        _refuse(name, f"has {key} of the origin {origin!r:.60}, which is none")
    if not isinstance(source, str) or not 0 < len(source) <= _TEXT_MAX:
        _refuse(name, f"does not say the source of {key}")
    return Figure(value, kind.unit, Origin(origin), source)


def _air_rates(name: str, given: object) -> Mapping[int, float]:
    if not isinstance(given, dict) or len(given) > _RATES_MAX:
        _refuse(name, "needs air_rates as a table: air rate by baud rate")
    found = {}
    for baud, rate in given.items():
        is_baud = baud.isascii() and baud.isdecimal() and len(baud) < len("10000000")
        if (
            not is_baud
            or isinstance(rate, bool)
            or rate not in FIGURES["air_rate"].values
        ):
            _refuse(name, f"has an air rate {baud!r:.20} = {rate!r:.60}")
        found[int(baud)] = float(rate)
    return found


def _regions(name: str, given: object) -> tuple[str, ...]:
    from samara.link.rfserial.modules.regions import regions  # noqa: PLC0415 - a file

    known = regions()
    if not isinstance(given, list) or any(
        not isinstance(each, str) or each not in known for each in given
    ):
        _refuse(name, f"needs regions as a list of some of {', '.join(known)}")
    return tuple(given)


def _wrapping(name: str, wanted: str) -> Wrapping:
    from samara.link.rfserial.modules.wrappings import wrappings  # noqa: PLC0415 - late

    known = wrappings()
    if wanted not in known:
        _refuse(name, f"has no wrapping {wanted!r:.60}: expected {', '.join(known)}")
    return known[wanted]


def _options(name: str, table: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the options of the wrapping, those that are not given as it has them."""
    wrapping = _wrapping(name, _text(name, table, "wrapping"))
    given = table.get("options", {})
    if not isinstance(given, dict) or not all(
        isinstance(each, str) and len(each) <= _TEXT_MAX for each in given.values()
    ):
        _refuse(name, "needs options as a table of texts")
    if unknown := sorted(set(given) - set(wrapping.options)):
        takes = ", ".join(wrapping.options) or "none"
        _refuse(
            name, f"has the option {unknown[0]!r:.60}; {wrapping.name} takes {takes}"
        )
    options = {**wrapping.options, **given}
    try:
        wrapping.session(options)
    except ValueError as error:
        _refuse(name, f"has an option that is wrong: {error}")
    return options


def _start(name: str, given: object) -> tuple[bytes, ...]:
    """Return what is written first: texts whose characters are bytes."""
    if not isinstance(given, list) or len(given) > _LINES_MAX:
        _refuse(name, f"needs start as a list of at most {_LINES_MAX} texts")
    if not all(are_bytes(each, _TEXT_MAX) for each in given):
        _refuse(name, "needs start as a list of texts, each character a byte")
    return tuple(each.encode("latin-1") for each in given)


def _setting_up(name: str, given: object) -> SettingUp | None:
    try:
        return None if given is None else setting_up_of(given)
    except MisuseError as error:
        _refuse(name, f"cannot be set up so: {error}")
