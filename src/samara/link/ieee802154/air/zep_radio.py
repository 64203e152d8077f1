# SPDX-License-Identifier: Apache-2.0
"""A radio of IEEE 802.15.4 where there is none: a UDP socket to the medium."""

from __future__ import annotations

import errno
import os
import select
import socket
import time
from collections import OrderedDict, deque
from dataclasses import dataclass

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import air_time_s
from samara.link.ieee802154.frames.fcs import FCS_SIZE, fcs_of, is_intact
from samara.link.node.link import LinkError
from samara.link.node.reachability import Reachability

DEFAULT_MEDIUM = f"127.0.0.1:{zep.PORT}"

_DATAGRAM_SIZE_MAX = 2048
# A medium that was started anew does not know who listens. It is told after so
# much silence; a medium is away when it refuses that, and back when it does not.
_HELLO_INTERVAL_S = 0.5
# Frames that were sent, of which it is kept whether they get no acknowledgement.
_SENT_MAX = 16
# Frames that are taken at once: what they change is stored with one write.
_FRAMES_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class ReceivedFrame:
    """A frame from the air."""

    psdu: bytes
    """The frame with its check sequence, which was right."""
    delivery_s: float | None
    """Since it was sent, by the clocks of sender and receiver; None if not known."""
    rssi_dbm: int | None = None
    """Received signal strength in dBm; None where there is no radio."""
    lqi: int | None = None
    """Link quality indication, 0 to 255; None where there is no radio."""

    @property
    def frame(self) -> bytes:
        """Without check sequence."""
        return self.psdu[:-FCS_SIZE]


class ZepRadio:
    """Sends and hears frames by way of a medium.

    Parameters
    ----------
    medium
        ``HOST:PORT`` of `samara medium`.
    channel
        Frames on others are not heard.
    paced
        Whether a frame takes its time on the air before the next is sent.
    hello
        What tells the medium who this node is.

    Raises
    ------
    LinkError
        When there is no medium.
    """

    def __init__(
        self,
        medium: str,
        channel: int,
        *,
        paced: bool = True,
        hello: zep.Hello | None = None,
    ) -> None:
        self._hello = zep.Hello() if hello is None else hello
        self._medium, self._channel, self._paced = medium, channel, paced
        self._sequence = 0
        self._sent: OrderedDict[bytes, int] = OrderedDict()
        self._unanswered: deque[int] = deque(maxlen=_SENT_MAX)
        self._news = 0
        """Packets that told of frames without acknowledgement."""
        self._hello_was_sent = False
        self._reachability = Reachability(f"the medium at {medium}")
        self._quiet_since_s = time.monotonic()
        family, address = _resolved(medium)
        self._socket = socket.socket(family, socket.SOCK_DGRAM)
        try:
            self._socket.connect(address)
            self._socket.settimeout(0)
            self._send(self._hello)
            self._check()
        except BaseException:
            self._socket.close()
            raise

    def fileno(self) -> int:
        """Return the descriptor of the socket."""
        return self._socket.fileno()

    def send(self, frame: bytes) -> tuple[bytes, float]:
        """Send a frame; return it with its check sequence, and the time it took.

        Raises
        ------
        LinkError
            When there is no medium any more.
        """
        start_s = time.monotonic()
        psdu = self.transmit(frame)
        if self._paced:
            time.sleep(air_time_s(len(psdu)))
        return psdu, time.monotonic() - start_s

    def transmit(self, frame: bytes, first_s: float | None = None) -> bytes:
        """Hand a frame to the medium; return it with its check sequence.

        Parameters
        ----------
        first_s
            When its first attempt was sent, in seconds since 1970: receivers take the
            delivery time from there. Default: now.

        Raises
        ------
        LinkError
            When there is no medium any more.
        """
        psdu = frame + fcs_of(frame)
        self._send(zep.data_now(psdu, self._sequence, self._channel, first_s))
        self._sent[frame] = self._sequence
        self._sent.move_to_end(frame)
        if len(self._sent) > _SENT_MAX:
            self._sent.popitem(last=False)
        self._sequence = (self._sequence + 1) & 0xFFFFFFFF
        return psdu

    def acknowledge(self, answer: bytes) -> bytes:
        """Send an acknowledgement; return it with its check sequence.

        Raises
        ------
        LinkError
            When there is no medium any more.
        """
        return self.transmit(answer)

    def is_unanswered(self, frame: bytes) -> bool:
        """Tell whether the medium said that a frame gets no acknowledgement.

        That is of the last time that it was sent. A medium need not say so: it knows
        only what it lost itself.
        """
        return self._sent.get(frame) in self._unanswered

    def receive(self, timeout_s: float) -> list[ReceivedFrame]:
        """Wait for frames; return at once when there are some.

        A medium that is away is waited for; `notices` has that.
        """
        end_s = time.monotonic() + timeout_s
        while True:
            left_s = max(end_s - time.monotonic(), 0.0)
            wait_s = min(left_s, _HELLO_INTERVAL_S)
            readable, _, _ = select.select([self._socket], [], [], wait_s)
            before = self._news
            heard = self._taken() if readable else []
            self._keep_known()
            has_news = self._news != before or self._reachability.has_notices
            if heard or has_news or time.monotonic() >= end_s:
                return heard

    def notices(self) -> list[str]:
        """Return what happened to the medium since the last call."""
        return self._reachability.notices()

    def _taken(self) -> list[ReceivedFrame]:
        """Return the frames that are there."""
        heard: list[ReceivedFrame] = []
        while len(heard) < _FRAMES_AT_ONCE:
            try:
                datagram = self._socket.recv(_DATAGRAM_SIZE_MAX)
            except BlockingIOError:
                break
            except OSError as error:
                self._note_away(error)
                break
            self._note_back()
            heard += self._heard(datagram)
        return heard

    def _keep_known(self) -> None:
        """Say hello after silence: who does not is not heard of by a new medium."""
        now_s = time.monotonic()
        if now_s - self._quiet_since_s < _HELLO_INTERVAL_S:
            return
        if self._hello_was_sent:
            # Nobody has refused it since.
            self._reachability.regained()
        self._quiet_since_s = now_s
        try:
            self._socket.send(zep.build(self._hello))
            self._hello_was_sent = True
        except BlockingIOError:
            pass
        except OSError as error:
            self._note_away(error)

    def _note_away(self, error: OSError) -> None:
        self._hello_was_sent = False
        self._reachability.lost(error.strerror or "it cannot be reached")

    def _note_back(self) -> None:
        self._quiet_since_s = time.monotonic()
        self._reachability.regained()

    def close(self) -> None:
        """Leave the medium."""
        self._socket.close()

    def _check(self) -> None:
        # That nobody listens there is known when the hello was refused.
        refusal = self._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if refusal:
            raise self._explained(OSError(refusal, os.strerror(refusal)))

    def _heard(self, datagram: bytes) -> list[ReceivedFrame]:
        try:
            packet = zep.parse(datagram)
        except zep.ZepError:
            return []
        if isinstance(packet, zep.Unanswered):
            self._unanswered.append(packet.sequence)
            self._news += 1
            return []
        if (
            not isinstance(packet, zep.Data)
            or packet.channel != self._channel
            or (packet.has_fcs and not is_intact(packet.psdu))
        ):
            return []
        delivery_s = max(time.time() - packet.time_s, 0.0)
        return [ReceivedFrame(packet.psdu, delivery_s)]

    def _send(self, packet: zep.Packet) -> None:
        if not self._reachability.is_reachable:
            # The first packet to nobody is not refused: without this, some would be
            # lost in silence.
            self._keep_known()
        if not self._reachability.is_reachable:
            raise self._explained(OSError(errno.ECONNREFUSED, "it is away"))
        try:
            try:
                self._socket.send(zep.build(packet))
            except ConnectionRefusedError:
                # An error about what was sent before; the medium may be back.
                self._socket.send(zep.build(packet))
                self._check()
        except OSError as error:
            raise self._explained(error) from None

    def _explained(self, error: OSError) -> LinkError:
        if error.errno == errno.ECONNREFUSED:
            message = (
                f"there is no medium at {self._medium}: start one with `samara medium`"
            )
        else:
            message = f"the medium at {self._medium} cannot be reached: {error}"
        return LinkError(message)


def _resolved(medium: str) -> tuple[int, tuple[object, ...]]:
    host, colon, port = medium.rpartition(":")
    try:
        family, *_, address = socket.getaddrinfo(
            host.strip("[]"), int(port), type=socket.SOCK_DGRAM
        )[0]
    except (ValueError, OSError, OverflowError):
        colon = ""
    if not colon:
        message = f"a medium is named HOST:PORT, not {medium!r}"
        raise LinkError(message)
    return family, address
