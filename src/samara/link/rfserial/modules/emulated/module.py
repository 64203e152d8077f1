# SPDX-License-Identifier: Apache-2.0
"""An emulated module, in the place of a modem of `samara.link.rfserial.modem`."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from samara.link.rfserial.modem import Air, Pair
from samara.link.rfserial.modules.emulated import far_ends
from samara.link.rfserial.modules.emulated.commands import commands_of
from samara.link.rfserial.modules.emulated.settings import ModuleSettings
from samara.link.rfserial.serial_radio import Modem

if TYPE_CHECKING:
    from samara.link.rfserial.modules.emulated.far_end import FarEnd
    from samara.link.rfserial.modules.profile import Profile
    from samara.link.rfserial.serial_radio import Side, World


@dataclass
class EmulatedModule(Modem):
    """One module: a modem with the rules of a profile."""

    profile: Profile = field(kw_only=True)
    far_end: FarEnd | None = None
    """How it reads its line; None: bytes as they are."""
    on_air: deque[tuple[float, int]] = field(default_factory=deque)
    """When packets will have been sent, and their sizes."""
    dropped: int = 0
    """Bytes that came while its buffer was full, or within its gap."""

    def _take(self, byte: int) -> None:
        if self.in_command_mode or self.commands.guards:
            # Modem knows +++ and command mode.
            super()._take(byte)
            return
        self.statistics.bytes_in += 1
        self.last_byte_s = self.world.now_s
        self.timer += 1
        if self.profile.echoes:
            self._put_out(bytes([byte]))
        self._data(bytes([byte]))

    def _data(self, data: bytes) -> None:
        if self.far_end is None:
            if self._has_room():
                super()._data(data)
            else:
                self.dropped += len(data)
            return
        for byte in data:
            for packet in self.far_end.take(byte):
                self._take_packet(packet)
        self._reply()

    def _take_packet(self, packet: bytes) -> None:
        if len(packet) > self.settings.packet_size or not self._has_room():
            self.dropped += len(packet)
            return
        self.packet = bytearray(packet)
        self._send()

    def _reply(self) -> None:
        if self.far_end is not None and self.far_end.replies:
            self._put_out(bytes(self.far_end.replies))
            self.far_end.replies.clear()

    def _has_room(self) -> bool:
        """Tell whether the module takes another byte or packet now."""
        now_s = self.world.now_s
        gap_s = self.profile.gap_s
        while self.on_air and self.on_air[0][0] + gap_s <= now_s + 1e-9:
            self.on_air.popleft()
        if gap_s and self.on_air:
            return False
        waiting = len(self.packet) + sum(size for _, size in self.on_air)
        return waiting < self.profile.value("buffer") + self.settings.packet_size

    def _send(self) -> None:
        size = len(self.packet)
        super()._send()
        # The pair sends packets one after the other.
        end_s = self.world.air_free_s
        self.on_air.append((end_s, size))
        if self.far_end is not None:
            self.world.at(end_s, self._sent)

    def _sent(self) -> None:
        if self.far_end is not None and (said := self.far_end.sent()):
            self._put_out(said)

    def restarted(self) -> EmulatedModule:
        """Return the module after its supply was off: it forgets what it holds."""
        return EmulatedModule(
            self.side,
            self.world,
            self.commands,
            self.statistics,
            profile=self.profile,
            far_end=self.far_end,
        )

    def receive(self, packet: bytes) -> None:
        """Pass a packet on to the serial line."""
        written = packet if self.far_end is None else self.far_end.received(packet)
        super().receive(written)


def module_pair(
    profile: Profile,
    *,
    baud: int | None = None,
    air: Air | None = None,
    seed: int = 0,
    is_set_up: bool = False,
) -> Pair:
    """Return two emulated modules that hear each other.

    Parameters
    ----------
    baud
        Baud rate of their ports. Default: that of the profile.
    is_set_up
        Whether the pin is held that makes them take commands.
    """
    used = profile.baud if baud is None else baud
    settings = ModuleSettings(
        baud=used,
        packet_size=profile.wrapping.air_size(profile.packet) + _header_size(profile),
        timeout_ms=profile.timeout_ms,
        air_bits_per_s=profile.air_rate(used),
    )

    def new(side: Side, world: World) -> Modem:
        far = far_ends().get(profile.wrapping.name)
        made = EmulatedModule(
            side,
            world,
            commands_of(profile, settings),
            profile=profile,
            far_end=far(profile.options, settings.packet_size) if far else None,
        )
        made.in_command_mode = is_set_up
        return made

    overhead = profile.overhead - _header_size(profile)
    return Pair(settings, replace(air or Air(), packet_overhead=overhead), seed, new)


def _header_size(profile: Profile) -> int:
    """Return what the wrapping adds to each packet: the program writes it."""
    line = profile.session().wrap(b"")
    plain = profile.wrapping.line_size(0)
    return max(len(line) - plain, 0)
