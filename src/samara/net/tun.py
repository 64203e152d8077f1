# SPDX-License-Identifier: Apache-2.0
"""TUN interfaces: network interfaces whose packets a program reads and writes.

An interface is gone when its file is closed, also when the process was killed.
"""

from __future__ import annotations

import errno
import fcntl
import os
import socket
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.net.namespaces import ip

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv6Interface

MTU = 1280
"""Bytes of the longest packet: what each link of IPv6 must carry (RFC 8200)."""
DEFAULT_NAME = "samara%d"
"""The kernel replaces %d by the first number that is free."""
QUEUE_PACKETS = 64
"""Packets that may wait in the kernel until they are read, which is at once: as many
as the fragments of the longest packet (65,535 bytes), and some more."""

_DEVICE = Path("/dev/net/tun")
_NAME_SIZE = 16
_REQUEST = struct.Struct(f"{_NAME_SIZE}sH22x")
_TUNSETIFF = 0x4004_54CA
_IFF_TUN, _IFF_NO_PI = 0x0001, 0x1000
_SETTINGS = Path("/proc/sys/net/ipv6/conf")


class TunError(MisuseError):
    """There can be no TUN interface here."""


class Tun:
    """A TUN interface in the namespace of this thread, not yet up.

    Parameters
    ----------
    name
        Its name, at most 15 characters; %d stands for a number.

    Raises
    ------
    TunError
        When it cannot be made; the text says what to do.
    """

    def __init__(self, name: str = DEFAULT_NAME) -> None:
        encoded = os.fsencode(name)
        if not 0 < len(encoded) < _NAME_SIZE or "/" in name:
            message = (
                f"an interface cannot be named {name!r}: give 1 to {_NAME_SIZE - 1} "
                "characters without /"
            )
            raise TunError(message)
        try:
            self._file = os.open(_DEVICE, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            raise _explained(error) from None
        try:
            request = _REQUEST.pack(encoded, _IFF_TUN | _IFF_NO_PI)
            given = fcntl.ioctl(self._file, _TUNSETIFF, request)
            self.name = os.fsdecode(_REQUEST.unpack(given)[0].rstrip(b"\0"))
            self.index = socket.if_nametoindex(self.name)
        except OSError as error:
            os.close(self._file)
            raise _explained(error, name) from None

    def fileno(self) -> int:
        """Return the file, which is readable when there is a packet."""
        return self._file

    def start(
        self,
        addresses: Iterable[IPv6Interface],
        *,
        forwards: bool,
    ) -> None:
        """Give the interface its addresses, and switch it on.

        Nobody answers neighbour discovery on it: addresses are not tested for
        duplicates, and no routers are asked for.

        Parameters
        ----------
        forwards
            Whether the namespace forwards packets of others.

        Raises
        ------
        samara.net.namespaces.NamespaceError
            When `ip` fails.
        """
        ip(
            [
                *("link", "set", "dev", self.name, "mtu", str(MTU)),
                *("txqueuelen", str(QUEUE_PACKETS), "addrgenmode", "none"),
            ]
        )
        self._set("router_solicitations", 0)
        self._set("accept_ra", 0)
        self._set("accept_redirects", 0)
        if forwards:
            (_SETTINGS / "all" / "forwarding").write_text("1")
        lines = [f"link set dev {self.name} up"]
        lines += [
            f"address add {address} dev {self.name} nodad" for address in addresses
        ]
        ip(["-6", "-batch", "-"], lines)

    def _set(self, setting: str, value: int) -> None:
        (_SETTINGS / self.name / setting).write_text(str(value))

    def read(self) -> bytes | None:
        """Return the next packet that the kernel sends; None when there is none."""
        try:
            return os.read(self._file, 65536)
        except BlockingIOError:
            return None

    def write(self, packet: bytes) -> bool:
        """Hand a packet to the kernel; tell whether it took it."""
        try:
            os.write(self._file, packet)
        except OSError:
            # The interface is down, or the packet is none: the kernel counts it.
            return False
        return True

    def close(self) -> None:
        """Remove the interface."""
        os.close(self._file)


def _explained(error: OSError, name: str = "") -> TunError:
    otherwise = "or carry UDP datagrams without an interface: --userspace"
    match error.errno:
        case errno.EPERM | errno.EACCES:
            return TunError(
                "a network interface can be made by root only: run this command as "
                f"root, {otherwise}"
            )
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return TunError(
                f"this machine has no TUN interfaces ({_DEVICE}): load the kernel's "
                f"module tun, {otherwise}"
            )
        case errno.EBUSY:
            return TunError(
                f"there is an interface {name} already: choose another name (--tun)"
            )
        case errno.EINVAL:
            return TunError(
                f"there is an interface {name} already that is no TUN interface, or "
                "the kernel does not take this name: choose another one (--tun)"
            )
    return TunError(f"an interface {name} cannot be made: {error.strerror}")
