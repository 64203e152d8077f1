# SPDX-License-Identifier: Apache-2.0
"""What joins two nodes that are being killed: it records, and plays old things."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import socket
import threading
import tty
from collections import Counter
from typing import IO, TYPE_CHECKING, Any, Protocol, Self

from samara.link import ieee802154, rfserial
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.captures.pcap import LinkType, Writer
from samara.link.node import folder as folders

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping
    from pathlib import Path

_INJECTED_AT_ONCE = 20
_LAST = 100
_ENDS = ("a", "b")


class Joint(Protocol):
    """What a crash test needs of a link."""

    options: Mapping[str, Any]
    """For `samara node init`."""
    injected: int
    """How many old things were played."""
    is_silent: bool
    """Whether what is sent reaches nobody, not even later."""

    def __init__(self, folder: Path) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_: object) -> None: ...

    def where(self, end: str) -> Mapping[str, Any]:
        """Return where an end finds the link."""
        ...

    def inject(self, chance: random.Random) -> None:
        """Play something old to both ends."""
        ...

    def frames(self) -> int:
        """Return how many frames the nodes have sent."""
        ...

    def nonces_repeated(self) -> int:
        """Return how many nonces were used more than once."""
        ...


class _Recorder(Writer):
    """Remembers what it writes."""

    def __init__(self, file: IO[bytes], link_type: LinkType) -> None:
        super().__init__(file, link_type)
        self.psdus: list[bytes] = []

    def write_psdu(self, psdu: bytes, time_ns: int) -> None:
        super().write_psdu(psdu, time_ns)
        self.psdus.append(psdu)


class Ieee802154Joint:
    """A medium without air time, its capture, and an attacker on the air.

    Parameters
    ----------
    repeats_frames
        Whether nodes send frames again that were not acknowledged, as they are.
    """

    options: Mapping[str, Any] = {}

    def __init__(self, folder: Path, *, repeats_frames: bool = False) -> None:
        self._repeats_frames = repeats_frames
        self.injected = 0
        # Who does not listen hears nothing in any case.
        self.is_silent = False
        self._injected: Counter[bytes] = Counter()
        self._capture = (folder / "air.pcap").open("wb")
        self._heard = _Recorder(self._capture, LinkType.WITH_FCS)
        conditions = Conditions(paced=False)
        self._medium = Medium("127.0.0.1", 0, conditions, self._heard)
        self._is_over = threading.Event()
        self._thread = threading.Thread(
            target=self._medium.run, args=(self._is_over.is_set,)
        )
        self._attacker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._attacker.connect(("127.0.0.1", self._medium.port))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._attacker.close()
        self._capture.close()
        self._medium.__exit__()

    def where(self, end: str) -> Mapping[str, Any]:
        del end
        return {"medium": f"127.0.0.1:{self._medium.port}", "paced": False}

    def inject(self, chance: random.Random) -> None:
        for _ in range(min(_INJECTED_AT_ONCE, len(self._heard.psdus))):
            # What was heard last is what a node may have forgotten.
            last = chance.choice((len(self._heard.psdus), _LAST))
            psdu = chance.choice(self._heard.psdus[-last:])
            self._injected[psdu] += 1
            self.injected += 1
            self._attacker.send(zep.build(zep.data_now(psdu, self.injected)))

    def frames(self) -> int:
        return self._sent().total()

    def nonces_repeated(self) -> int:
        nonces: Counter[tuple[Any, Any, int]] = Counter()
        for frame_bytes, count in self._sent().items():
            frame = ieee802154.parse(frame_bytes)
            assert frame.security is not None
            assert frame.security.counter is not None
            key = frame.security.key_id.index, frame.destination
            times = 1 if self._repeats_frames else count
            nonces[frame.source, key, frame.security.counter] += times
        return sum(count > 1 for count in nonces.values())

    def acknowledgements(self) -> int:
        """Return how many secured acknowledgements the nodes have sent."""
        frames = map(ieee802154.parse, self._sent())
        return sum(
            frame.type is ieee802154.FrameType.ACKNOWLEDGEMENT and frame.level > 0
            for frame in frames
        )

    def _sent(self) -> Counter[bytes]:
        """Return what was on the air, without what was played and check sequences."""
        on_air = Counter(self._heard.psdus) - self._injected
        return Counter({psdu[:-2]: count for psdu, count in on_air.items()})


class RfSerialJoint:
    """Two serial ports joined by somebody who writes everything down."""

    options: Mapping[str, Any] = {}

    def __init__(self, folder: Path) -> None:
        self.injected = 0
        self.is_silent = False
        self._folder = folder
        self._ends = {end: pty.openpty() for end in _ENDS}
        for _, theirs in self._ends.values():
            tty.setraw(theirs)
        self._sent = {end: bytearray() for end in _ENDS}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._carry)

    def __enter__(self) -> Self:
        for ours, _ in self._ends.values():
            os.set_blocking(ours, False)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        for ours, theirs in self._ends.values():
            os.close(theirs)
            os.close(ours)

    def where(self, end: str) -> Mapping[str, Any]:
        return {"port": os.ttyname(self._ends[end][1])}

    def inject(self, chance: random.Random) -> None:
        for end, other in (_ENDS, _ENDS[::-1]):
            for _ in range(_INJECTED_AT_ONCE):
                # A piece with whole units in it, as it was on the line.
                start = chance.randrange(max(len(self._sent[end]), 1))
                piece = bytes(self._sent[end][start : start + 300])
                self.injected += bool(piece)
                self._write(other, piece)

    def frames(self) -> int:
        return sum(self._numbers(end).total() for end in _ENDS)

    def nonces_repeated(self) -> int:
        repeated = 0
        for end in _ENDS:
            repeated += sum(count > 1 for count in self._numbers(end).values())
        return repeated

    def _numbers(self, end: str) -> Counter[int]:
        """Return the numbers of all units that an end has sent."""
        own = folders.read(self._folder / end).end
        names = ("suite", "link", "packet_size", "tag_size", "counter_size")
        receiver = rfserial.Receiver(
            own.settings["framing"],
            key=own.keys["key"],
            direction=own.settings["direction"],
            **{name: own.settings[name] for name in names},
        )
        numbers: Counter[int] = Counter()
        for event in receiver.feed(bytes(self._sent[end])):
            if isinstance(event, (rfserial.Message, rfserial.Repeated)):
                numbers[event.number] += 1
        return numbers

    def _carry(self) -> None:
        end_of = {ours: end for end, (ours, _) in self._ends.items()}
        other = dict([_ENDS, _ENDS[::-1]])
        while not self._is_over.is_set():
            readable, _, _ = select.select(list(end_of), [], [], 0.05)
            for ours in readable:
                data = os.read(ours, 65_536)
                self._sent[end_of[ours]] += data
                if not self.is_silent:
                    self._write(other[end_of[ours]], data)

    def _write(self, end: str, data: bytes) -> None:
        # Who does not read loses what does not fit, as on the air.
        with contextlib.suppress(BlockingIOError):
            os.write(self._ends[end][0], data)


JOINTS: Mapping[str, type[Joint]] = {
    "ieee802154": Ieee802154Joint,
    "rf-serial": RfSerialJoint,
}
