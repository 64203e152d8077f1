# SPDX-License-Identifier: Apache-2.0
"""The way to a module and from it: packets as it takes them, no faster than it sends.

A module loses what is written while its buffer is full, and some need silence between
packets. Here what is to be sent waits: packets follow one another as the profile says.
"""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from samara.link.node.serial_port import SerialPort

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.link.rfserial.modules.profile import Profile

BUSY_S: Final = 5.0
"""For how long a module is believed that has not said that it sent a packet."""
_GAP_MARGIN: Final = 0.1
_LATE_S: Final = 0.02
"""How much later a module may get bytes than they are written: USB waits for 16 ms."""
_START_GAP_S: Final = 0.2
_ECHO_MAX: Final = 65_536


class _Waiting(NamedTuple):
    """What is to be written."""

    data: bytes
    is_packet: bool
    """Or else what the module is told when it starts."""


class Outlet:
    """A module at a serial port.

    Parameters
    ----------
    port
        Where it is.
    baud
        Baud rate of the port.

    Raises
    ------
    LinkError
        When the port cannot be opened.
    """

    def __init__(self, profile: Profile, port: str | None, baud: int) -> None:
        self.profile, self._baud = profile, baud
        self.port = SerialPort(port, baud, flow_control=profile.flow_control)
        self._times_opened = -1
        self._begin()

    def _begin(self) -> None:
        """Begin anew: the port was opened."""
        self._times_opened = self.port.times_opened
        self._session = self.profile.session()
        self._waiting: deque[_Waiting] = deque(
            _Waiting(each, is_packet=False)
            for each in (*self.profile.start, *self._session.begin())
        )
        self._next_s = self._air_end_s = self._not_before_s = 0.0
        self._echo = bytearray()

    def _begin_again(self) -> None:
        """Begin anew if the module was unplugged: it may have forgotten all."""
        if self._times_opened != self.port.times_opened:
            self._begin()

    # ---- the way out ----

    def put(self, data: bytes, delay_s: float = 0.0) -> None:
        """Add bytes behind those that were put before, and write what can be.

        Parameters
        ----------
        delay_s
            How long they have to wait at least.
        """
        self._begin_again()
        self._not_before_s = time.monotonic() + delay_s
        size = self._at_once or max(len(data), 1)
        for start in range(0, len(data), size):
            self._waiting.append(_Waiting(data[start : start + size], is_packet=True))
        self.work()

    def work(self) -> None:
        """Write what is due; raises as `Line.work` does."""
        self._begin_again()
        if not self.port.is_there:
            # What was sent while it was away is not sent later.
            self._waiting.clear()
            return
        self.port.out.work()
        if self._session.replies:
            self.port.out.put(bytes(self._session.replies))
            self._session.replies.clear()
        while self._waiting and self._due_in_s <= 0:
            self._write(self._waiting.popleft())

    def wait(self) -> None:
        """Wait until all is written; raises as `work` does."""
        while True:
            self.work()
            if not self.unwritten:
                return
            time.sleep(self.wait_s)

    def clear(self) -> None:
        """Drop what was put and not yet written."""
        self._waiting.clear()
        self.port.out.clear()

    @property
    def unwritten(self) -> int:
        """How many bytes were put and not yet written."""
        return self.port.out.unwritten + sum(len(each.data) for each in self._waiting)

    @property
    def wait_s(self) -> float:
        """How long to wait before `work` is worth a call, in seconds."""
        if self.port.out.unwritten or not self._waiting:
            return self.port.out.wait_s
        return min(max(self._due_in_s, 0.001), 0.1)

    @property
    def ready_s(self) -> float:
        """When all that was put will have been written, by `time.monotonic`."""
        if not self._waiting:
            return self.port.out.ready_s
        return time.monotonic() + self.remaining_s

    def way_s(self, size: int) -> float:
        """Return how long bytes are on their way out, behind nothing."""
        packets = self.profile.packets(size)
        line_s = sum(map(self._line_s, packets))
        if self._at_once is None:
            return line_s
        gaps_s = len(packets) * self.profile.gap_s
        return max(line_s, self._air_s(size) + gaps_s)

    @property
    def delay_s(self) -> float:
        """For how long what was put waits for its time."""
        return max(self._not_before_s - time.monotonic(), 0.0) if self._waiting else 0.0

    @property
    def remaining_s(self) -> float:
        """How long it takes until all that was put has been sent."""
        packets = [each for each in self._waiting if each.is_packet]
        later_s = sum(
            max(
                self._line_s(len(each.data)),
                self._air_s(len(each.data)) + self.profile.gap_s,
            )
            for each in packets
        )
        on_air_s = max(self._air_end_s - time.monotonic(), 0.0)
        return on_air_s + (max(self._due_in_s, 0.0) if packets else 0.0) + later_s

    @property
    def _at_once(self) -> int | None:
        """How many bytes are written at once; None if the line carries them slowly."""
        profile, packet = self.profile, self.profile.packet
        if profile.wrapping.keeps_packets or profile.gap_s:
            return packet
        if profile.flow_control or self._air_s(packet) <= self._line_s(packet):
            return None
        whole = int(profile.value("buffer")) // 2 // packet
        return max(whole, 1) * packet

    @property
    def _due_in_s(self) -> float:
        """When the next packet may be written, in seconds from now."""
        now_s = time.monotonic()
        if self.port.out.unwritten:
            return self.port.out.wait_s
        due_s = self._next_s
        if self._waiting and self._waiting[0].is_packet:
            due_s = max(due_s, self._not_before_s)
            if self._session.is_busy:
                due_s = max(due_s, self._air_end_s + BUSY_S)
        return due_s - now_s

    def _write(self, waiting: _Waiting) -> None:
        line = self._session.wrap(waiting.data) if waiting.is_packet else waiting.data
        self.port.out.put(line)
        out, now_s = self.port.out, time.monotonic()
        line_end_s = max(out.free_at_s, now_s) + out.unwritten * out.byte_s
        if not waiting.is_packet:
            self._next_s = line_end_s + _START_GAP_S
            return
        if self.profile.echoes:
            self._echo += line[: _ECHO_MAX - len(self._echo)]
        self._pace(len(waiting.data), line_end_s)

    def _pace(self, size: int, line_end_s: float) -> None:
        """Note when bytes will have been sent, and the next may be written."""
        profile = self.profile
        if self._at_once is None:
            self._air_end_s, self._next_s = line_end_s, 0.0
            return
        begin_s = max(self._air_end_s, line_end_s)
        if not profile.wrapping.keeps_packets and size % profile.packet:
            begin_s = max(begin_s, line_end_s + profile.timeout_ms / 1000)
        self._air_end_s = begin_s + self._air_s(size)
        self._next_s = self._air_end_s
        if profile.gap_s:
            self._next_s += profile.gap_s * (1 + _GAP_MARGIN) + _LATE_S
        if not profile.gap_s and profile.value("buffer") >= 2 * size:
            # The module keeps the next bytes while it sends these.
            self._next_s -= self._line_s(size)

    def _air_s(self, size: int) -> float:
        return self.profile.message_air_s(size, self._baud)

    def _line_s(self, size: int) -> float:
        return self.profile.wrapping.line_size(size) * self.port.out.byte_s

    # ---- the way in ----

    def read(self) -> bytes:
        """Return what packets have brought, in their order."""
        data = self._without_echo(self.port.read())
        return b"".join(self._session.feed(data))

    def _without_echo(self, data: bytes) -> bytes:
        """Leave out what the module repeats of what was written to it."""
        same = 0
        for ours, theirs in zip(self._echo, data, strict=False):
            if ours != theirs:
                break
            same += 1
        del self._echo[:same]
        return data[same:]

    def notices(self) -> Sequence[str]:
        """Return what happened to the module since the last call."""
        return [*self.port.notices(), *self._refusals()]

    def _refusals(self) -> Iterator[str]:
        if self._session.refused:
            count, self._session.refused = self._session.refused, 0
            yield f"the module says that it has not sent {count} packets"

    def close(self) -> None:
        """Write what is left, and let others use the port."""
        self.port.close()
