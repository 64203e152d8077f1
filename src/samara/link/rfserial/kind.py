# SPDX-License-Identifier: Apache-2.0
"""The kind of link `rf-serial`: messages through a modem on a serial port.

Both ends share one key. The nonce contains the direction, so the two ends never
use the same nonce. Only the framing `sealed` authenticates. The others are those
of published measurements, for comparison: they have no counters, so replays are
not detected, and `plain` does not encrypt.
"""

from __future__ import annotations

import secrets
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from samara import crypto
from samara.errors import MisuseError
from samara.link import rfserial
from samara.link.node.end import End
from samara.link.node.kinds import Kind, Protection, Warned, warning_of
from samara.link.node.link_addresses import LinkAddresses
from samara.link.node.options import (
    Option,
    check_keys,
    check_settings,
    is_number_in,
    settings_from,
    shown,
)
from samara.link.node.serial_line import BITS_A_BYTE
from samara.link.rfserial import modules, receipts
from samara.link.rfserial.modem_commands import TIMEOUTS_MS, UART_RATES
from samara.link.rfserial.modules.regions import regions
from samara.link.rfserial.settings import PACKET_SIZES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from samara.link.node.device_record import DeviceRecord
    from samara.link.node.link import Link
    from samara.link.node.messages import Planned
    from samara.link.node.options import Settings
    from samara.link.node.receipt import Receipt
    from samara.link.node.simulated_air import AirPlan, SimulatedAir
    from samara.link.node.state import State
    from samara.link.node.state_file import Record

# Each time a sender is killed it continues up to a thousand counters later, and a
# receiver that heard nothing of it has to follow: 262 times with 3 bytes of the
# counter on the line, 8388 times with 4, but only 8 times with 2.
_COUNTER_SIZE, _COUNTER_SIZE_MIN = 4, 3
_AUTHENTICATED = ", ".join(
    framing.name for framing in rfserial.FRAMINGS.values() if framing.authenticates
)

OPTIONS = (
    Option(
        name="module",
        type=str,
        metavar="NAME|FILE",
        help="Module at the serial port: a name of `samara radio modules`, or a file"
        " with its profile.",
        default=modules.DEFAULT,
        names=modules.names,
        at_each_run=True,
        changes_receipt=True,
        may_be_missing=True,
    ),
    Option(
        name="region",
        type=str,
        metavar="NAME",
        help="Keep the duty cycle of a region: what would exceed it waits.",
        values=tuple(regions()),
        default_text="none is kept",
        at_each_run=True,
        changes_receipt=True,
        may_be_missing=True,
    ),
    Option(
        name="framing",
        type=str,
        help=f"Format of messages on the serial line. Authenticated: {_AUTHENTICATED}.",
        values=tuple(rfserial.FRAMINGS),
        default=rfserial.DEFAULT_FRAMING,
        changes_receipt=True,
    ),
    Option(
        name="suite",
        type=str,
        metavar="SUITE",
        help="Suite that seals messages, or a cipher alone; --tag-size then sets the"
        " size of the tag.",
        default=rfserial.DEFAULT_SUITE,
        changes_receipt=True,
    ),
    Option(
        name="tag_size",
        type=int,
        metavar="BYTES",
        help="Size of the tag in bytes.",
        values=range(4, 17),
        default_text="that of the suite",
        changes_receipt=True,
    ),
    Option(
        name="counter_size",
        type=int,
        metavar="BYTES",
        help="Size of the transmitted part of the frame counter in bytes, 3 or 4"
        " with a framing that authenticates.",
        values=range(5),
        default=_COUNTER_SIZE,
        changes_receipt=True,
    ),
    Option(
        name="packet_size",
        type=int,
        metavar="BYTES",
        help="Packet size of the modem in bytes (ATPK of srf): messages are padded to a"
        " multiple of it.",
        values=PACKET_SIZES,
        default=lambda: modules.module(modules.DEFAULT).fill,
        default_text="that of the module; 12 of srf",
        changes_receipt=True,
        of_mac=("packet_bytes", 1),
    ),
    Option(
        name="modem_timeout_ms",
        type=int,
        metavar="MS",
        help="Milliseconds that the modem waits for the rest of a packet (ATRO of"
        " srf).",
        values=TIMEOUTS_MS,
        default=lambda: modules.module(modules.DEFAULT).timeout_ms,
        default_text="that of the module; 16 of srf",
        changes_receipt=True,
        of_mac=("timeout_s", 1e-3),
    ),
    Option(
        name="port",
        type=str,
        metavar="PATH",
        help="Serial port of the modem.",
        at_each_run=True,
    ),
    Option(
        name="baud",
        type=int,
        metavar="RATE",
        help="Baud rate of the serial port.",
        values=UART_RATES,
        default=lambda: modules.module(modules.DEFAULT).baud,
        default_text="that of the module; 115200 of srf",
        at_each_run=True,
        changes_receipt=True,
        of_mac=("baud", 1),
    ),
)


class RfSerialKind(Kind):
    """The kind of link."""

    name: ClassVar[str] = "rf-serial"
    options: ClassVar[tuple[Option, ...]] = OPTIONS
    radio: ClassVar[str | None] = "srf"
    # The modem decides when it sends and listens, and takes bytes of a line: whatever
    # radio is in it, a node cannot have another medium access.
    macs: ClassVar[tuple[str, ...]] = ("serial-radio",)
    unsecured: ClassVar[Mapping[str, Any] | None] = MappingProxyType(
        {"framing": "plain"}
    )

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key for two nodes."""
        settings = settings_from(self.name, OPTIONS, self.completed(given))
        settings["suite"] = _suite(settings["suite"], settings["tag_size"])
        settings |= {"link": secrets.randbelow(2**16), "direction": 0}
        self.check(settings, None)
        return self.both_ends(settings)

    def completed(self, given: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return options with what the module sets of others."""
        if given.get("module") is None:
            return given
        # A node may be used from another directory than it is made in.
        given = {**given, "module": modules.lasting_name(given["module"])}
        profile = modules.module(given["module"])
        implied = {
            "packet_size": profile.fill,
            "modem_timeout_ms": profile.timeout_ms,
            "baud": profile.baud,
        }
        return {**implied, **given}

    def mac_settings(self, given: Mapping[str, Any]) -> Mapping[str, float]:
        """Return the packets of the module: messages may be padded to less."""
        if given.get("module") in (None, modules.DEFAULT):
            return {}
        return {"packet_bytes": modules.module(given["module"]).packet}

    def radio_of(self, given: Mapping[str, Any]) -> str | None:
        """Return the radio of the module, if one is named."""
        return modules.radio_of(given)

    def options_of(self, radio: str) -> Mapping[str, Any]:
        """Return the module of samara that is named as its radio, if there is one."""
        is_other = radio in modules.built_in() and radio != modules.DEFAULT
        return {"module": radio} if is_other else {}

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in direction and port."""
        keys = {"key": secrets.token_bytes(_key_size(settings))}
        direction = 1 - settings["direction"]
        other = {**settings, "direction": direction, "port": None}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        check_settings(settings, OPTIONS, _OTHERS)
        _check_module(settings)
        key_size = _key_size(settings)
        check_keys(keys, {"key": key_size})
        encoding = {
            name: settings[name] for name in (*receipts.ENCODING, "link", "direction")
        }
        rfserial.Sender(key=bytes(key_size), **encoding)

    def warning(self, settings: Settings) -> Warned | None:
        """Warn of framings that do not authenticate, and of research ciphers."""
        framing = _framing(settings)
        if not framing.authenticates:
            encrypts = framing.suite(settings["suite"]) is not None
            return Warned.unauthenticated(
                f"the framing {framing.name}", encrypts=encrypts
            )
        suite = crypto.suite(settings["suite"])
        return warning_of(suite.slug, suite.standing)

    def described(self, settings: Settings) -> Mapping[str, str]:
        """Return the settings as text."""
        encoding, framing = _encoding(settings), _framing(settings)
        special = {
            "suite": framing.suite(encoding.suite) or "none",
            "port": settings["port"] or "none; give --port",
            "tag_size": str(encoding.tag_bytes if framing.authenticates else "none"),
        }
        return {name: shown(value) for name, value in settings.items()} | special

    def planned(self, settings: Settings, message: Planned) -> Receipt:
        """Return the receipt of a message that has not been sent."""
        encoding = _encoding(settings)
        payloads = message.payloads(rfserial.LONGEST_MESSAGE)
        sent = receipts.Sent(
            message.direction,
            message.size,
            [rfserial.sizes_of(encoding, size) for size in payloads],
            answers=[rfserial.sizes_of(encoding, size) for size in message.answers],
        )
        return receipts.receipt_of(sent, encoding, receipts.line_of(settings))

    def protections(self) -> Iterator[Protection]:
        """Yield all suites, in the framing that authenticates."""
        for suite in crypto.suites():
            yield Protection(
                {"suite": suite.slug, "framing": "sealed"},
                suite.standing,
                suite.tag_size,
                encrypts=True,
            )

    def addresses(
        self, settings: Settings, records: Mapping[str, Record]
    ) -> LinkAddresses:
        """Return the numbers of the two ends."""
        del records
        return LinkAddresses.of_end(settings["direction"])

    def bytes_a_second(self, settings: Settings) -> float | None:
        """Return what the serial line takes: it is slower than many radios."""
        baud: float = settings["baud"]
        return baud / BITS_A_BYTE

    def simulated_air(self, plan: AirPlan) -> SimulatedAir:
        """Return two modems with their serial ports."""
        from samara.link.rfserial.simulated_air import Modems  # noqa: PLC0415 - late

        return Modems(plan)

    def device_record(self, end: End) -> DeviceRecord:
        """Return the key and the settings as samara/node.h takes them."""
        from samara.link.rfserial.device_record import (  # noqa: PLC0415 - late
            record_of,
        )

        self.check(end.settings, end.keys)
        return record_of(end.settings, end.keys["key"])

    def open(self, end: End, state: State) -> Link:
        """Open one end."""
        from samara.link.rfserial.end import RfSerialLink  # noqa: PLC0415 - late

        return RfSerialLink(end, state)


KIND = RfSerialKind()


def _encoding(settings: Settings) -> rfserial.Settings:
    return rfserial.Settings.of(**{name: settings[name] for name in receipts.ENCODING})


def _check_module(settings: Settings) -> None:
    """Refuse what a module cannot do.

    Raises
    ------
    MisuseError
        When it does not have the baud rate, does not send in the region, or the framing
        needs a line without pauses.
    """
    profile, region = modules.of_settings(settings), settings.get("region")
    profile.check_baud(settings["baud"])
    if region is not None and profile.regions and region not in profile.regions:
        message = (
            f"{profile.name} does not send in {region}: give --region "
            f"{' or '.join(profile.regions)}"
        )
        raise MisuseError(message)
    has_pauses = profile.wrapping.keeps_packets or profile.gap_s or region
    if _framing(settings).needs_pauses and has_pauses:
        message = (
            f"the framing {settings['framing']} ends messages by silence, and packets"
            f" of {profile.name} have pauses between them: take --framing sealed"
        )
        raise MisuseError(message)


def _suite(given: str, tag_size: int | None) -> str:
    """Return the slug of a suite, or of the CCM suite of a cipher given alone."""
    default = crypto.suite(rfserial.DEFAULT_SUITE).tag_size
    return crypto.suite_named(given, tag_size=tag_size or default).slug


def _framing(settings: Mapping[str, Any]) -> rfserial.Framing:
    return rfserial.FRAMINGS[settings["framing"]]


def _key_size(settings: Mapping[str, Any]) -> int:
    framing = _framing(settings)
    if framing.authenticates and settings["counter_size"] < _COUNTER_SIZE_MIN:
        message = (
            f"--counter-size must be {_COUNTER_SIZE_MIN} or 4 with the framing "
            f"{framing.name}, because a node that was killed continues with a much "
            "higher counter"
        )
        raise MisuseError(message)
    return framing.key_size(settings["suite"])


_OTHERS: Mapping[str, Callable[[Any], bool]] = {
    "link": is_number_in(range(2**16)),
    "direction": is_number_in(range(2)),
}
"""Settings that are drawn at random, each with the check of its value."""
