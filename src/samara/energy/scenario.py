# SPDX-License-Identifier: Apache-2.0
"""A node as a user describes it: names of the catalogues, and sizes of frames."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from samara.energy import catalogue, coprocessor
from samara.energy.frames import Frames, Secured
from samara.energy.load import doubts, verdict
from samara.energy.mac import kind as mac_kind
from samara.energy.mac import mac
from samara.energy.mac_options import in_words
from samara.energy.medium_access import Hop
from samara.energy.network import consumption
from samara.energy.node import Node
from samara.energy.own_parts import NO_PARTS, OwnParts
from samara.energy.pulses import Pulse
from samara.energy.quantity import Listed, nominal
from samara.energy.routing import Rpl
from samara.energy.security import NONE, Call, CounterStore, Sealing, measured
from samara.energy.supply import Supply, supply
from samara.energy.transceiver import transceiver
from samara.errors import MisuseError
from samara.records.json_lines import IN_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from samara.energy.catalogue import Band, Controller
    from samara.energy.medium_access import MediumAccess, OwnFrame
    from samara.energy.quantity import Draw, Value
    from samara.energy.security import Security
    from samara.energy.topology import Topology
    from samara.energy.transceiver import Transceiver


LOW_VOLTAGE_V = 3.6
"""Devices whose figures are for up to so much run down to 1.8 V, too; those for more
are of boards that need what they state."""

_NEARLY_ALL = 0.98
"""Above it, what pulses leave in a battery is not told."""
_WARN_FROM_DUTY = 0.01
"""What most bands allow that have a limit."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a user chooses by name; all of it is drawn from its tolerances.

    The defaults are the preset `honest`: 20 bytes in a frame of 2006 with short
    addresses, level 6 (encrypted, a tag of 8 bytes), key id mode 1.
    """

    device: str = "atmega128rfa1"
    """A microcontroller, or a core beside one (`samara.energy.coprocessor`)."""
    radio: str = "at86rf231"
    mac: str = "box-mac-2"
    mac_settings: Mapping[str, float] = field(default_factory=dict)
    """Settings of the medium access that do not have their defaults."""
    battery: str = "2xaa-alkaline"
    celsius: float = 20.0
    frame_bytes: int = 31
    """Without security, with the check sequence."""
    added_bytes: int = 14
    """By security: a header of 6, a tag of 8."""
    calls: tuple[Call, ...] = (Call("ieee802154-aes128-ccm-8", 20, 15),)
    """The bench's names of what secures a frame; none for no security."""
    more: tuple[Frames, ...] = ()
    """The other frames of a message that takes several, the last one at the end."""
    plain: tuple[Frames, ...] = ()
    """All frames of the same message without security, where they are not the same."""
    reserved: int = 1000
    """Frame counters that one durable write reserves."""
    sealing: Sealing = Sealing.ONCE
    opens_before_filter: bool = False
    rpl: Rpl | None = field(default_factory=Rpl)
    secures_control: bool = True
    """Whether frames of routing and requests for data are secured too, as they are by
    the link's security; what secures payloads leaves them as they are."""
    own: OwnParts = field(default=NO_PARTS, metadata={IN_JSON: False})
    """Parts of the user that the names above may mean."""

    def node(
        self, draw: Draw = nominal, securities: Sequence[Security] | None = None
    ) -> Node:
        """Return a node.

        Parameters
        ----------
        securities
            What secures each of its frames. Default: `securities`, of the same draw.

        Raises
        ------
        samara.crypto.UnknownNameError
            When a name is unknown.
        NotMeasuredError
            When the bench has not measured what secures the frames.
        """
        controller = self.own.controller(self.device)
        drawn = controller.draw(draw)
        supply_v = self.own.board(self.device).supply_v
        secured, *others = securities or self.securities(draw)
        return Node(
            self._transceiver(controller, draw),
            self._access(draw),
            self.frame_bytes,
            secured,
            self._core_w(draw)
            + (0.0 if self._is_one_chip else drawn["sleep_a"] * supply_v),
            more=tuple(
                Secured(each.frame_bytes, own, each.count)
                for each, own in zip(self.more, others, strict=True)
            ),
            plain=tuple(
                Secured(each.frame_bytes, count=each.count) for each in self.plain
            ),
        )

    def securities(self, draw: Draw = nominal) -> list[Security]:
        """Return what secures each frame of a message, the last one at the end.

        That of the first one tells what secures control frames.

        Raises
        ------
        samara.crypto.UnknownNameError, NotMeasuredError
            As `node`.
        """
        first, *others = (self._security_of(each, draw) for each in self.frames)
        if self.calls:
            # Their sizes are not a message's: longer ones take more cycles.
            of_sizes = {
                size: self._security_of(self._first, draw, size - self.frame_bytes)
                if self.secures_control
                else NONE
                for size in self._control_sizes(self._access(draw))
            }
            first = replace(first, of_sizes=of_sizes)
        return [first, *others]

    def _access(self, draw: Draw = nominal) -> MediumAccess:
        name, settings = self.used_mac(draw)
        return mac(name, **settings)

    def used_mac(self, draw: Draw = nominal) -> tuple[str, dict[str, Value]]:
        """Return the medium access, and the settings that are not its defaults."""
        given: dict[str, Value] = dict(self.mac_settings)
        own = self.own.mac(self.mac)
        if own is None:
            return self.mac, given
        of_file = {
            name: draw(f"{own.name}.{name}", quantity)
            for name, quantity in own.settings.items()
            if name not in given
        }
        return own.medium_access, {**of_file, **given}

    @property
    def own_frame(self) -> OwnFrame | None:
        """The frame of the medium access; None for that of the link."""
        return self._access().own_frame

    def _control_sizes(self, access: MediumAccess) -> Iterator[int]:
        """Yield the sizes in bytes, without security, of all but data frames."""
        if self.rpl:
            yield self.rpl.dio_bytes
            yield self.rpl.dao_bytes
        if access.requests:
            yield access.requests.frame_bytes
        if access.secures_acks:
            yield access.ack_bytes

    @property
    def host(self) -> str:
        """The microcontroller that was measured: a device's, or the host of a core."""
        return coprocessor.host_of(self.measured_as)

    @property
    def measured_as(self) -> str:
        """The device of the bench, or the core, whose cycles the device has."""
        return self.own.measured_as(self.device)

    def _core_w(self, draw: Draw) -> Value:
        """Return what a core leaks at all times; 0 if nothing is secured by one."""
        core = coprocessor.named(self.measured_as) if self.calls else None
        return core.leakage_w(draw) if core else 0.0

    @property
    def _first(self) -> Frames:
        return Frames(self.frame_bytes, self.added_bytes, self.calls)

    @property
    def frames(self) -> tuple[Frames, ...]:
        """All frames of a message, the last one at the end."""
        return self._first, *self.more

    @property
    def _is_one_chip(self) -> bool:
        """Whether the radio's currents are those of the whole chip."""
        return self.own.radio(self.radio).processor == self.host

    def _transceiver(self, controller: Controller, draw: Draw) -> Transceiver:
        """Return the radio, with what the controller draws while the radio is on."""
        radio = self.own.radio(self.radio)
        senses = mac_kind(self.used_mac()[0]).shares_medium
        if controller.on_chip_with == radio.chip:
            return replace(transceiver(radio, draw, senses=senses), sleep_w=0.0)
        beside_a = 0.0 if self._is_one_chip else controller.draw(draw)["idle_a"]
        return transceiver(radio, draw, controller_a=beside_a, senses=senses)

    def _security_of(self, frames: Frames, draw: Draw, longer: int = 0) -> Security:
        """Return what secures a frame, or one like it that is longer."""
        if not frames.calls:
            return replace(NONE, added_bytes=frames.added_bytes)
        calls = frames.calls
        if longer:
            calls = tuple(
                replace(call, message_bytes=max(call.message_bytes + longer, 0))
                for call in calls
            )
        core = coprocessor.named(self.measured_as)
        return measured(
            core.name if core else self.host,
            calls,
            frames.added_bytes,
            counters=CounterStore(self.own.controller(self.device), self.reserved),
            draw=draw,
            board=self.own.board(self.device),
            sealing=self.sealing,
            opens_before_filter=self.opens_before_filter,
        )

    def in_words(self) -> str:
        """Return what a node is taken to be, defaults among it."""
        secured = "without security"
        if self.calls:
            secured = f"{self.added_bytes} of them by {self.calls[0].suite}"
        count = sum(each.count for each in self.frames)
        frames = "frames of" if count == 1 else f"{count:,} frames for each message, of"
        settings = in_words(*self.used_mac())
        return (
            f"Node: {self.device}, {self.radio}, {self.mac}; {frames} "
            f"{self.frame_bytes + self.added_bytes} bytes, {secured}. {settings}"
        ).strip()

    def supply(self, draw: Draw = nominal) -> Supply:
        """Return the battery.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such battery.
        """
        cells = self.own.battery(self.battery)
        return supply(cells, draw, self.celsius, self.pulse(draw))

    def pulse(self, draw: Draw = nominal) -> Pulse:
        """Return what the node draws from its battery at once.

        What is beyond what the battery gives in pulses comes from a capacitor, and a
        voltage that the battery never has from a converter: doubts tell them.
        """
        row, cells = self.own.radio(self.radio), self.own.battery(self.battery)
        radio = self._transceiver(self.own.controller(self.device), draw)
        access = self._access(draw)
        lengths_s = [
            access.send(Hop(radio, size, access.ack_bytes)).on_s
            for size in (each.frame_bytes + each.added_bytes for each in self.frames)
        ]
        needs_v = row.minimum_v.value
        return Pulse(
            np.minimum(self._most_a(radio, draw), cells.pulse_a.value),
            reduce(np.maximum, lengths_s),
            needs_v if needs_v < cells.voltage_v.value else cells.cutoff_v.value,
        )

    def _most_a(self, radio: Transceiver, draw: Draw = nominal) -> Value:
        """Return the most that the radio draws, with its controller, in ampere."""
        supply_v = self.own.radio(self.radio).draw(draw)["supply_v"]
        return np.maximum(radio.transmit_w, radio.receive_w) / supply_v

    def unchecked(self, *, battery: bool = True) -> list[str]:
        """Return the quantities whose sources have not been checked, by name.

        Parameters
        ----------
        battery
            Whether those of the battery count; a message's energy has none of them.
        """
        listed = Listed()
        self.node(listed)
        if battery:
            self.supply(listed)
        used = listed.quantities.items()
        return sorted(name for name, quantity in used if not quantity.checked)

    def doubts(self, years: float = 0.0) -> list[str]:
        """Return what the figures leave out and this node cannot do without.

        Parameters
        ----------
        years
            How long it is told to live.
        """
        cells = self.own.battery(self.battery)
        found = [
            *self.doubt_of_pulses(),
            *self.doubt_of_voltage(),
            *self.doubt_of_end(),
        ]
        if years > (vouched := cells.shelf_years.value):
            found.append(
                f"{cells.title}, is vouched for {vouched:.0f} years by its makers: "
                "a longer life is computed from self-discharge alone."
            )
        return found

    def doubts_of_network(self, topology: Topology, interval_s: float) -> list[str]:
        """Return what the figures leave out, and its nodes cannot do without."""
        node = self.node()
        used = consumption(node, topology, interval_s, self.rpl)
        return [
            *doubts(node, topology, interval_s),
            *self._doubt_of_bands(float(used.duty.max())),
            *self._doubt_of_harvest(float(used.total_w.max())),
        ]

    def _doubt_of_harvest(self, power_w: float) -> list[str]:
        """Return whether what fills the battery holds."""
        store = self.supply()
        if store.harvest is None:
            return []
        sentence = store.harvest.in_words(power_w, float(store.energy_j(power_w)))
        return [f"{store.battery.title}: {sentence}."]

    def _doubt_of_bands(self, duty: float) -> list[str]:
        """Return which bands do not let a transmitter be on for such a share."""
        reached = catalogue.bands_of(self.own.radio(self.radio))
        too_short = [each for each in reached if each.duty_cycle.value < duty]
        if duty < _WARN_FROM_DUTY or not too_short:
            return []
        fine = ", ".join(each.name for each in reached if each not in too_short)
        doubt = (
            f"a transmitter is on for {duty:.1%} of the time. Of the European bands "
            f"that {self.radio} has, {fine or 'none'} allows that: --band of `samara "
            "energy network` counts it."
        )
        return [doubt]

    def doubt_of_pulses(self) -> list[str]:
        """Return whether the battery gives less than the radio draws at once."""
        cells = self.own.battery(self.battery)
        radio = self._transceiver(self.own.controller(self.device), nominal)
        draws_a = float(self._most_a(radio))
        if draws_a <= cells.pulse_a.value:
            return []
        doubt = (
            f"{self.radio} on {self.device} draws {draws_a * 1e3:.3g} mA at once; "
            f"{cells.title}, gives {cells.pulse_a.value * 1e3:.3g} mA in "
            "pulses: the life holds only with a capacitor that gives the rest."
        )
        return [doubt]

    def doubt_of_end(self) -> list[str]:
        """Return whether pulses end the life before the battery is empty."""
        cells, pulse = self.own.battery(self.battery), self.pulse()
        used = float(self.supply().pulse_share)
        if used > _NEARLY_ALL:
            return []
        doubt = (
            f"pulses of {pulse.current_a * 1e3:.3g} mA for "
            f"{pulse.seconds * 1e3:,.3g} ms: {cells.title}, falls below "
            f"{pulse.least_v:g} V in them when {used:.0%} of it is used. "
            "The life ends there; a capacitor that gives the pulses makes it longer."
        )
        return [doubt]

    def doubt_of_voltage(self) -> list[str]:
        """Return whether the battery's voltage is too low for device or radio."""
        cells, board = self.own.battery(self.battery), self.own.board(self.device)
        has_v = cells.voltage_v.value
        least_v = self.own.radio(self.radio).minimum_v.value
        if board.supply_v > max(LOW_VOLTAGE_V, has_v):
            needs = f"{self.device} runs at {board.supply_v:g} V"
        elif least_v > has_v:
            needs = f"{self.radio} needs {least_v:g} V"
        else:
            return []
        doubt = (
            f"{needs}; {cells.title}, gives {has_v:g} V: the life holds only with a "
            "step-up converter, whose losses are not in it."
        )
        return [doubt]

    def band(self, name: str) -> Band:
        """Return a band that the radio can be tuned to.

        Raises
        ------
        MisuseError, samara.crypto.UnknownNameError
            As `samara.energy.catalogue.band_of`.
        """
        return catalogue.band_of(self.own.radio(self.radio), name)

    def unsecured(self) -> Scenario:
        """Return the same without security."""
        first, *more = (
            replace(each, added_bytes=0, calls=()) for each in self.plain or self.frames
        )
        if first.count > 1:
            more = [replace(first, count=first.count - 1), *more]
        return replace(
            self,
            frame_bytes=first.frame_bytes,
            added_bytes=0,
            calls=(),
            more=tuple(more),
            plain=(),
        )

    def life_s(
        self, topology: Topology, interval_s: float, draw: Draw = nominal
    ) -> Value:
        """Return how long a network of such nodes lives, in seconds.

        It lives until the battery of the node that draws the most is empty.

        Raises
        ------
        MisuseError
            When more is sent than the medium, or a node's schedule, can carry.
        """
        return self.life_of(self.node(draw), topology, interval_s, draw)

    def life_of(
        self,
        node: Node,
        topology: Topology,
        interval_s: float,
        draw: Draw,
        only: Sequence[int] | None = None,
    ) -> Value:
        """Return `life_s` of a node that is one of this scenario, in its draws.

        Parameters
        ----------
        only
            The nodes that count, in place of all: counted from 0.

        Raises
        ------
        MisuseError
            As `life_s`.
        """
        power_w = self.power_of(node, topology, interval_s, only)
        return self.supply(draw).life_s(power_w)

    def power_of(
        self,
        node: Node,
        topology: Topology,
        interval_s: float,
        only: Sequence[int] | None = None,
    ) -> Value:
        """Return what the node of a network draws that draws the most, in watts.

        Raises
        ------
        MisuseError
            As `life_s`.
        """
        used = consumption(node, topology, interval_s, self.rpl, only=only)
        if float(np.median(used.load.max(axis=-1))) > 1:
            found = verdict(node, topology, interval_s, self.rpl)
            raise MisuseError(found.refusal())
        power_w = used.total_w.max(axis=-1)
        return float(power_w) if not power_w.ndim else power_w
