# SPDX-License-Identifier: Apache-2.0
"""Conversations over serial radios, between which `samara modem` emulates the air."""

from __future__ import annotations

import json
import secrets
from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Final

from samara.console.conversation_records import FrameField, FrameHeard, FramePart
from samara.console.emulation import ENDS, FORGED, SHARES, Action, AirSetting, Emulation
from samara.console.programs import ProgramEndedError
from samara.link import rfserial
from samara.link.rfserial import layout, receipts
from samara.link.rfserial.modem_commands import UART_RATES
from samara.link.rfserial.settings import DEFAULT_BAUD

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from samara.console.air_program import AirProgram
    from samara.records.fields import Record

LINK: Final = "rf-serial"

_START_S = 20.0
_FLIPPED = 0x01
_AHEAD = 10
"""How far a forged number is above the last one, so that it is not old."""
_PAGE = "docs/rf-serial.md"
_LATER = (
    "No tag in these bytes verifies: the receiver takes them for noise, and tells so"
    " when the next message arrives."
)
_TAKEN = (
    "This framing has no tag: whatever these bytes decode to is taken for a message."
)

_PURPOSES = {
    "header": "header",
    "number": "security header",
    "encrypted message": "encrypted",
    "tag": "tag",
    "padding": "check",
}
_SAID = {
    "header": "size of the unit, in packets",
    "number": "number of the message, most significant byte first",
    "encrypted message": "the message, encrypted",
    "tag": "authentication tag",
    "padding": "zeros, then their number",
}
_SIDES: Final = {"a": ENDS[0], "b": ENDS[1]}


class RfSerialEmulation(Emulation):
    """Two modems, and a third one that hears all and can send."""

    air = "modem"
    title = "Messages through a radio modem at a serial port"
    eavesdropper = (
        "The header of each unit is readable: its size, and so almost that of the"
        " message; and the number of the message. The message is not, with a framing"
        " that encrypts."
    )
    rules: ClassVar[Mapping[str, str]] = {
        "replay": f"A message below the next expected number is refused: {_PAGE},"
        " Synchronisation.",
        "not genuine": "Bytes are a message only if the tag of their unit verifies:"
        f" {_PAGE}, Synchronisation.",
    }
    air_settings = (
        AirSetting(
            "loss", "Loss", "Probability that a packet is lost.", "", SHARES, 0.0
        ),
        AirSetting(
            "baud",
            "Baud rate",
            "Of both serial ports; the nodes are started again.",
            "Bd",
            UART_RATES,
            DEFAULT_BAUD,
            restarts=True,
        ),
    )

    def __init__(self, folder: Path, tell: Callable[[Record], None]) -> None:
        super().__init__(folder, tell)
        self._settings: dict[str, Any] = {}
        self._units = {end: _Unit() for end in ENDS}
        self._last: tuple[str, bytes] | None = None
        self._forged: deque[bytes] = deque(maxlen=1000)

    async def start(self, air: AirProgram) -> None:
        """Start two modems with links to their ports in the folder."""
        node = json.loads((self.folder / ENDS[0] / "node.json").read_bytes())
        self._settings = node["settings"]
        settings = self._settings
        arguments = [
            "modem",
            "--control",
            "--baud",
            f"{self.setting_values['baud']:.0f}",
        ]
        arguments += ["--packet-size", str(settings["packet_size"])]
        arguments += ["--timeout-ms", str(settings["modem_timeout_ms"])]
        for letter, end in _SIDES.items():
            arguments += [f"--link-{letter}", str(self._port(end))]
        await air.start(arguments, _START_S)

    def up_options(self, end: str) -> list[str]:
        """Return where the modem of an end is."""
        baud = f"{self.setting_values['baud']:.0f}"
        return ["--port", str(self._port(end)), "--baud", baud]

    def _port(self, end: str) -> Path:
        return self.folder / f"port-{end}"

    def hear(self, found: dict[str, Any]) -> None:
        """Put packets together to units, and tell of each unit."""
        if found.get("type") != "modem_packet":
            return
        end, data = _SIDES[found["sender"]], bytes.fromhex(found["data"])
        is_forged = bool(self._forged) and self._forged[0] == data
        if is_forged:
            self._forged.popleft()
        unit = self._units[end]
        unit.put(data, found["fate"], self._packet_size, seals=self._seals)
        if not unit.is_whole:
            return
        if not is_forged:
            self._last = end, bytes(unit.data)
        self.tell(self._heard("attacker" if is_forged else end, unit))
        self._units[end] = _Unit()

    @property
    def _seals(self) -> bool:
        return bool(self._settings["framing"] == rfserial.DEFAULT_FRAMING)

    @property
    def _packet_size(self) -> int:
        return int(self._settings["packet_size"])

    def _heard(self, sender: str, unit: _Unit) -> FrameHeard:
        data = bytes(unit.data)
        count = len(unit.fates)
        missing = [fate for fate in unit.fates if fate != "arrived"]
        fate = f"{len(missing)} of {count} packets: {missing[-1]}" if missing else ""
        kind = f"unit of {count} packets" if count > 1 else "unit of 1 packet"
        parts = self._parts(data)
        fields = [
            FrameField(
                each.name,
                f"{data[each.start :][: each.size].hex()} ({_SAID[each.name]})",
                each.start,
                each.size,
                f"{_PAGE}, Format",
                0,
            )
            for each in parts
        ]
        if not parts:
            purpose = "payload" if self._settings["framing"] == "plain" else "encrypted"
            shown = [FramePart(purpose, 0, len(data))]
        else:
            shown = [
                FramePart(_PURPOSES[each.name], each.start, each.size) for each in parts
            ]
        return FrameHeard(sender, kind, data, tuple(shown), tuple(fields), fate)

    def _parts(self, data: bytes) -> list[layout.Part]:
        if not self._seals or data[0] > layout.LONGEST_SHORT:
            return []
        return layout.parts_of(data, **self._sizes)

    @property
    def _sizes(self) -> dict[str, int]:
        encoding = self._encoding
        return {"counter_size": encoding.counter_size, "tag_size": encoding.tag_bytes}

    @property
    def _encoding(self) -> rfserial.Settings:
        named = {name: self._settings[name] for name in receipts.ENCODING}
        return rfserial.Settings.of(**named)

    def attacks(self) -> list[Action]:
        """Return what the third modem can do."""
        return [
            Action(
                "replay",
                "air",
                "Replay",
                "An attacker sends the last unit again, byte for byte.",
                self._replay,
            ),
            Action(
                "flip",
                "air",
                "Flip a bit",
                "An attacker sends the last unit with the next number and one bit of"
                " the message changed.",
                self._flip,
            ),
            Action(
                "wrong-key",
                "air",
                "Wrong key",
                "An attacker sends a message in the name of the sender of the last"
                " unit, sealed with a key of its own.",
                self._wrong_key,
            ),
        ]

    async def _replay(self) -> str:
        end, unit = self._last_unit()
        await self._send(end, unit)
        return "The attacker sent the last unit again."

    async def _flip(self) -> str:
        end, unit = self._last_unit()
        parts = {each.name: each for each in self._parts(unit)}
        changed = bytearray(unit)
        if (number := parts.get("number")) is not None:
            place = slice(number.start, number.start + number.size)
            value = int.from_bytes(unit[place], "big") + 1
            changed[place] = value.to_bytes(number.size + 1, "big")[-number.size :]
        message = parts.get("encrypted message")
        changed[0 if message is None else message.start] ^= _FLIPPED
        await self._send(end, bytes(changed))
        return f"The attacker sent the last unit with one bit changed. {self._effect}"

    @property
    def _effect(self) -> str:
        return _LATER if self._seals else _TAKEN

    async def _wrong_key(self) -> str:
        end, unit = self._last_unit()
        if self._settings["framing"] == "plain":
            await self._send(end, FORGED)
            text = FORGED.decode()
            return f"The attacker sent {text!r}: this framing has no key. {_TAKEN}"
        framing = rfserial.framing_named(self._settings["framing"])
        named = {name: self._settings[name] for name in receipts.ENCODING}
        sender = rfserial.Sender(
            key=secrets.token_bytes(framing.key_size(self._settings["suite"])),
            counter=self._number(unit) + _AHEAD,
            link=self._settings["link"],
            direction=self._direction(end),
            **named,
        )
        await self._send(end, sender.encode(FORGED))
        sealed = f"sealed with a key of its own and a number {_AHEAD} higher"
        how = sealed if self._seals else "encrypted with a key of its own"
        return f"The attacker sent {FORGED.decode()!r}, {how}. {self._effect}"

    def _number(self, unit: bytes) -> int:
        for each in self._parts(unit):
            if each.name == "number":
                return int.from_bytes(unit[each.start :][: each.size], "big")
        return 0

    def _direction(self, end: str) -> int:
        first = int(self._settings["direction"])
        return first if end == ENDS[0] else 1 - first

    def _last_unit(self) -> tuple[str, bytes]:
        if self._last is None:
            message = "nothing was sent yet: send a message first"
            raise ProgramEndedError(message)
        return self._last

    async def _send(self, end: str, data: bytes) -> None:
        size = self._packet_size
        self._forged.extend(data[at : at + size] for at in range(0, len(data), size))
        letter = next(letter for letter, side in _SIDES.items() if side == end)
        await self.running_air().ask(do="send", sender=letter, hex=data.hex())


class _Unit:
    """A unit of which packets were heard."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.fates: list[str] = []
        self._wanted = 0

    def put(self, packet: bytes, fate: str, packet_size: int, *, seals: bool) -> None:
        """Take the next packet."""
        if not self.data and seals and packet:
            count = layout.packets_of(packet[0])
            self._wanted = (count or 0) * layout.whole_packet(packet_size)
        self.data += packet
        self.fates.append(fate)

    @property
    def is_whole(self) -> bool:
        """Whether all bytes that its header announces were heard."""
        return len(self.data) >= self._wanted


EMULATION = RfSerialEmulation
