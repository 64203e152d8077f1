# SPDX-License-Identifier: Apache-2.0
"""The kind of link `sdr`: software-defined radio, encrypted at the physical layer.

A payload is padded to the frame size of the link; tag, channel code, Grain-128PLE
and modulation follow (`gnuradio.samara`). The frame counter is not transmitted: the
receiver searches it (`samara.crypto.ple_sync`), and the tag decides. Both ends share
one key. The nonce contains the direction, so the two ends never use the same nonce.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, ClassVar

from samara import crypto
from samara.link.node.end import End
from samara.link.node.kinds import Kind, Warned, warning_of
from samara.link.node.options import (
    Option,
    check_keys,
    check_settings,
    is_number_in,
    settings_from,
    shown,
)
from samara.phy import modulation
from samara.records.parameters import Between

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.link.node.link import Link
    from samara.link.node.messages import Planned
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.state import State

OPTIONS = (
    Option(
        name="modulation",
        type=str,
        help="Modulation.",
        values=tuple(modulation.MODULATIONS),
        default=modulation.DEFAULT,
        changes_receipt=True,
    ),
    Option(
        name="frame_size",
        type=int,
        metavar="BYTES",
        help="Payload size of every frame in bytes; shorter payloads are padded.",
        values=range(48, 1021),
        default=252,
        changes_receipt=True,
    ),
    Option(
        name="radio",
        type=str,
        metavar="RADIO",
        help="Radio: zmq or zmq:ADDRESS (simulated air), file:PATH (recording),"
        " uhd:ARGS or soapy:ARGS (hardware).",
        default="zmq",
        at_each_run=True,
    ),
    Option(
        name="rate",
        type=float,
        metavar="HZ",
        help="Sample rate in Hz.",
        values=Between(1e4, 20e6),
        default=1e6,
        at_each_run=True,
        changes_receipt=True,
    ),
    Option(
        name="frequency",
        type=float,
        metavar="HZ",
        help="Carrier frequency in Hz.",
        values=Between(0),
        default=868.3e6,
        at_each_run=True,
    ),
    Option(
        name="gain",
        type=float,
        metavar="DB",
        help="Gain of the radio in dB.",
        default=30.0,
        at_each_run=True,
    ),
    Option(
        name="ppm",
        type=float,
        metavar="PPM",
        help="Error of the radio's crystal in ppm, as samara phy calibrate prints it;"
        " hardware only.",
        values=Between(-1000, 1000),
        default=0.0,
        at_each_run=True,
        may_be_missing=True,
    ),
)


class SdrKind(Kind):
    """The kind of link."""

    name: ClassVar[str] = "sdr"
    options: ClassVar[tuple[Option, ...]] = OPTIONS

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key and a number for the link."""
        settings = settings_from(self.name, OPTIONS, {**_rate_of_chip(given), **given})
        settings |= {"link_id": secrets.randbelow(1 << 16), "end": 0}
        self.check(settings, None)
        return self.both_ends(settings)

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in their number."""
        keys = {"key": secrets.token_bytes(_cipher().key_size)}
        other = {**settings, "end": 1 - settings["end"]}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        from samara.phy.radio import Radio  # noqa: PLC0415 - see `Kind`

        check_settings(settings, OPTIONS, _OTHERS)
        Radio.parse(settings["radio"])
        check_keys(keys, {"key": _cipher().key_size})

    def warning(self, settings: Settings) -> Warned | None:
        """Grain-128PLE is a research cipher; the tag of the frame authenticates."""
        del settings
        cipher = _cipher()
        return warning_of(cipher.slug, cipher.standing)

    def described(self, settings: Settings) -> Mapping[str, str]:
        """Return the settings as text."""
        units = {"rate": " Hz", "frequency": " Hz", "gain": " dB", "ppm": " ppm"}
        numbers = {
            name: f"{settings[name]:,.10g}{unit}"
            for name, unit in units.items()
            if name in settings
        }
        return {name: shown(value) for name, value in settings.items()} | numbers

    def planned(self, settings: Settings, message: Planned) -> Receipt:
        """Return the receipt of a message that has not been sent."""
        from samara.link.sdr import frame, receipts  # noqa: PLC0415 - see `Kind`

        carried = receipts.Carried(
            message.direction,
            bytes(message.size),
            message.payloads(frame.payload_size_of(settings)),
            answers=len(message.answers),
        )
        return receipts.receipt_of(carried, frame.frames_of(settings))

    def simulated_air(self, plan: AirPlan) -> SimulatedAir:
        """Return a channel for samples."""
        from samara.link.sdr.simulated_air import Channel  # noqa: PLC0415 - see `Kind`

        return Channel(plan)

    def open(self, end: End, state: State) -> Link:
        """Open one end."""
        from samara.link.sdr.end import SdrLink  # noqa: PLC0415 - see `Kind`

        return SdrLink(end, state)


KIND = SdrKind()


def _rate_of_chip(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the sample rate of a modulation that has only one."""
    name = given.get("modulation") or modulation.DEFAULT
    row = modulation.MODULATIONS.get(name)
    if row is None or row.chip is None:
        return {}
    from samara.phy.transceivers.profile import profile_named  # noqa: PLC0415 - see `Kind`

    return {"rate": profile_named(row.chip).keying.sample_rate}


def _cipher() -> crypto.Suite:
    return crypto.suite("grain128ple")


_OTHERS: Mapping[str, Callable[[Any], bool]] = {
    "link_id": is_number_in(range(1 << 16)),
    "end": is_number_in(range(2)),
}
"""Settings that are drawn, and what tells whether they are good."""
