# SPDX-License-Identifier: Apache-2.0
"""Nodes that talk in secured frames of IEEE 802.15.4, by way of `samara medium`.

Both ends share one key; the nonce has the sender's extended address, so that
they never use the same one. Data frames only, from one end to the other, with
the level and the addresses that `samara node init` was told.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from samara import crypto
from samara.errors import MisuseError
from samara.link import ieee802154
from samara.link.ieee802154 import Address, Frame, KeyId, SecurityHeader, Version
from samara.link.ieee802154 import receipts as receipts_ieee802154
from samara.link.ieee802154.fcs import FCS_SIZE
from samara.link.ieee802154.receipts import MIC_SIZES
from samara.link.ieee802154.zep import CHANNEL, PSDU_SIZE_MAX
from samara.link.ieee802154.zep_radio import DEFAULT_MEDIUM, ZepRadio
from samara.link.node.kinds import (
    Arrival,
    Batch,
    Carrier,
    Doubt,
    End,
    SettingError,
    Settings,
    Transmission,
    check_keys,
    check_settings,
    doubt_of,
    is_number_in,
    is_one_of,
    is_text,
)
from samara.link.node.receipt import Direction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from samara.link.ieee802154.zep_radio import Heard
    from samara.link.node.receipt import Receipt
    from samara.link.node.state import State

_ENCRYPTION_ONLY = 4
_VERSIONS = {2006: Version.V2006, 2015: Version.V2015}
_SOURCE_SIZES = (0, 0, 4, 8)
# Neither 0xffff nor 0xfffe, which mean all, and none.
_SHORT_ADDRESSES = range(1, 0xFFFE)
_SENT, _EXPECTED = "transmit counter", "receive counter"


@dataclass(frozen=True, slots=True)
class _Shape:
    """How frames between two ends look."""

    level: int
    key_id: KeyId
    version: Version
    source: Address
    destination: Address

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> _Shape:
        mode, version = settings["key_id_mode"], _VERSIONS[settings["frame_version"]]
        own, peer = (_address(settings, end) for end in ("own", "peer"))
        return cls(
            level=settings["level"],
            key_id=KeyId(mode, min(mode, 1), bytes.fromhex(settings["key_source"])),
            version=version,
            source=own,
            destination=peer,
        )

    @property
    def mic_size(self) -> int:
        return MIC_SIZES[self.level & 3]

    def frame(self, payload: bytes, counter: int) -> Frame:
        # Of two extended addresses, compression takes both PANs away (2015).
        compressed = self.version is Version.V2006 or self.source.long is None
        return Frame(
            version=self.version,
            sequence=counter & 0xFF,
            destination=self.destination,
            source=self.source,
            pan_compression=compressed,
            security=SecurityHeader(self.level, self.key_id) if self.level else None,
            payload=payload,
        )

    def psdu_of(self, payload_size: int) -> bytes:
        """Return a frame as the other end sends it, with zeros for all secrets."""
        frame = replace(self.frame(bytes(payload_size), 0), mic=bytes(self.mic_size))
        return ieee802154.build(frame) + bytes(FCS_SIZE)

    def is_for_us(self, frame: Frame) -> bool:
        return (
            (frame.destination.short, frame.destination.long)
            == (self.source.short, self.source.long)
            and frame.destination.pan in (None, self.source.pan)
            and frame.type is ieee802154.FrameType.DATA
        )


class Ieee802154Link:
    """One end, on the air."""

    answer_time_s = 1.0

    def __init__(self, end: End, state: State) -> None:
        settings = end.settings
        self._shape = _Shape.of(settings)
        self._suite = receipts_ieee802154.suite_of(settings["suite"], self._shape.level)
        self._counter = state.counter(_SENT)
        self._security = _security_of(end, self._shape)
        self._security.set_receive_counter(0, 0, state.get(_EXPECTED) or 0)
        empty = len(ieee802154.build(self._shape.frame(b"", 0)))
        self.payload_size = PSDU_SIZE_MAX - FCS_SIZE - empty - self._shape.mic_size
        self._radio = ZepRadio(
            settings["medium"], settings["channel"], paced=settings.get("paced", True)
        )

    def next_counter(self) -> int:
        """Return the counter of the next frame."""
        return self._counter.next

    def send(self, payload: bytes) -> Transmission:
        """Protect a frame and send it."""
        counter = self._counter.take()
        frame = self._shape.frame(payload, counter)
        if frame.security is None:
            protected = ieee802154.build(frame)
        else:
            self._security.set_transmit_counter(0, counter)
            protected = self._security.protect(frame)
        psdu, time_s = self._radio.send(protected)
        return Transmission(counter, Carrier(len(payload), psdu), time_s)

    def receive(self, timeout_s: float) -> Batch:
        """Wait for frames, and open those that are for this node."""
        batch = Batch()
        for heard in self._radio.receive(timeout_s):
            try:
                if self._shape.is_for_us(ieee802154.parse(heard.frame)):
                    batch.arrivals.append(self._opened(heard, batch.numbers))
            except ieee802154.FrameError as error:
                batch.refused.append(str(error))
        batch.notices += self._radio.notices()
        return batch

    def _opened(self, heard: Heard, numbers: dict[str, int]) -> Arrival:
        expected = self._security.receive_counter(0, 0)
        payload = self._security.open(heard.frame).frame.payload
        now_expected = self._security.receive_counter(0, 0)
        if now_expected > expected:
            numbers[_EXPECTED] = now_expected
        return Arrival(
            payload=payload,
            carrier=Carrier(len(payload), heard.psdu),
            # Levels without a MIC count nothing.
            lost_before=max(now_expected - expected - 1, 0),
            delivery_s=heard.delivery_s,
        )

    def receipt(
        self,
        direction: Direction,
        message: bytes,
        carriers: Sequence[Carrier],
        time_s: float | None,
        answers: Sequence[int] = (),
    ) -> Receipt:
        """Return what a message cost that travelled as these frames."""
        is_sent = direction is Direction.SENT
        carried = receipts_ieee802154.Sent(
            direction=direction,
            message_bytes=len(message),
            frames=[carrier.encoded for carrier in carriers],
            air_s=time_s if is_sent else None,
            delivery_s=None if is_sent else time_s,
            answers=[self._shape.psdu_of(size) for size in answers],
        )
        return receipts_ieee802154.receipt_of(carried, self._suite)

    def close(self) -> None:
        """Leave the air."""
        self._radio.close()


class Ieee802154Kind:
    """The kind of link."""

    options: ClassVar[frozenset[str]] = frozenset(
        {
            *("level", "key_id_mode", "frame_version", "addresses"),
            *("pan", "channel", "suite", "medium"),
        }
    )
    run_options: ClassVar[frozenset[str]] = frozenset({"medium", "paced"})

    def new_pair(self, given: Mapping[str, Any]) -> tuple[End, End]:
        """Draw a key and addresses for two nodes."""
        own, peer = _two_addresses()
        return self.both_ends({**_checked(given), "own": own, "peer": peer})

    def both_ends(self, settings: Settings) -> tuple[End, End]:
        """Draw a key; the ends differ in whose addresses are their own."""
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        keys = {"key": secrets.token_bytes(key_size)}
        other = {**settings, "own": settings["peer"], "peer": settings["own"]}
        return End(settings, keys), End(other, keys)

    def check(self, settings: Settings, keys: Mapping[str, bytes] | None) -> None:
        """Check all settings, and the key."""
        check_settings({"paced": True, **settings}, _RULES)
        _check_mic(settings)
        if len(settings["key_source"]) != 2 * _SOURCE_SIZES[settings["key_id_mode"]]:
            message = "the key source and the key id mode do not go together"
            raise SettingError(message)
        own, peer = settings["own"], settings["peer"]
        if any(own[name].lower() == peer[name].lower() for name in own):
            # They would use the same nonces.
            message = "both ends have the same address"
            raise SettingError(message)
        key_size = ieee802154.frame_cipher(settings["suite"]).key_size
        check_keys(keys, {"key": key_size})

    def doubt(self, settings: Settings) -> Doubt | None:
        """Levels 0 and 4 do not authenticate."""
        level = settings["level"]
        if not level & 3:
            text = (
                f"security level {level} does not authenticate: anybody can send "
                "forged messages"
            )
            if level == 0:
                text += ", replay old ones and read all"
            else:
                text += " and replay old ones"
            return Doubt(text, authenticates=False)
        slug = ieee802154.frame_cipher(settings["suite"]).slug
        known = {each.slug: each.standing for each in crypto.block_ciphers()}
        known |= {each.slug: each.standing for each in crypto.suites()}
        return doubt_of(slug, known[slug])

    def open(self, end: End, state: State) -> Ieee802154Link:
        """Open one end."""
        return Ieee802154Link(end, state)


KIND = Ieee802154Kind()

_CHOICES: Mapping[str, Sequence[Any]] = {
    "level": range(8),
    "key_id_mode": range(4),
    "frame_version": tuple(_VERSIONS),
    "addresses": ("short", "extended"),
    "channel": range(11, 27),
}
_DEFAULTS: Mapping[str, Any] = {
    "level": 5,
    "key_id_mode": 1,
    "frame_version": 2006,
    "addresses": "short",
    "channel": CHANNEL,
    "suite": "aes128",
    "medium": DEFAULT_MEDIUM,
}


def _has_addresses(value: object) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"short", "extended"}
        and _is_hex(4)(value["short"])
        and _is_hex(16)(value["extended"])
        and int(value["short"], 16) in _SHORT_ADDRESSES
    )


def _is_hex(*sizes: int) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, str)
        and len(value) in sizes
        and re.fullmatch("[0-9A-Fa-f]*", value) is not None
    )


_RULES: Mapping[str, Callable[[Any], bool]] = {
    "level": is_number_in(range(8)),
    "key_id_mode": is_number_in(range(4)),
    "frame_version": lambda value: type(value) is int and value in _VERSIONS,
    "addresses": is_one_of(("short", "extended")),
    "channel": is_number_in(range(11, 27)),
    "suite": is_text,
    "medium": is_text,
    "pan": _is_hex(1, 2, 3, 4),
    "key_source": _is_hex(*(2 * size for size in _SOURCE_SIZES)),
    "own": _has_addresses,
    "peer": _has_addresses,
    "paced": lambda value: isinstance(value, bool),
}


def _check_mic(settings: Settings) -> None:
    cipher = ieee802154.frame_cipher(settings["suite"])
    mic_size = MIC_SIZES[settings["level"] & 3]
    if mic_size > cipher.tag_size:
        message = (
            f"level {settings['level']} has a MIC of {mic_size} bytes, and "
            f"{cipher.slug} makes {cipher.tag_size} at most"
        )
        raise MisuseError(message)


def _checked(given: Mapping[str, Any]) -> Settings:
    """Return all settings that both ends share."""
    settings = {**_DEFAULTS, "pan": f"{_drawn_short():04x}", **given}
    for name, choices in _CHOICES.items():
        if settings[name] not in choices:
            known = ", ".join(map(str, choices))
            message = f"the {name.replace('_', ' ')} is one of {known}"
            raise MisuseError(message)
    if not re.fullmatch("[0-9A-Fa-f]{1,4}", settings["pan"]):
        message = "a PAN is a number of one to four hex digits"
        raise MisuseError(message)
    _check_mic(settings)
    source = secrets.token_bytes(_SOURCE_SIZES[settings["key_id_mode"]])
    return {**settings, "key_source": source.hex()}


def _two_addresses() -> tuple[Settings, Settings]:
    shorts = secrets.SystemRandom().sample(_SHORT_ADDRESSES, 2)
    first, second = (
        # Locally administered: nobody else has drawn it.
        {"short": f"{short:04x}", "extended": f"02{secrets.token_hex(7)}"}
        for short in shorts
    )
    return first, second


def _drawn_short() -> int:
    return secrets.choice(_SHORT_ADDRESSES)


def _address(settings: Mapping[str, Any], end: str) -> Address:
    pan = int(settings["pan"], 16)
    if settings["addresses"] == "short":
        return Address(pan=pan, short=int(settings[end]["short"], 16))
    return Address(pan=pan, long=bytes.fromhex(settings[end]["extended"]))


def _security_of(end: End, shape: _Shape) -> ieee802154.Security:
    own, peer = end.settings["own"], end.settings["peer"]
    pan = int(end.settings["pan"], 16)
    security = ieee802154.Security(
        bytes.fromhex(own["extended"]), pan, keys=1, devices=1
    )
    security.add_key(
        end.keys["key"],
        shape.key_id,
        cipher=end.settings["suite"],
        encryption_only=shape.level == _ENCRYPTION_ONLY,
    )
    # Before the device is added: it begins with what is required of all.
    security.require(shape.level)
    security.add_device(
        bytes.fromhex(peer["extended"]), pan=pan, short=int(peer["short"], 16)
    )
    return security
