# SPDX-License-Identifier: Apache-2.0
"""A Grain-128 core beside a microcontroller, in place of its software.

The core seals and opens messages (Grain-128AEADv2), or makes the keystream of
Grain-128PLE. The microcontroller, its host, does all else and is idle while the core
works: its processor stands still, its clock runs. Between messages the core stays
powered, with its clock stopped.

Clocks are exact (`samara.chip.clocks`); energy is that of the netlist
(`samara.chip.results`). The host reaches the core through its wrapper with registers
and streams: the cycles in which it puts a message in and takes the answer are counted
by `samara.chip.feeding`, one after the other with those of the core. What the wrapper's
own gates draw is not known and not counted. No wrapper has a core for the keystream:
nothing is counted for its host.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from samara.bench import devices
from samara.bench.results import Operation
from samara.chip import feeding, results, spending
from samara.chip.design import AXI, core
from samara.chip.frequency import hertz_of, text_of
from samara.chip.recipes import Goal
from samara.chip.results import Power, Row
from samara.energy import catalogue, cryptography
from samara.energy.controller_power import active_w
from samara.energy.cryptography import Cost, NotMeasuredError
from samara.energy.quantity import Quantity, nominal
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.chip.design import Core
    from samara.chip.feeding import Feed
    from samara.chip.spending import MessageEnergy
    from samara.energy.cryptography import Work
    from samara.energy.quantity import Draw, Value

HOST = "atmega128rfa1"
"""The host if none is named."""
CLOCK_HZ = 10e6
"""The clock of a core if none is named."""
LIBRARY = "sky130"
"""The library if none is named and it has results of the core."""

_BEGINNING = "grain-"
"""Of the names of all cores."""
_AEAD, _KEYSTREAM = "grain128aead", "grain128ple"
_FRAME, _FRAME_ONLY_AUTHENTICATED = (
    f"ieee802154-{_AEAD}-8",
    f"ieee802154-{_AEAD}-mic-8",
)
_TAG_BYTES = 8
_LEVEL_BYTES = 1
"""In frames, the level goes before the associated data: the nonce has no room."""

_LAYOUT = Quantity(
    1.0,
    1.0,
    "assumed: a layout has wires and a clock tree, and gates have glitches; all are"
    " missing in the netlist's energy",
    checked=False,
)


class NotOnCoreError(NotMeasuredError):
    """The core does not compute this suite or tag; the text says what it computes."""


@dataclass(frozen=True, slots=True)
class Coprocessor:
    """A core with results of its power, its clock, and its host."""

    host: str
    """Name of a device of the bench."""
    row: Power
    clock_hz: float = CLOCK_HZ

    @property
    def name(self) -> str:
        """The name that says all, which `named` takes."""
        clock = text_of(self.clock_hz)
        return f"{self.host}+{self.row.core}@{self.row.library}@{clock}"

    @property
    def title(self) -> str:
        """What it is, in a sentence's part."""
        return (
            f"the core {self.row.core} at {self.clock_hz / 1e6:g} MHz"
            f" ({self.row.process}, {self.row.corner}, netlist for {self.row.goal}"
            " without layout) beside"
            f" {self.host}, which feeds it and is idle while the core works;"
            f" {self.wrapped}"
        )

    @property
    def wrapped(self) -> str:
        """What the wrapper adds to the core, in a sentence's part."""
        if not self.row.design.authenticates:
            return "no wrapper has this core: what feeds it is not counted"
        found = results.wrapper_ge(_rows(), self.row.library, self.row.design.n, AXI)
        if found is None:
            return "the area of its AXI wrapper in this library is not known"
        netlist = results.netlist_of(_rows(), self.row)
        own = "" if netlist is None else f" to the {netlist.area_ge:,.0f} of the core"
        return (
            f"its AXI wrapper adds {found.value:,.0f} gate equivalents{own}, whose"
            " energy is not counted"
        )

    @property
    def source(self) -> str:
        """Where energies of the core come from."""
        stale = ", of other sources than those in rtl/" if self.row.is_stale else ""
        return (
            f"{self.row.core}, {self.row.library}, netlist for {self.row.goal}{stale}:"
            f" {self.row.source}"
        )

    def spent(self, work: Work) -> MessageEnergy:
        """Return what the core takes for some work.

        Raises
        ------
        NotOnCoreError
            If it does not compute the suite.
        """
        if not self.row.design.authenticates:
            if work.suite != _KEYSTREAM:
                raise NotOnCoreError(self._refusal(work.suite))
            bits = 8 * work.message_bytes
            return spending.on_keystream(self.row, self.clock_hz, bits)
        message_bytes, ad_bytes = self._sizes(work)
        return spending.on_message(
            self.row,
            self.clock_hz,
            message_bytes,
            ad_bytes,
            opens=work.operation is Operation.OPEN,
        )

    def feed(self, work: Work) -> Feed | None:
        """Return what the host puts through the wrapper; None for a keystream.

        Raises
        ------
        NotOnCoreError
            If the core does not compute the suite.
        """
        if not self.row.design.authenticates:
            return None
        message_bytes, ad_bytes = self._sizes(work)
        opens = work.operation is Operation.OPEN
        return feeding.of_message(self.row.design, message_bytes, ad_bytes, opens=opens)

    def host_cycles(self, work: Work) -> Figure:
        """Return the cycles of the host that feed the core with some work."""
        found = self.feed(work)
        if found is None:
            return Figure(0, "cycle", Origin.ASSUMED, "what feeds it is not counted")
        return found.figure(feeding.host_bits(devices.device(self.host)))

    def _host_s(self, work: Work) -> float:
        return self.host_cycles(work).value / devices.device(self.host).clock_hz

    def _sizes(self, work: Work) -> tuple[int, int]:
        """Return the bytes of message and associated data that the core gets.

        Raises
        ------
        NotOnCoreError
            If it does not compute the suite.
        """
        message_bytes, ad_bytes = work.message_bytes, work.ad_bytes
        if work.suite in {_FRAME, _FRAME_ONLY_AUTHENTICATED}:
            ad_bytes += _LEVEL_BYTES
        elif work.suite != _AEAD:
            raise NotOnCoreError(self._refusal(work.suite))
        if work.suite == _FRAME_ONLY_AUTHENTICATED:
            message_bytes, ad_bytes = 0, ad_bytes + message_bytes
        return message_bytes, ad_bytes

    def _refusal(self, suite: str) -> str:
        return f"{self.row.core} does not compute {suite}: {able(self.row.design)}"

    def idle_w(self, draw: Draw = nominal) -> Value:
        """Return what the host draws while the core works, in watts."""
        drawn = catalogue.controller(self.host).draw(draw)
        return drawn["idle_a"] * devices.device(self.host).supply_voltage_v.value

    def layout(self, draw: Draw = nominal) -> Value:
        """Return the factor for what the netlist's energy leaves out."""
        return draw(f"{self.row.core}.layout", _LAYOUT)

    def leakage_w(self, draw: Draw = nominal) -> Value:
        """Return what the core draws between messages, in watts."""
        return self.layout(draw) * self.row.leakage_w

    def taken(self, work: Work, draw: Draw = nominal) -> tuple[Value, Value]:
        """Return the seconds of some work, and the joules of core and host."""
        spent = self.spent(work)
        host_s = self._host_s(work)
        core_j = self.layout(draw) * spent.energy_j
        idle_j = self.idle_w(draw) * spent.seconds
        fed_j = active_w(self.host, draw) * host_s
        return spent.seconds + host_s, core_j + idle_j + fed_j

    def cost(self, work: Work) -> Cost:
        """Return the cost of some work, as `cost_of` does."""
        spent, cycles = self.spent(work), self.host_cycles(work)
        host_s = self._host_s(work)
        host_j = float(self.idle_w()) * spent.seconds
        fed_j = float(active_w(self.host)) * host_s
        idle = catalogue.controller(self.host).idle_a
        doubt = "" if idle.checked else ", not checked"
        return Cost(
            Figure(
                spent.clocks,
                "cycle",
                Origin.MEASURED,
                f"exact clocks of {self.row.core}, compared with simulations",
            ),
            Figure(
                spent.seconds + host_s,
                "s",
                cycles.origin,
                f"cycles at {self.clock_hz / 1e6:g} MHz + {cycles.value:g} cycles of"
                f" {self.host} that feed the core ({cycles.source})",
            ),
            Figure(
                spent.energy_j + host_j + fed_j,
                "J",
                weakest(self.row.origin, cycles.origin),
                f"{spent.energy_j * 1e9:.3g} nJ of gates ({self.source}) + {self.host},"
                f" idle meanwhile: {host_j * 1e9:.3g} nJ ({idle.source}{doubt})"
                f" + feeding it: {fed_j * 1e9:.3g} nJ ({cycles.value:g} cycles;"
                f" {cycles.source}); {self.wrapped}",
            ),
        )


def host_and_wrapper_remarks(device: str, works: Sequence[Work]) -> list[str]:
    """Return what figures of a core count of its host and wrapper; none without one.

    Raises
    ------
    NotOnCoreError
        If the core does not compute a suite.
    """
    found = named(device)
    if found is None:
        return []
    cycles = [found.host_cycles(work) for work in works]
    total = sum(figure.value for figure in cycles)
    fed = f"{total:,.0f} cycles of {found.host} that feed {found.row.core} are counted"
    core = f"{fed} ({feeding.ASSUMPTION})" if total else found.row.core
    return [f"{core}; {found.wrapped}."]


def check_tag(device: str, tag_bytes: float) -> None:
    """Check that a device computes tags of this size.

    A core compares all of its tag inside, so that it cannot open with a shorter one.

    Raises
    ------
    NotOnCoreError
        If the device is a core with another tag.
    """
    found = named(device)
    if found and found.row.design.authenticates and tag_bytes != _TAG_BYTES:
        message = (
            f"{found.row.core} does not compute a tag of {tag_bytes:g} bytes:"
            f" {able(found.row.design)}"
        )
        raise NotOnCoreError(message)


def able(design: Core) -> str:
    """Return what a core computes, and how to ask for it, in a sentence's part."""
    if design.authenticates:
        return (
            f"it seals and opens with {_AEAD} and a tag of 8 bytes; give --suite"
            f" {_AEAD} and, in frames of IEEE 802.15.4, --level 6 or 2"
        )
    return f"it makes the keystream of {_KEYSTREAM}, for the link sdr, and no tag"


def named(name: str) -> Coprocessor | None:
    """Return the core of a device's name; None if the name is that of no core.

    Parameters
    ----------
    name
        ``[HOST+]CORE[@LIBRARY][@CLOCK]``, such as ``"grain-n8"``,
        ``"grain-n8@osu018"`` or ``"atmega328p+grain-n8@1MHz"``. Of the library the
        beginning of its name or of its process is enough.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such core, or no such host.
    MisuseError
        If there are no results of its power, its netlist does not reach the clock, or
        a part of the name is wrong.
    """
    host, plus, rest = name.rpartition("+")
    design, *settings = rest.split("@")
    if not design.lower().startswith(_BEGINNING):
        return None
    clocks = [hertz for text in settings if (hertz := hertz_of(text)) is not None]
    libraries = [text for text in settings if hertz_of(text) is None]
    too_many = len(clocks) > 1 or len(libraries) > 1
    if too_many or not all(libraries) or (plus and not host):
        message = (
            f"--device {name} is not valid: expected [HOST+]CORE[@LIBRARY][@CLOCK],"
            " such as grain-n8, grain-n8@osu018 or atmega328p+grain-n8@1MHz"
        )
        raise MisuseError(message)
    found = Coprocessor(
        devices.device(host or HOST).name,
        _row(core(design.lower()), libraries[0] if libraries else None),
        *clocks,
    )
    _check_clock(name, found)
    return found


def _check_clock(name: str, found: Coprocessor) -> None:
    """Refuse a clock that the core's netlist does not reach."""
    fastest = results.fastest_clock_hz(_rows(), found.row)
    if fastest is not None and found.clock_hz > fastest:
        message = (
            f"--device {name} has a clock of {text_of(found.clock_hz)}: the netlist of"
            f" {found.row.core} ({found.row.process}, for {found.row.goal}) reaches"
            f" {fastest / 1e6:.0f} MHz at most"
        )
        raise MisuseError(message)


def resolved_device(name: str) -> tuple[str, str]:
    """Return the name of a device or a core, and what a user should know of it.

    Parameters
    ----------
    name
        Of a device, a chip or a core.

    Returns
    -------
    name, notice
        A core's name says all of it. The notice is empty if there is none.

    Raises
    ------
    samara.crypto.UnknownNameError
        When there is no such device.
    """
    core = named(name)
    if core is None:
        device = devices.device(name)
        return device.name, devices.stands_for(name, device)
    return core.name, f"{name} is {core.title}"


def host_of(name: str) -> str:
    """Return the microcontroller of a device's name: a core's host, or itself.

    Raises
    ------
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    found = named(name)
    return found.host if found else devices.device(name).name


def cost_of(work: Work) -> Cost:
    """Return the cost of an operation on a microcontroller, or on a core beside one.

    Raises
    ------
    NotMeasuredError
        If the bench has no results of the suite on the device, or the core does not
        compute it.
    samara.crypto.UnknownNameError
        If there is no such device.
    """
    found = named(work.device)
    return found.cost(work) if found else cryptography.cost_of(work)


@cache
def _rows() -> tuple[Row, ...]:
    return tuple(results.read(results.committed(), results.own()))


def _row(design: Core, library: str | None) -> Power:
    """Return the results of a core: of the smallest netlist, if there are several."""
    powers = (row for row in _rows() if isinstance(row, Power))
    of_core = [row for row in powers if row.core == design.name]
    of_core.sort(key=lambda row: (row.goal != Goal.AREA, not _is_of(row, LIBRARY)))
    found = [row for row in of_core if library is None or _is_of(row, library)]
    if found:
        return found[0]
    ple = "" if design.authenticates else " --ple"
    has = ", ".join(dict.fromkeys(row.library for row in of_core)) or "none"
    wanted = "" if library is None else f" with the library {library!r}"
    message = (
        f"the power of {design.name}{wanted} has not been computed; libraries with"
        f" results of it: {has}. Run `samara chip power --n {design.n} --variant"
        f" {design.variant}{ple} --liberty FILE`"
    )
    raise MisuseError(message)


def _is_of(row: Power, library: str) -> bool:
    names = (row.library.lower(), row.process.lower())
    return any(name.startswith(library.lower()) for name in names)
