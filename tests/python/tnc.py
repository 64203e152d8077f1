# SPDX-License-Identifier: Apache-2.0
"""Two TNCs of packet radio, direwolf, that hear each other's audio.

Each has its KISS at a pseudo-terminal of ours, since direwolf gives it out over TCP.
What one would play goes by a named pipe and UDP to the other, in real time.
"""

from __future__ import annotations

import contextlib
import os
import random
import select
import shutil
import socket
import subprocess
import threading
import time
import tty
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DIREWOLF = shutil.which("direwolf") or ""
"""Empty: it is not there."""
HOST = "127.0.0.1"
RATE, SAMPLE_SIZE, BLOCK_S = 44_100, 2, 0.01
BLOCK_SIZE = int(RATE * BLOCK_S) * SAMPLE_SIZE
START_S = 60
# ALSA writes to a pipe in place of a sound card.
SOUND = 'pcm.air {{ type file; slave.pcm "null"; file "{}"; format "raw" }}\n'
SETTINGS = """ADEVICE udp:{audio} air
ARATE {rate}
CHANNEL 0
MYCALL N0CALL
MODEM 1200
AGWPORT 0
KISSPORT {kiss}
"""


def free_port(kind: socket.SocketKind) -> int:
    """Return a port that nobody has; direwolf takes none above 49151."""
    while True:
        port = random.randrange(10_000, 32_000)  # noqa: S311 - not for secrets
        with socket.socket(socket.AF_INET, kind) as one, contextlib.suppress(OSError):
            one.bind((HOST, port))
            return port


class Tnc:
    """A direwolf; `port` is the serial port of its KISS."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.audio = free_port(socket.SOCK_DGRAM)
        kiss = free_port(socket.SOCK_STREAM)
        pipe = folder / "played"
        os.mkfifo(pipe)
        self.played = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        (folder / ".asoundrc").write_text(SOUND.format(pipe))
        settings = SETTINGS.format(audio=self.audio, rate=RATE, kiss=kiss)
        (folder / "direwolf.conf").write_text(settings)
        self.log = folder / "log"
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(
                [DIREWOLF, "-t", "0", "-c", "direwolf.conf"],
                cwd=folder,
                env={**os.environ, "HOME": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        try:
            self._kiss = self._connected(kiss)
        except BaseException:
            self._end()
            raise

    def _connected(self, port: int) -> socket.socket:
        end_s = time.monotonic() + START_S
        while True:
            try:
                return socket.create_connection((HOST, port))
            except ConnectionRefusedError:
                if self._process.poll() is not None or time.monotonic() >= end_s:
                    raise AssertionError(self.said) from None
                time.sleep(0.05)

    @property
    def said(self) -> str:
        """What it has printed."""
        return self.log.read_text(errors="replace")

    def carry(self, timeout_s: float) -> None:
        """Pass on what is at the serial port, and what comes by TCP."""
        tcp = self._kiss.fileno()
        ready, _, _ = select.select([self._master, tcp], [], [], timeout_s)
        if self._master in ready:
            self._kiss.sendall(os.read(self._master, 4096))
        if tcp in ready:
            os.write(self._master, self._kiss.recv(4096))

    def close(self) -> None:
        self._kiss.close()
        self._end()

    def _end(self) -> None:
        self._process.terminate()
        self._process.wait()
        for descriptor in (self.played, self._master, self._slave):
            os.close(descriptor)


def play(one: Tnc, other: Tnc, stop: threading.Event) -> None:
    """Let one TNC hear another, which is silent between frames."""
    next_s = time.monotonic()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as audio:
        while not stop.is_set():
            samples = b""
            with contextlib.suppress(BlockingIOError):
                samples = os.read(one.played, BLOCK_SIZE)
            audio.sendto(samples.ljust(BLOCK_SIZE, b"\0"), (HOST, other.audio))
            next_s += BLOCK_S
            time.sleep(max(next_s - time.monotonic(), 0))


def carry(one: Tnc, stop: threading.Event) -> None:
    while not stop.is_set():
        one.carry(0.1)


@contextlib.contextmanager
def two_tncs(folder: Path) -> Iterator[tuple[Tnc, Tnc]]:
    stop = threading.Event()
    with contextlib.ExitStack() as stack:
        both = []
        for name in ("tnc-a", "tnc-b"):
            both.append(Tnc(folder / name))
            stack.callback(both[-1].close)
        one, other = both
        threads = [
            threading.Thread(target=play, args=(one, other, stop)),
            threading.Thread(target=play, args=(other, one, stop)),
            threading.Thread(target=carry, args=(one, stop)),
            threading.Thread(target=carry, args=(other, stop)),
        ]
        for thread in threads:
            thread.start()
            stack.callback(thread.join)
        # Called first: then the threads end, and then the programs.
        stack.callback(stop.set)
        yield one, other
