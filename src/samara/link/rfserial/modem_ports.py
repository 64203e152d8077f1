# SPDX-License-Identifier: Apache-2.0
"""Two pseudo terminals with the modems of `samara.link.rfserial.modem` behind them."""

from __future__ import annotations

import contextlib
import os
import select
import time
import tty
from typing import TYPE_CHECKING, Self

from samara.errors import MisuseError
from samara.link.rfserial.modem import Pair, Side
from samara.locks import PathLock

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from pathlib import Path

_READ_SIZE = 256
# As much as the modem's own buffer is taken to hold: what is written faster than
# the line carries it waits in the terminal, and then in the writer.
_BACKLOG_BYTES = 64
# Looks up so often, whether it is to end, when nothing else happens.
_LONGEST_SLEEP_S = 0.25


class PortError(MisuseError):
    """A pseudo terminal or a link to it could not be made."""


class Ports:
    """A pair of modems behind two serial ports, in real time.

    Parameters
    ----------
    pair
        The modems.
    links
        Where symbolic links to the ports are to be. A link that is left over from a
        process that has ended is replaced, anything else refused.

    Raises
    ------
    PortError
        When there are no pseudo terminals left, or a link cannot be made.
    """

    def __init__(self, pair: Pair, links: Mapping[Side, Path] | None = None) -> None:
        self.pair = pair
        self.overruns = 0
        """Bytes that nobody had read when more came; they are gone."""
        self._stack = contextlib.ExitStack()
        self._masters: list[int] = []
        # Sides with more than one read can take.
        self._unread: set[Side] = set()
        self.paths: list[str] = []
        """Where the modems are to be opened."""
        with contextlib.ExitStack() as undo:
            undo.callback(self.close)
            for side in Side:
                self._open_terminal()
                if links and side in links:
                    self._link(links[side], self.paths[side])
            undo.pop_all()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the ports and take the links away."""
        self.close()

    def close(self) -> None:
        """Close the ports and take the links away."""
        self._stack.close()

    def run(self, is_over: Callable[[], bool]) -> None:
        """Pass bytes on until told to stop."""
        for _ in self.turns(is_over):
            pass

    def turns(self, is_over: Callable[[], bool]) -> Generator[None, None, None]:
        """Pass bytes on as `run`, and yield after each turn of the loop."""
        start_s = time.monotonic() - self.pair.now_s
        while not is_over():
            ready = self._wait(time.monotonic() - start_s)
            self._catch_up(time.monotonic() - start_s)
            for side in ready:
                self._read(side)
            yield

    def _catch_up(self, now_s: float) -> None:
        """Let the modems' time pass.

        This process may be late. Bytes that a program had written in time are
        then put on the line in time, or a packet would wait for them in vain.
        """
        while True:
            limits = [self.pair.line_free_s(side) for side in self._unread]
            to_s = min([now_s, *limits])
            self._put(to_s)
            if to_s >= now_s:
                return
            for side in list(self._unread):
                if self.pair.line_free_s(side) <= to_s:
                    self._read(side)

    def _read(self, side: Side) -> None:
        """Put what a program has written on the line."""
        data = b""
        with contextlib.suppress(BlockingIOError):
            data = os.read(self._masters[side], _READ_SIZE)
        self.pair.write(side, data)
        if len(data) == _READ_SIZE:
            self._unread.add(side)
        else:
            self._unread.discard(side)

    def _wait(self, now_s: float) -> list[Side]:
        """Wait for bytes, or for the time at which something comes out."""
        due_s = self.pair.next_event_s
        sleep_s = _LONGEST_SLEEP_S if due_s is None else due_s - now_s
        free = [side for side in Side if self._takes_more(side)]
        masters = [self._masters[side] for side in free]
        sleep_s = min(max(sleep_s, 0.0), _LONGEST_SLEEP_S)
        readable, _, _ = select.select(masters, [], [], sleep_s)
        return [side for side in free if self._masters[side] in readable]

    def _takes_more(self, side: Side) -> bool:
        byte_s = 10 / self.pair.settings(side).baud
        room_s: float = _BACKLOG_BYTES * byte_s
        return self.pair.backlog_s(side) < room_s

    def _put(self, now_s: float) -> None:
        for out in self.pair.advance(now_s):
            written = 0
            with contextlib.suppress(BlockingIOError):
                written = os.write(self._masters[out.side], out.data)
            self.overruns += len(out.data) - written

    def _open_terminal(self) -> None:
        try:
            master, port = os.openpty()
        except OSError as error:
            message = f"there is no pseudo terminal to be had: {error.strerror}"
            raise PortError(message) from None
        # The port stays open here, or it would end whenever a program closes it.
        for descriptor in (master, port):
            self._stack.callback(os.close, descriptor)
        tty.setraw(port)
        os.set_blocking(master, False)
        self._masters.append(master)
        self.paths.append(os.ttyname(port))

    def _link(self, link: Path, port: str) -> None:
        try:
            lock = PathLock(link)
            self._stack.callback(lock.close)
            if link.is_symlink():
                link.unlink()
            link.symlink_to(port)
        except BlockingIOError:
            message = (
                f"another modem is at {link}: end it, or give other paths with "
                "--link-a and --link-b"
            )
            raise PortError(message) from None
        except OSError as error:
            message = f"{link} cannot be made a link to a port: {error.strerror}"
            raise PortError(message) from None
        self._stack.callback(_unlink, link, port)


def _unlink(link: Path, port: str) -> None:
    # Somebody else's by now, if it leads elsewhere.
    if link.is_symlink() and str(link.readlink()) == port:
        link.unlink()
