# SPDX-License-Identifier: Apache-2.0
"""The process of the channel: it joins radios over ZeroMQ sockets.

Each radio has two endpoints. It binds to one and pushes samples, and connects to the
other and pulls what it receives. Samples are complex float32, as push_sink and
pull_source of gr-zeromq use them. A radio receives the samples of all others, and
noise, in real time. Samples are never lost without being counted: a sender that is too
fast is held back, and samples that a receiver did not take in time are counted. A
radio has one listener; others are refused (`samara.phy.air_places`).

Samples are passed in blocks of 10 ms. A burst after silence begins at a random sample
of a block, so that radios are not synchronised.
"""

from __future__ import annotations

import contextlib
import errno
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from samara.extras import needed
from samara.phy.addresses import Endpoints
from samara.phy.air_places import AddressLock, Admission, Listener
from samara.phy.channel import Impairments, Path
from samara.phy.front_end import FrontEnd, Reception

with needed("phy"):
    import zmq

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from samara.phy.channel import Samples

# Time between two blocks of samples, and how many messages a socket may queue.
_TICK_S = 0.01
_WAITING = 100
# Longer than any echo: after so many zeros, a path has nothing to output.
_QUIET = 1000
# If the channel is late by more than this, it skips the samples it is late with.
_MOST_LATE_S = 0.5

BURST_MAX = 1 << 17
"""Samples of a burst that are shown, and kept to be sent again; the rest is not."""


@dataclass(slots=True)
class Statistics:
    """Counts of a channel. Unless they are of bursts, they are of samples."""

    seconds: float = 0.0
    bursts: list[int] = field(default_factory=list)
    lost_bursts: list[int] = field(default_factory=list)
    overruns: list[int] = field(default_factory=list)
    """Samples that a connected receiver did not take in time, for each radio."""
    turned_away: list[int] = field(default_factory=list)
    """How often a second listener was refused, for each radio."""
    late: int = 0
    """Samples that were skipped because the channel was late."""


class _Radio:
    """The sockets of the channel for one radio."""

    def __init__(
        self,
        context: zmq.Context[zmq.Socket[bytes]],
        ends: Endpoints,
        number: int,
        random: np.random.Generator,
    ) -> None:
        self._uplink = context.socket(zmq.PULL)
        self._downlink = context.socket(zmq.PUSH)
        self._uplink.set(zmq.RCVHWM, _WAITING)
        self._downlink.set(zmq.SNDHWM, _WAITING)
        self._downlink.set(zmq.LINGER, 0)
        # The authentication handler (`Admission`) gets this name with each connection.
        self._downlink.set(zmq.ZAP_DOMAIN, str(number).encode())
        self.listener = Listener(self._downlink)
        self._random = random
        self._pending: list[Samples] = []
        self._uplink.connect(ends.transmit)
        self._downlink.bind(ends.receive)

    def take(self, count: int) -> Samples:
        """Return `count` transmitted samples; zeros where there are none."""
        have = sum(map(len, self._pending))
        was_silent = not have
        while have < count:
            try:
                data = self._uplink.recv(zmq.NOBLOCK)
            except zmq.Again:
                break
            samples = np.frombuffer(data[: len(data) & ~7], np.complex64)
            self._pending.append(samples)
            if was_silent and len(samples):
                was_silent = False
                start = np.zeros(self._random.integers(count), np.complex64)
                self._pending.insert(0, start)
                have += len(start)
            have += len(samples)
        joined = np.concatenate((*self._pending, np.zeros(0, np.complex64)))
        self._pending = [joined[count:]] if have > count else []
        now: Samples = np.zeros(count, np.complex64)
        now[: min(have, count)] = joined[:count]
        return now

    def insert(self, samples: Samples) -> None:
        """Send samples as if the radio had transmitted them next."""
        self._pending.append(samples)

    def give(self, samples: Samples) -> int:
        """Send what the radio receives; return how many samples its listener missed."""
        with contextlib.suppress(zmq.Again):
            self._downlink.send(samples, zmq.NOBLOCK)
            return 0
        if not self.listener.takes_samples():
            return 0
        with contextlib.suppress(zmq.Again):
            # Since its last send, the socket may not have looked whether a listener has
            # connected; reading its events makes it look.
            self._downlink.get(zmq.EVENTS)
            self._downlink.send(samples, zmq.NOBLOCK)
            return 0
        return len(samples)

    def close(self) -> None:
        self.listener.close()
        self._uplink.close(0)
        self._downlink.close(0)


class _Transmitted:
    """Cuts the samples that one radio receives into the bursts of another."""

    def __init__(self) -> None:
        self._parts: list[Samples] = []
        self._size = 0

    def put(self, heard: Samples, *, is_sending: bool) -> Samples | None:
        """Return the burst that has ended, if one has.

        Parameters
        ----------
        heard
            What the receiver hears, with its noise.
        is_sending
            Whether the transmitter's signal is in it.
        """
        if is_sending and self._size < BURST_MAX:
            self._parts.append(heard)
            self._size += len(heard)
        if is_sending or not self._parts:
            return None
        burst = np.concatenate(self._parts)
        self._parts, self._size = [], 0
        return burst


class _Arrival:
    """The signal of one radio after its path, at the sample rate of the receivers."""

    def __init__(self, radio: _Radio, path: Path) -> None:
        self._radio = radio
        self._path = path
        self._ready: Samples = np.zeros(0, np.complex64)
        self._silence = _QUIET
        self._sent = _Transmitted()
        self.last_burst: Samples | None = None
        """The last samples that the radio has transmitted without a pause."""

    def take(self, count: int) -> Samples | None:
        """Return the next `count` samples; None if all of them are zero."""
        while len(self._ready) < count:
            sent = self._radio.take(count - len(self._ready))
            self._silence = 0 if sent.any() else self._silence + len(sent)
            burst = self._sent.put(sent, is_sending=self._silence <= _QUIET)
            self.last_burst = self.last_burst if burst is None else burst
            if self._silence > _QUIET and not self._ready.any():
                self._ready = np.zeros(0, np.complex64)
                return None
            # With a clock error, a path outputs some samples more or fewer than it got.
            self._ready = np.concatenate((self._ready, self._path.process(sent)))
        arrived, self._ready = self._ready[:count], self._ready[count:]
        return arrived


_IN_USE = "another channel uses this address: end it, or choose another --address"


def _address_lock(address: str) -> AddressLock:
    try:
        return AddressLock(address)
    except BlockingIOError as error:
        raise OSError(errno.EADDRINUSE, _IN_USE, address) from error


class Air:
    """A channel that joins radios.

    Parameters
    ----------
    address
        See `Endpoints.of`.
    impairments
        Impairments of each radio's signal; one for each radio.
    noise_power
        Variance of a complex sample at each receiver.
    sample_rate
        In Hz.
    seed
        Random seed of noise and losses.
    front_end
        What each receiver is like.

    Raises
    ------
    ValueError
        If the address is not valid.
    OSError
        If another program uses the address.
    """

    def __init__(
        self,
        address: str,
        impairments: Sequence[Impairments],
        *,
        noise_power: float,
        sample_rate: float,
        seed: int | None = None,
        front_end: FrontEnd | None = None,
    ) -> None:
        ends = [Endpoints.of(address, radio) for radio in range(len(impairments))]
        seeds = np.random.SeedSequence(seed).generate_state(3 * len(ends))
        self._rate = sample_rate
        self._carried = 0
        self._paths = [
            Path(impairment, int(s))
            for impairment, s in zip(impairments, seeds[::3], strict=True)
        ]
        self._arrivals: list[_Arrival] = []
        front_end = front_end or FrontEnd()
        self._receptions = [
            Reception(front_end, noise_power, int(s)) for s in seeds[1::3]
        ]
        self._statistics = Statistics(overruns=[0] * len(ends))
        self._lock = _address_lock(address)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._admission = Admission(self._context)
        self._radios: list[_Radio] = []
        try:
            for number, (end, path) in enumerate(zip(ends, self._paths, strict=True)):
                random = np.random.default_rng(int(seeds[3 * number + 2]))
                self._radios.append(_Radio(self._context, end, number, random))
                self._arrivals.append(_Arrival(self._radios[-1], path))
        except zmq.ZMQError as error:
            self.close()
            reason = _IN_USE if error.errno == errno.EADDRINUSE else error.strerror
            raise OSError(error.errno, reason, end.receive) from error
        self._listeners = [radio.listener for radio in self._radios]
        self._heard = [_Transmitted() for _ in self._radios]
        self.on_burst: Callable[[int, Samples], None] | None = None
        """Called with each burst: the radio that sent it, and what another one, the
        first that did not, has received of it."""

    def change(self, *, noise_power: float | None, loss: float | None) -> None:
        """Have another noise, or another probability of loss, from now on.

        Parameters
        ----------
        noise_power, loss
            As `Air` and `Impairments` have them; None: as before.
        """
        if noise_power is not None:
            for reception in self._receptions:
                reception.change(noise_power)
        if loss is not None:
            for path in self._paths:
                path.change(loss)

    def lose(self, count: int) -> None:
        """Lose the next bursts of each radio."""
        for path in self._paths:
            path.lose(count)

    def insert(self, radio: int, samples: Samples) -> None:
        """Send samples in the name of a radio, as an attacker beside it does.

        At most `BURST_MAX` of them are sent.
        """
        end = np.zeros(2 * _QUIET, np.complex64)
        self._radios[radio].insert(np.concatenate((samples[:BURST_MAX], end)))

    def last_burst(self, radio: int) -> Samples | None:
        """Return the samples of the last burst that a radio has transmitted."""
        burst = self._arrivals[radio].last_burst
        if burst is None:
            return None
        # The blocks in which it was taken have silence around it.
        present = np.flatnonzero(burst)
        return burst[present[0] : present[-1] + 1]

    def run(self, wanted: Callable[[], bool] = lambda: True) -> None:
        """Pass samples in real time as long as `wanted` returns true."""
        for _ in self.turns(wanted):
            pass

    def turns(self, wanted: Callable[[], bool]) -> Generator[None, None, None]:
        """Pass samples as `run`, and yield after each turn of the loop."""
        count = max(1, round(self._rate * _TICK_S))
        tick_s = count / self._rate
        due = time.monotonic()
        while wanted():
            self.step(count)
            due += tick_s
            ahead = due - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            elif ahead < -_MOST_LATE_S:
                self._statistics.late += round(-ahead * self._rate)
                due = time.monotonic()
            yield

    def step(self, count: int) -> None:
        """Pass `count` samples of each radio to all others, immediately."""
        self._admission.attend(self._listeners)
        arriving = [arrival.take(count) for arrival in self._arrivals]
        for hearer, radio in enumerate(self._radios):
            reception = self._receptions[hearer]
            heard = reception.draw(count)
            for sender, samples in enumerate(arriving):
                if sender != hearer and samples is not None:
                    heard += samples
            heard = reception.convert(heard)
            self._statistics.overruns[hearer] += radio.give(heard)
            self._show(hearer, heard, arriving)
        self._carried += count

    def _show(
        self, hearer: int, heard: Samples, arriving: Sequence[Samples | None]
    ) -> None:
        """Tell of the bursts whose first hearer this is."""
        if self.on_burst is None:
            return
        for sender, samples in enumerate(arriving):
            if hearer == (1 if sender == 0 else 0):
                is_sending = samples is not None
                burst = self._heard[sender].put(heard, is_sending=is_sending)
                if burst is not None:
                    self.on_burst(sender, burst)

    @property
    def statistics(self) -> Statistics:
        """The counts so far."""
        self._statistics.seconds = self._carried / self._rate
        self._statistics.bursts = [path.bursts for path in self._paths]
        self._statistics.turned_away = [each.turned_away for each in self._listeners]
        self._statistics.lost_bursts = [path.lost for path in self._paths]
        return self._statistics

    def close(self) -> None:
        """Release the addresses."""
        for radio in self._radios:
            radio.close()
        self._admission.close()
        # Also closes the sockets of a radio whose address was in use.
        self._context.destroy(0)
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(zmq.ZMQError):
            self.close()
