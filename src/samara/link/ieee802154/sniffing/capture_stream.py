# SPDX-License-Identifier: Apache-2.0
"""Frames that another program hears, and writes as a capture.

Sniffers such as those of Nordic's dongles are driven by programs that write pcap to a
pipe (Wireshark's extcap). A file that is complete is read to its end.
"""

from __future__ import annotations

import queue
import sys
import threading
import time
from pathlib import Path

from samara.errors import MisuseError
from samara.link.ieee802154.captures.pcap import Reader
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.link.node.link import LinkError
from samara.link.node.sniffing import AirReceiver
from samara.standard_streams import STANDARD_STREAM

PREFIX = "pcap:"
# Frames that wait to be taken; then the program that writes them waits.
_WAITING_MAX = 1024


class CaptureStream(AirReceiver):
    """Hears what a capture has, while it is written.

    Parameters
    ----------
    path
        A pipe, a file, or ``-`` for standard input.

    Raises
    ------
    LinkError
        When there is no such file.
    """

    def __init__(self, path: str) -> None:
        self.name = f"capture {path}"
        self._path = Path(path)
        if self._path != STANDARD_STREAM and not self._path.exists():
            message = f"{path}: no such capture, nor a pipe for one (mkfifo)"
            raise LinkError(message)
        self._frames: queue.Queue[bytes] = queue.Queue(_WAITING_MAX)
        self._error: str | None = None
        self._was_read = threading.Event()
        self._damaged = 0
        # A pipe that nobody writes to blocks whoever opens it.
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """Whether all frames of the capture were received."""
        return self._was_read.is_set() and self._frames.empty()

    def receive(self, timeout_s: float) -> list[bytes]:
        """Wait for frames; return at once when there are some.

        Raises
        ------
        LinkError
            When it is no capture of such frames, or is damaged.
        """
        frames = []
        try:
            if not self._was_read.is_set():
                frames.append(self._frames.get(timeout=timeout_s))
            while True:
                frames.append(self._frames.get_nowait())
        except queue.Empty:
            pass
        if not frames and self.has_ended:
            if self._error is not None:
                message, self._error = self._error, None
                raise LinkError(message)
            time.sleep(timeout_s)
        return frames

    def notices(self) -> list[str]:
        """Return what happened to the capture since the last call."""
        if not self._damaged:
            return []
        count, self._damaged = self._damaged, 0
        return [f"{count} frames of the capture have a wrong check sequence"]

    def close(self) -> None:
        """Do nothing: who reads the capture ends with this program."""

    def _read(self) -> None:
        try:
            if self._path == STANDARD_STREAM:
                self._read_from(Reader(sys.stdin.buffer))
            else:
                with self._path.open("rb") as file:
                    self._read_from(Reader(file))
        except MisuseError as error:
            self._error = f"{self._path}: {error}"
        except OSError as error:
            self._error = f"{self._path}: {error.strerror}"
        self._was_read.set()

    def _read_from(self, capture: Reader) -> None:
        for each in capture:
            if each.has_wrong_fcs:
                self._damaged += 1
            elif each.frame:
                self._frames.put(each.frame + fcs_of(each.frame))
