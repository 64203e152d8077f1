# SPDX-License-Identifier: Apache-2.0
"""What the energy model says where somebody measured: one function for each answer.

Energies are divided by the voltage of the radio's currents where measurements are
charges.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from samara.energy import catalogue
from samara.energy.mac import names
from samara.energy.parts import Part
from samara.energy.quantity import nominal
from samara.energy.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.energy.node import Node
    from samara.energy.parts import Parts
    from samara.energy.quantity import Draw, Value


@dataclass(frozen=True, slots=True)
class Check:
    """A table of checks.toml: some measurements, and what the model says of them."""

    name: str
    rows: tuple[int, ...]
    """Ids of measurements."""
    answer: str
    """One of `ANSWERS`."""
    fitted: tuple[int, ...] = ()
    """Those of them that a quantity of the part was fitted to."""
    device: str = "cortex-m4"
    radio: str = "nrf52840"
    mac: str = "polling"
    frame_bytes: int = 31
    added_bytes: int = 10
    """By security: a header of 6, a tag of 4."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    explained: str = ""
    """Why measurements may be outside of the range, where that is known."""

    @property
    def missing(self) -> str:
        """Why the model says nothing yet; empty if it does."""
        if self.radio not in {each.name for each in catalogue.radios()}:
            return f"no radio {self.radio}"
        return "" if self.mac in names() else f"no medium access {self.mac}"

    def value(self, draw: Draw = nominal) -> Value:
        """Return what the model says: in C, A, s or J."""
        return ANSWERS[self.answer](self, draw)

    @property
    def scenario(self) -> Scenario:
        """The node: the cipher is the chip's own unit, which takes nothing here."""
        return Scenario(
            device=self.device,
            radio=self.radio,
            mac=self.mac,
            mac_settings=self.settings,
            frame_bytes=self.frame_bytes,
            added_bytes=self.added_bytes,
            calls=(),
            rpl=None,
        )

    def volts(self, draw: Draw) -> Value:
        """Return the voltage at which the radio's currents are drawn."""
        return draw(f"{self.radio}.supply_v", catalogue.radio(self.radio).supply_v)


def _charge(check: Check, draw: Draw, energy_j: Parts) -> Value:
    return energy_j.total / check.volts(draw)


def _request(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    requests = node.mac.requests
    if requests is None:
        message = f"{check.mac} has no requests: {check.name} of checks.toml"
        raise ValueError(message)
    request = requests.times(node.hop(requests.frame_bytes))
    return _charge(check, draw, request.energy_j(node.radio))


def _window(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    waiting = node.mac.idle(node.hop())
    return _charge(check, draw, waiting.energy_j(node.radio)) / waiting.starts


def _average(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    return _charge(check, draw, node.idle_w() + node.sleep_w())


def _minute(check: Check, draw: Draw) -> Value:
    return 60 * _average(check, draw)


def _sleep(check: Check, draw: Draw) -> Value:
    return _charge(check, draw, check.scenario.node(draw).sleep_w())


def _controller_asleep(check: Check, draw: Draw) -> Value:
    return catalogue.controller(check.device).draw(draw)["sleep_a"]


def _transmitting(check: Check, draw: Draw) -> Value:
    return catalogue.radio(check.radio).draw(draw)["transmit_a"]


def _sent(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    sent = node.mac.send(node.hop()).energy_j(node.radio)
    frame, _ = sent.split((Part.DATA, Part.WAKE))
    return _charge(check, draw, frame)


def _sent_acknowledged(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    # The cipher is left out, and acknowledgements are as long as with it.
    hop = replace(node.hop(), ack_bytes=node.mac.ack_bytes + check.added_bytes)
    return _charge(check, draw, node.mac.send(hop).energy_j(node.radio))


def _received(check: Check, draw: Draw, *, acknowledged: bool = False) -> Value:
    node = check.scenario.node(draw)
    hop = replace(node.hop(), ack_bytes=node.mac.ack_bytes + check.added_bytes)
    action = node.mac.receive if acknowledged else node.mac.receive_broadcast
    # In a cell that is measured alone, nothing is spared of another one.
    times = replace(action(hop), spared_s=0.0, starts=1.0)
    return _charge(check, draw, times.energy_j(node.radio))


def _received_acknowledged(check: Check, draw: Draw) -> Value:
    return _received(check, draw, acknowledged=True)


def _message(check: Check, draw: Draw) -> Value:
    node = check.scenario.node(draw)
    return node.mac.send(node.hop()).energy_j(node.radio).total


def _air_time(check: Check, draw: Draw) -> Value:
    node: Node = check.scenario.node(draw)
    sent = node.mac.send(node.hop())
    return sent.data_s / sent.copies


ANSWERS: Mapping[str, Callable[[Check, Draw], Value]] = {
    "request": _request,
    "window": _window,
    "minute": _minute,
    "average": _average,
    "sleep": _sleep,
    "controller-asleep": _controller_asleep,
    "transmitting": _transmitting,
    "sent": _sent,
    "sent-acknowledged": _sent_acknowledged,
    "received": _received,
    "received-acknowledged": _received_acknowledged,
    "air-time": _air_time,
    "message": _message,
}
"""In coulomb, ampere, second or joule."""
