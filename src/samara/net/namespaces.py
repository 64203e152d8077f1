# SPDX-License-Identifier: Apache-2.0
"""Network namespaces of Linux.

A namespace has its own interfaces, addresses and routes. A thread is in one of them;
sockets stay in the one that they were made in. So a node can have its link in one
namespace and its TUN interface in another.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from samara.errors import MisuseError
from samara.programs import package_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLONE_NEWNET = 0x4000_0000
_NAMED = Path("/run/netns")
_OWN = Path("/proc/thread-self/ns/net")
_NOT_ALLOWED = tuple(os.strerror(each) for each in (errno.EPERM, errno.EACCES))


class NamespaceError(MisuseError):
    """A network namespace cannot be made or entered."""


def leave_for_new() -> None:
    """Move this thread into a new namespace without a name.

    It exists as long as a process or a socket is in it.

    Raises
    ------
    NamespaceError
        When this process may not do that.
    """
    _call("unshare", _CLONE_NEWNET, what="a new network namespace cannot be made")


@contextlib.contextmanager
def inside(place: Path) -> Iterator[None]:
    """Be in another namespace during the block.

    Parameters
    ----------
    place
        A file that stands for a namespace, such as ``/proc/PID/ns/net``.

    Raises
    ------
    NamespaceError
        When there is none, or this process may not enter it.
    """
    with _opened(_OWN) as before, _opened(place) as other:
        _enter(other, place)
        try:
            yield
        finally:
            _enter(before, _OWN)


def place_of(name: str) -> Path:
    """Return the file of a named namespace, which need not be there.

    Raises
    ------
    NamespaceError
        When a namespace cannot have this name.
    """
    if not name or "/" in name or name in (".", "..") or not name.isprintable():
        message = f"a network namespace cannot be named {name!r}"
        raise NamespaceError(message)
    return _NAMED / name


def make(name: str) -> None:
    """Make a namespace with a name, as `ip netns add` does.

    Raises
    ------
    NamespaceError
        When this process may not do that.
    """
    try:
        ip(["netns", "add", name])
    except NamespaceError as error:
        if not any(each in str(error) for each in _NOT_ALLOWED):
            raise
        # `ip` tells of a directory or mount of its own.
        message = (
            f"the network namespace {name} cannot be made: run this command as root"
        )
        raise NamespaceError(message) from None


def remove(name: str) -> None:
    """Remove the name of a namespace; it is gone when nobody is in it."""
    ip(["netns", "delete", name])


def ip(arguments: list[str], batch: list[str] | None = None) -> str:
    """Run `ip` of iproute2 in the namespace of this thread; return what it says.

    Parameters
    ----------
    batch
        Lines for ``ip -batch -``, if that is what the arguments ask for.

    Raises
    ------
    NamespaceError
        When it is not there, or fails.
    """
    try:
        # The locale would change the text of errors.
        done = subprocess.run(  # noqa: S603 - a fixed program, and a list of arguments
            ["ip", *arguments],  # noqa: S607 - found by PATH, as every other tool
            input="\n".join(batch or []),
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C"},
        )
    except FileNotFoundError:
        message = (
            f"the program `ip` is not there: install the package {package_of('ip')}"
        )
        raise NamespaceError(message) from None
    if done.returncode:
        said = " ".join(done.stderr.split())
        message = f"`ip {' '.join(arguments)}` failed: {said}"
        raise NamespaceError(message)
    return done.stdout


@contextlib.contextmanager
def _opened(place: Path) -> Iterator[int]:
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        message = f"there is no network namespace {place}: {error.strerror}"
        raise NamespaceError(message) from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _enter(descriptor: int, place: Path) -> None:
    what = f"the network namespace {place} cannot be entered"
    _call("setns", descriptor, _CLONE_NEWNET, what=what)


def _call(name: str, *arguments: int, what: str) -> None:
    # Python has these from version 3.12 on.
    function = getattr(ctypes.CDLL(None, use_errno=True), name)
    if function(*arguments):
        problem = os.strerror(ctypes.get_errno())
        message = f"{what} ({problem}): run this command as root"
        raise NamespaceError(message)
