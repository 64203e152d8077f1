# SPDX-License-Identifier: Apache-2.0
"""Radio co-processors at pseudo-terminals, which hear each other.

They follow what OpenThread's ot-rcp answered when it was driven by hand. HDLC and the
packing of Spinel are written again here, bit by bit, so that an error in samara's own
is not on both sides.
"""

from __future__ import annotations

import os
import select
import threading
import tty
from contextlib import suppress
from typing import Self

FLAG, ESCAPE = 0x7E, 0x7D
RESET, GET, SET, IS = 1, 2, 3, 6
LAST_STATUS, CAPS, CHANNEL, PAN, SHORT, LONG = 0, 5, 0x21, 0x36, 0x35, 0x34
PROMISCUOUS, ENABLED, RAW_ENABLED, RAW = 0x38, 0x20, 0x37, 0x71
SOURCE_MATCH, SOURCES_SHORT = 0x1303, 0x1304
DATA_REQUEST = 4
OK, INVALID_STATE, PARSE_ERROR, NO_ACK, NOT_FOUND = 0, 4, 9, 17, 13
POWER_ON = 112
# Of the draft's modes: 0 the own frames, 1 all of the network, 2 all.
ALL_FRAMES = b"\2"


def crc(data: bytes) -> bytes:
    remainder = 0xFFFF
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0x8408 if remainder & 1 else 0)
    return (remainder ^ 0xFFFF).to_bytes(2, "little")


def on_the_line(contents: bytes) -> bytes:
    # A flag at both ends, as OpenThread writes it: its sniffer needs the first one.
    line = bytes((FLAG,))
    for byte in contents + crc(contents):
        special = byte in (FLAG, ESCAPE, 0x11, 0x13, 0xF8)
        line += bytes((ESCAPE, byte ^ 0x20)) if special else bytes((byte,))
    return line + bytes((FLAG,))


def packed(number: int) -> bytes:
    low, high = number & 0x7F, number >> 7
    return bytes((low | 0x80,)) + packed(high) if high else bytes((low,))


class Air:
    """Where the co-processors hear each other, each frame at once."""

    def __init__(self) -> None:
        self.peers: list[RcpPeer] = []
        self.lost = 0
        """How many of the next frames nobody hears."""
        self.sent: list[bytes] = []
        self.lock = threading.RLock()

    def carry(self, sender: RcpPeer, psdu: bytes, channel: int) -> bytes | None:
        """Give a frame to those who hear it; return the acknowledgement."""
        with self.lock:
            self.sent.append(psdu)
            if self.lost:
                self.lost -= 1
                return None
            answers = [
                peer.hear(psdu, channel) for peer in self.peers if peer is not sender
            ]
        return next((answer for answer in answers if answer), None)


class RcpPeer:
    """A co-processor; `path` is its serial port."""

    def __init__(self, air: Air, caps: tuple[int, ...] = (5, 513)) -> None:
        self._air, self._caps = air, caps
        self.given: dict[int, bytes] = {}
        """Properties that the host has set."""
        self.keys_given = 0
        self._line = b""
        self._master, self._slave = os.openpty()
        tty.setraw(self._master)
        tty.setraw(self._slave)
        self.path = os.ttyname(self._slave)
        self._stop, self._stopped = os.pipe()
        air.peers.append(self)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unplug()

    def unplug(self) -> None:
        """Take the port away."""
        if self._stop < 0:
            return
        os.write(self._stopped, b"x")
        self._thread.join()
        self._air.peers.remove(self)
        for descriptor in (self._master, self._slave, self._stop, self._stopped):
            os.close(descriptor)
        self._stop = -1

    def reset(self, *, is_announced: bool = True) -> None:
        """Lose everything that was set, as after a fault."""
        with self._air.lock:
            self.given.clear()
            if is_announced:
                self._say(0, LAST_STATUS, packed(POWER_ON))

    def say(self, data: bytes) -> None:
        """Put bytes on the line as they are."""
        os.write(self._master, data)

    def hear(self, psdu: bytes, channel: int) -> bytes | None:
        """Hear a frame from the air; return the acknowledgement that it gets."""
        if self.given.get(RAW_ENABLED) != b"\1" or self.given.get(CHANNEL) != bytes(
            (channel,)
        ):
            return None
        is_ours = self._is_ours(psdu)
        hears_all = self.given.get(PROMISCUOUS) == ALL_FRAMES
        if not is_ours and not hears_all:
            return None
        self._say(0, RAW, raw(psdu, rssi=-47, lqi=200))
        wants_answer = psdu[0] & 0x20 and not hears_all
        answer = bytes((2 | self._pending(psdu), 0, psdu[2]))
        return answer if wants_answer and is_ours else None

    def _pending(self, psdu: bytes) -> int:
        """Return the bit of frames that wait, for a question of a short address.

        As ot-rcp does: without source matching, there is always one.
        """
        is_question = psdu[0] & 7 == 3 and psdu[9:10] == bytes((DATA_REQUEST,))
        sources = self.given.get(SOURCES_SHORT, b"")
        has_one = psdu[7:9] in (sources[i : i + 2] for i in range(0, len(sources), 2))
        is_matched = self.given.get(SOURCE_MATCH) == b"\1"
        return 0x10 if is_question and (has_one or not is_matched) else 0

    def _is_ours(self, psdu: bytes) -> bool:
        """Tell whether a frame of 2006 is for this radio, or for all."""
        mode = psdu[1] >> 2 & 3
        pan, rest = psdu[3:5], psdu[5:]
        if pan not in (self.given.get(PAN), b"\xff\xff"):
            return False
        if mode == 2:
            return rest[:2] in (self.given.get(SHORT), b"\xff\xff")
        return rest[:8] == self.given.get(LONG, b"")[::-1]

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._master, self._stop], [], [])
            if self._stop in ready:
                return
            with suppress(OSError):
                self._line += os.read(self._master, 4096)
            *frames, self._line = self._line.split(bytes((FLAG,)))
            for frame in frames:
                contents = b""
                parts = iter(frame)
                for byte in parts:
                    contents += bytes((next(parts) ^ 0x20 if byte == ESCAPE else byte,))
                if contents and crc(contents[:-2]) == contents[-2:]:
                    with self._air.lock:
                        self._take(contents[:-2])

    def _take(self, message: bytes) -> None:
        transaction, command, rest = message[0] & 15, message[1], message[2:]
        if command == RESET:
            self.reset()
            return
        name, value = rest[0] & 0x7F, rest[1:]
        if rest[0] & 0x80:
            name |= value[0] << 7
            value = value[1:]
        if name in (0x80, 0x800):
            self.keys_given += 1
        if command == GET:
            self._get(transaction, name)
        elif name == RAW:
            self._send(transaction, value)
        else:
            self.given[name] = value
            self._say(transaction, name, value)

    def _get(self, transaction: int, name: int) -> None:
        known = {
            1: b"\4\3",
            2: b"PEER/1.0\0",
            CAPS: b"".join(map(packed, self._caps)),
            8: bytes(8),
        }
        if name in known:
            self._say(transaction, name, known[name])
        else:
            self._say(transaction, LAST_STATUS, packed(NOT_FOUND))

    def _send(self, transaction: int, value: bytes) -> None:
        size = int.from_bytes(value[:2], "little")
        psdu, how = value[2 : 2 + size], value[2 + size :]
        if self.given.get(ENABLED) != b"\1":
            self._say(transaction, LAST_STATUS, packed(INVALID_STATE))
            return
        if size > 127:
            self._say(transaction, LAST_STATUS, packed(PARSE_ERROR))
            return
        is_updated, is_secured = how[4], how[6]
        if psdu[0] & 8 and not (is_updated and is_secured):
            # As ot-rcp does: its own frame counter in place of the host's.
            psdu = psdu[:10] + bytes(4) + psdu[14:]
        answer = self._air.carry(self, psdu, how[0])
        if not psdu[0] & 0x20:
            self._say(transaction, LAST_STATUS, b"\0\0\0")
        elif answer is None:
            self._say(transaction, LAST_STATUS, bytes((NO_ACK, 0, 0)))
        else:
            given = raw(answer + b"\0\0", rssi=-50, lqi=180)
            self._say(transaction, LAST_STATUS, b"\0\0\0" + given)

    def _say(self, transaction: int, name: int, value: bytes) -> None:
        message = bytes((0x80 | transaction, IS)) + packed(name) + value
        self.say(on_the_line(message))


def raw(psdu: bytes, rssi: int, lqi: int) -> bytes:
    """Return a received frame as STREAM_RAW has it; its check sequence is gone."""
    frame = psdu[:-2] + b"\0\0"
    physical = bytes((15, lqi)) + bytes(8)
    return (
        len(frame).to_bytes(2, "little")
        + frame
        + rssi.to_bytes(1, "little", signed=True)
        + bytes(3)
        + len(physical).to_bytes(2, "little")
        + physical
        # The vendor's part: no error of the receiver.
        + b"\1\0\0"
    )
