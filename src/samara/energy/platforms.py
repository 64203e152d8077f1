# SPDX-License-Identifier: Apache-2.0
"""Platforms: device, radio, medium access and battery that can be a node together.

What a user names is held; what he leaves open is taken from the catalogue, by rule:

- A radio that is on a chip goes with the processor of that chip alone. A device that
  is named by its chip, such as ``nrf52832``, has the radio of that chip.
- A radio that options of the link name, such as that of a serial module, is held.
- A radio is offered for links whose frames it sends (`Radio.links`), and for each
  medium access whose waveform it sends (`Radio.waveforms`). Of radios with the same
  figures the first is offered, and no other power or software of one.
- A medium access is one that the settings given apply to; where others have to
  understand the node, it is of a standard (`MediumAccess.standard`).
- A battery gives the current that the radio draws while it sends, and the voltage of
  the device. A pair of parts that the user named both is his own: it is told as a
  doubt.
- Batteries are compared where a life is asked for: without one, the largest would
  always be the best, and the usual one is taken.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from samara.bench import devices
from samara.energy import catalogue
from samara.energy import mac as medium_accesses
from samara.energy.link_macs import macs_of
from samara.energy.mac_options import settings_of
from samara.energy.own_parts import described_devices
from samara.energy.part_entries import OwnDevice
from samara.energy.quantity import Quantity
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.energy.catalogue import Radio
    from samara.energy.requests import NodeRequest
    from samara.energy.scenario import Scenario

ANY = "any"
"""In place of the name of a device or a battery: it is to be found."""
USUAL_BATTERY = "2xaa-alkaline"
"""Where no life is asked for, or no battery gives what the device takes."""


@dataclass(frozen=True, slots=True)
class Platform:
    """Parts that can be a node together."""

    scenario: Scenario
    """The node, with each part named, without security."""

    @property
    def parts(self) -> tuple[str, str, str, str]:
        """Device, radio, medium access and battery, by their names."""
        own = self.scenario
        return own.device, own.radio, own.mac, own.battery

    @property
    def energy_j(self) -> float:
        """The energy of the battery, as stated."""
        cells = self.scenario.own.battery(self.scenario.battery)
        return 3600 * cells.capacity_ah.value * cells.voltage_v.value


@dataclass(frozen=True, slots=True)
class Offered:
    """All platforms of a question, and what is out by which rule."""

    platforms: Sequence[Platform]
    out: Mapping[str, int] = field(default_factory=dict)
    """How many platforms each rule has left out."""
    error: MisuseError | None = None
    """Why the last platform that could not be made could not."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What parts have to do that were not named."""

    compares_batteries: bool
    """Whether a battery is looked for; if not, it is the usual one."""
    of_standards: bool
    """Whether the medium access has to be of a standard."""
    acknowledged: bool
    """Whether the medium access has to tell a node that its message arrived."""


def offered(
    request: NodeRequest,
    plain: Mapping[str, Any],
    demands: Demands,
) -> Offered:
    """Return the platforms that a question is about.

    Parameters
    ----------
    request
        What is named in it is held.
    plain
        Options of the link without security.
    """
    out: Counter[str] = Counter()
    error: MisuseError | None = None
    found: list[Platform] = []
    batteries = _batteries(request, are_compared=demands.compares_batteries)
    for named in _named(request, demands):
        try:
            scenario = named.scenario(plain)
        except MisuseError as problem:
            out["cannot be together"] += len(batteries)
            error = problem
            continue
        for battery in batteries:
            powered = replace(scenario, battery=battery)
            rule = _unfed(request, powered)
            if rule:
                out[rule] += 1
            else:
                found.append(Platform(powered))
    if not found and request.battery == ANY and not error:
        return offered(
            replace(request, battery=USUAL_BATTERY),
            plain,
            replace(demands, compares_batteries=False),
        )
    return Offered(found, out, error)


def _batteries(request: NodeRequest, *, are_compared: bool) -> list[str]:
    """Return the batteries that are known at the temperature."""
    if request.battery != ANY:
        return [request.battery]
    if not are_compared:
        return [USUAL_BATTERY]
    return [
        each.name for each in catalogue.batteries() if each.is_known_at(request.celsius)
    ]


def _named(request: NodeRequest, demands: Demands) -> Iterator[NodeRequest]:
    """Yield the question with device, radio and medium access named."""
    accesses: dict[str | None, list[str]] = {}
    for device in _devices(request):
        for radio in _radios(request, device):
            if radio not in accesses:
                accesses[radio] = _accesses(request, radio, demands)
            for access in accesses[radio]:
                yield replace(
                    request,
                    device=device,
                    radio=radio,
                    mac=access,
                    battery=USUAL_BATTERY,
                )


def _devices(request: NodeRequest) -> list[str]:
    if request.device != ANY:
        return [request.device]
    return [*(each.name for each in catalogue.controllers()), *described_devices()]


def _radios(request: NodeRequest, device: str) -> list[str | None]:
    """Return the radios that are weighed beside a device."""
    if request.radio is not None:
        return [request.radio]
    if request.own.get(OwnDevice.kind, device) is not None or request.radio_of_link:
        return [None]
    if device in described_devices():
        return [each.name for each in _distinct() if _goes_with(device, each)]
    of_chip = [each.name for each in _distinct() if _is_chip(device, each)]
    if of_chip:
        return list(of_chip)
    host = devices.device(device).name
    return [each.name for each in _distinct() if _goes_with(host, each)]


def _distinct() -> list[Radio]:
    """Return the radios of the catalogue, those with the same figures once."""
    found: dict[tuple[Any, ...], Radio] = {}
    names: list[str] = []
    for each in catalogue.radios():
        if not any(each.name.startswith(f"{name}-") for name in names):
            found.setdefault(_figures(each), each)
            names.append(each.name)
    return list(found.values())


def _figures(radio: Radio) -> tuple[Any, ...]:
    values = (getattr(radio, each.name) for each in fields(radio))
    own = [each.value for each in values if isinstance(each, Quantity)]
    return (*own, radio.waveforms)


def _is_chip(device: str, radio: Radio) -> bool:
    """Return whether a device was named by the chip that the radio is on.

    >>> from samara.energy import catalogue
    >>> _is_chip("CC2652R", catalogue.radio("cc2652"))
    True
    """
    return device.lower().startswith(radio.name)


def _goes_with(host: str, radio: Radio) -> bool:
    """Return whether a radio is on a chip with this processor, or a chip of its own."""
    chips = {each.on_chip_with: each.name for each in catalogue.controllers()}
    processor = radio.processor or chips.get(radio.chip, "")
    return processor in ("", host)


def _accesses(request: NodeRequest, radio: str | None, demands: Demands) -> list[str]:
    """Return the medium accesses that are weighed with a radio."""
    names = [request.mac] if request.mac else macs_of(request.used_link)
    return [
        name
        for name in names
        if request.mac or _is_asked(name, request, demands)
        if radio is None or _is_sent(name, request, radio)
    ]


def _is_asked(access: str, request: NodeRequest, demands: Demands) -> bool:
    """Return whether a medium access that was not named is weighed."""
    kind = medium_accesses.kind(access)
    return (
        _takes(access, request.mac_options)
        and not (demands.of_standards and not kind.standard)
        and not (demands.acknowledged and not kind.acknowledges)
    )


def _takes(access: str, given: Mapping[str, Any]) -> bool:
    """Return whether settings are of a medium access."""
    try:
        settings_of(access, given)
    except MisuseError:
        return False
    return True


def _is_sent(access: str, request: NodeRequest, radio: str) -> bool:
    """Return whether a radio sends what a medium access needs."""
    own = request.own.mac(access)
    kind = own.medium_access if own else access
    stated = own.stated if own else {}
    settings = settings_of(kind, request.mac_options)
    needed = medium_accesses.mac(kind, **{**stated, **settings}).needs
    row = request.own.radio(radio)
    if needed or request.radio is not None:
        return row.sends(needed)
    return request.used_link in row.links.split()


def _unfed(request: NodeRequest, scenario: Scenario) -> str:
    """Return by which rule the battery is none for the node; empty: it is one."""
    has_battery = request.battery != ANY
    if not (has_battery and request.radio) and scenario.doubt_of_pulses():
        return "the battery gives less than the radio draws at once"
    if not (has_battery and request.device != ANY) and scenario.doubt_of_voltage():
        return "the battery's voltage is too low for the device"
    return ""
