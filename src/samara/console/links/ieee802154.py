# SPDX-License-Identifier: Apache-2.0
"""Conversations in frames of IEEE 802.15.4 over `samara medium`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast

from samara.console.conversation_records import (
    ConversationNote,
    FrameField,
    FrameHeard,
    FramePart,
)
from samara.console.emulation import ENDS, FORGED, SHARES, Action, AirSetting, Emulation
from samara.console.programs import ProgramEndedError
from samara.errors import FrameError
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.frames.fcs import FCS_SIZE, fcs_of
from samara.link.ieee802154.frames.fields import Field, field_tree
from samara.link.ieee802154.frames.frame import parse
from samara.link.ieee802154.frames.tools import (
    COUNTER_END,
    FrameKey,
    protected,
    without_security,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from samara.console.air_program import AirProgram
    from samara.console.programs import Program
    from samara.records.fields import Record

LINK: Final = "ieee802154"

_HOST = "127.0.0.1"
_START_S = 20.0
_HELLO_EVERY_S = 0.5
_FLIPPED = 0x01
_KEY_SIZE = 16
_AHEAD = 10
"""How far a forged frame counter is above the last one, so that it is not old."""

_PURPOSES = {
    "auxiliary security header": "security header",
    "encrypted payload": "encrypted",
    "payload": "payload",
    "MIC": "tag",
}
"""Of fields of a frame; all others are its header."""


class Ieee802154Emulation(Emulation):
    """The medium, and an attacker beside it who hears all and can send."""

    air = "medium"
    title = "Frames of IEEE 802.15.4, as Zigbee and Thread send them"
    eavesdropper = (
        "Each frame's header is readable: who sends to whom, when, how much, and the"
        " frame counter. What level 4 and above encrypt is not."
    )
    rules: ClassVar[Mapping[str, str]] = {
        "replay": "A frame counter below the next expected one is refused: incoming"
        " frame security procedure, IEEE 802.15.4-2015, 9.2.4.",
        "not genuine": "A frame is dropped unless it is secured under the key that it"
        " names and its MIC verifies: incoming frame security procedure, IEEE"
        " 802.15.4-2015, 9.2.4.",
        "stranger": "A secured frame must be of a device that the receiver knows:"
        " incoming frame security procedure, IEEE 802.15.4-2015, 9.2.4.",
    }
    air_settings = (
        AirSetting(
            "loss",
            "Loss",
            "Probability that a receiver misses a frame.",
            "",
            SHARES,
            0.0,
        ),
        AirSetting(
            "delay",
            "Delay",
            "How much later than it ends a frame arrives.",
            "s",
            tuple(step / 10 for step in range(21)),
            0.0,
        ),
    )

    def __init__(self, folder: Path, tell: Callable[[Record], None]) -> None:
        super().__init__(folder, tell)
        self._port = 0
        self._radio: _Attacker | None = None
        self._names: dict[str, str] = {}
        self._extended: dict[str, bytes] = {}

    async def open(self, tell_end: Callable[[Program], None]) -> None:
        """Start the medium at a free port, and listen as an attacker does."""
        await super().open(tell_end)
        for end in ENDS:
            settings = json.loads((self.folder / end / "node.json").read_bytes())
            own = settings["settings"]["own"]
            self._names |= dict.fromkeys(map(str, own.values()), end)
            self._extended[end] = bytes.fromhex(own["extended"])
        loop = asyncio.get_running_loop()
        _, self._radio = await loop.create_datagram_endpoint(
            lambda: _Attacker(self._hear), remote_addr=(_HOST, self._port)
        )

    async def start(self, air: AirProgram) -> None:
        """Start the medium, at the port that it had before if there was one."""
        arguments = ["medium", "--port", str(self._port), "--control"]
        said = await air.start(arguments, _START_S)
        found = re.search(r"port (\d+);", said)
        if found is None:
            raise ProgramEndedError(said)
        self._port = int(found[1])

    def hear(self, found: dict[str, Any]) -> None:
        """Tell what the medium has lost."""
        if found.get("type") == "medium_missed":
            counts = {"lost": found["lost"], "held back": found["reordered"]}
            said = [f"{count} {what}" for what, count in counts.items() if count]
            text = f"Frames on the air: {', '.join(said)}."
            self.tell(ConversationNote(text, "", warns=False))

    def up_options(self, end: str) -> list[str]:
        """Both ends are at the medium."""
        del end
        return ["--medium", f"{_HOST}:{self._port}"]

    def attacks(self) -> list[Action]:
        """Return what the attacker can do."""
        return [
            Action(
                "replay",
                "air",
                "Replay",
                "An attacker sends the last data frame again, byte for byte.",
                self._replay,
            ),
            Action(
                "flip",
                "air",
                "Flip a bit",
                "An attacker sends the last data frame with the next frame counter and"
                " one bit of the payload changed.",
                self._flip,
            ),
            Action(
                "wrong-key",
                "air",
                "Wrong key",
                "An attacker sends a message in the name of the sender of the last data"
                " frame, secured with a key of its own.",
                self._wrong_key,
            ),
            Action(
                "reorder",
                "air",
                "Reorder",
                "The next frame arrives after the one that follows it.",
                self._reorder,
            ),
        ]

    async def close(self) -> None:
        """End the medium."""
        if self._radio is not None:
            self._radio.close()
        await super().close()

    async def _reorder(self) -> str:
        await self.running_air().ask(do="reorder", count=1)
        return (
            "The next frame will arrive after the one that follows it: send two"
            " messages, one after the other."
        )

    async def _replay(self) -> str:
        radio, frame = self._last()
        radio.send(frame)
        return "The attacker sent the last data frame again."

    async def _flip(self) -> str:
        radio, frame = self._last()
        fields = {each.name: each for each in field_tree(frame)}
        changed = bytearray(frame)
        counter = _part(fields.get("auxiliary security header"), "frame counter")
        if counter is not None:
            place = slice(counter.offset, counter.offset + counter.size)
            value = int.from_bytes(frame[place], "little")
            changed[place] = _later(value, 1).to_bytes(counter.size, "little")
        payload = fields.get("encrypted payload") or fields.get("payload")
        at = len(frame) - 1 if payload is None else payload.offset
        changed[at] ^= _FLIPPED
        radio.send(bytes(changed))
        return "The attacker sent the last data frame with one bit changed."

    async def _wrong_key(self) -> str:
        radio, data = self._last()
        frame = parse(data)
        header = frame.security
        if header is None or header.counter is None:
            message = "the frames of this link are not secured: there is no key"
            raise ProgramEndedError(message)
        forged = replace(without_security(frame), payload=FORGED)
        counter = _later(header.counter, _AHEAD)
        key = FrameKey(secrets.token_bytes(_KEY_SIZE), header.key_id)
        sender = self._extended[_sender(field_tree(data), self._names)]
        header = replace(header, counter=counter)
        radio.send(protected(forged, header, key, sender))
        return (
            "The attacker sent 'open the gate', secured with a key of its own and a"
            f" frame counter {_AHEAD} higher."
        )

    def _last(self) -> tuple[_Attacker, bytes]:
        if self._radio is None or self._radio.last_data is None:
            message = "nothing was sent yet: send a message first"
            raise ProgramEndedError(message)
        return self._radio, self._radio.last_data

    def _hear(self, psdu: bytes, *, is_ours: bool) -> None:
        self.tell(heard(psdu, self._names, "attacker" if is_ours else None))


class _Attacker(asyncio.DatagramProtocol):
    """A radio that hears everything on the medium, and can send."""

    def __init__(self, hear: Callable[..., None]) -> None:
        self._hear = hear
        self._transport: asyncio.DatagramTransport | None = None
        self._hello: asyncio.Task[None] | None = None
        self._sequence = 0
        self.last_data: bytes | None = None
        """The last data frame of somebody else, without check sequence."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Tell the medium, again and again, that somebody listens."""
        self._transport = cast("asyncio.DatagramTransport", transport)
        self._hello = asyncio.create_task(self._say_hello(self._transport))

    async def _say_hello(self, transport: asyncio.DatagramTransport) -> None:
        packet = zep.build(zep.Hello(0, zep.OBSERVER))
        while True:
            transport.sendto(packet)
            await asyncio.sleep(_HELLO_EVERY_S)

    def datagram_received(self, data: bytes, addr: object) -> None:
        """Hear a frame."""
        del addr
        with contextlib.suppress(zep.ZepError):
            packet = zep.parse(data)
            if isinstance(packet, zep.Data):
                if _is_data(packet.psdu):
                    self.last_data = packet.psdu[:-FCS_SIZE]
                self._hear(packet.psdu, is_ours=False)

    def error_received(self, exc: Exception) -> None:
        """Ignore that the medium is away; the next hello finds it."""

    def send(self, frame: bytes) -> None:
        """Send a frame, to which the check sequence is added."""
        self._sequence += 1
        psdu = frame + fcs_of(frame)
        if self._transport is not None:
            self._transport.sendto(zep.build(zep.Data(psdu, self._sequence)))
            self._hear(psdu, is_ours=True)

    def close(self) -> None:
        """Stop to listen."""
        if self._hello is not None:
            self._hello.cancel()
        if self._transport is not None:
            self._transport.close()


def heard(psdu: bytes, names: dict[str, str], sender: str | None = None) -> FrameHeard:
    """Return what was on the air, with its fields if it can be read."""
    frame = psdu[:-FCS_SIZE]
    try:
        tree = field_tree(frame)
    except FrameError as error:
        return FrameHeard(sender or "", str(error), psdu, (), ())
    parts: list[FramePart] = []
    for each in tree:
        purpose = _PURPOSES.get(each.name, "header")
        if parts and parts[-1].purpose == purpose:
            last = parts.pop()
            parts.append(FramePart(purpose, last.start, last.size + each.size))
        elif each.size:
            parts.append(FramePart(purpose, each.offset, each.size))
    parts.append(FramePart("check", len(frame), FCS_SIZE))
    check = Field("FCS", psdu[-FCS_SIZE:].hex(), len(frame), FCS_SIZE)
    shown = tuple(_shown([*tree, check]))
    kind = next((part.value for part in tree[0].fields if part.name == "type"), "frame")
    return FrameHeard(sender or _sender(tree, names), kind, psdu, tuple(parts), shown)


def _shown(fields: Iterable[Field], depth: int = 0) -> Iterator[FrameField]:
    for each in fields:
        yield FrameField(
            each.name, each.value, each.offset, each.size, each.clause, depth
        )
        yield from _shown(each.fields, depth + 1)


def _later(counter: int, steps: int) -> int:
    """Return a later frame counter.

    Raises
    ------
    ProgramEndedError
        When no frame can have it.
    """
    if counter + steps >= COUNTER_END:
        message = (
            f"the frame counter of the last frame is {counter:,}, and no frame has one"
            f" of {COUNTER_END:,} or more: change the key first"
        )
        raise ProgramEndedError(message)
    return counter + steps


def _part(field: Field | None, name: str) -> Field | None:
    parts = () if field is None else field.fields
    return next((each for each in parts if each.name == name), None)


def _is_data(psdu: bytes) -> bool:
    # The type of a frame: the lowest three bits of its first byte.
    return bool(psdu) and psdu[0] & 7 == 1


def _sender(tree: list[Field], names: dict[str, str]) -> str:
    for each in tree:
        if each.name.startswith("source"):
            digits = re.sub(r"^0x|[:\s]", "", each.value).lower()
            if digits in names:
                return names[digits]
    return ""


EMULATION = Ieee802154Emulation
