# SPDX-License-Identifier: Apache-2.0
"""Files that are written while the air is heard: a capture, and what opens it."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from samara.atomic_files import MODE_OF_OWNER, naming
from samara.errors import MisuseError
from samara.net import wireshark
from samara.net.wireshark import Profile
from samara.standard_streams import STANDARD_STREAM, refuse_screen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv6Network
    from pathlib import Path

    from samara.link.node.sniffing import CaptureWriter, Sniffer, Sniffing

PCAPNG = ".pcapng"
_FOLDER = ".wireshark"


@dataclass(frozen=True, slots=True)
class CaptureFiles:
    """The files that are to be written."""

    output: Path | None
    profile: Path | None = None
    """The directory for Wireshark. Default: beside a pcapng file."""
    force: bool = False
    """Whether files that are there are replaced."""

    @property
    def is_stdout(self) -> bool:
        """Whether the capture goes to stdout, so that nothing else may."""
        return self.output == STANDARD_STREAM

    @property
    def is_pcapng(self) -> bool:
        """Whether the capture is a pcapng file."""
        return self.output is not None and self.output.suffix == PCAPNG

    @property
    def folder(self) -> Path | None:
        """The directory for Wireshark, if there is to be one."""
        if self.profile is None and self.output is not None and self.is_pcapng:
            return self.output.with_name(self.output.name + _FOLDER)
        return self.profile

    def check(self) -> None:
        """Refuse what cannot be written, before anything is.

        Raises
        ------
        MisuseError
            When something would be replaced, the capture ends up on a screen, or the
            directory for Wireshark has other files.
        """
        if self.output is not None:
            refuse_screen(self.output)
        if self.folder is not None:
            wireshark.check_folder(self.folder)
        for path in (self.output, self.folder):
            if path is None or path == STANDARD_STREAM or self.force:
                continue
            # A named pipe is there to be written to.
            if path.is_file() or (path.is_dir() and any(path.iterdir())):
                message = f"{path} exists; give --force to replace it"
                raise MisuseError(message)


class Capture:
    """What is written while the air is heard."""

    def __init__(
        self,
        writer: CaptureWriter | None,
        profile: Profile | None,
        sniffer: Sniffer,
    ) -> None:
        self._writer, self._profile, self._sniffer = writer, profile, sniffer
        self._keys = 0
        self.put_keys()

    def put(self, frame: bytes) -> None:
        """Add a frame as it is on the air."""
        if self._writer is not None:
            self._writer.write(frame, time.time_ns())

    def put_keys(self) -> None:
        """Write the keys for Wireshark if there are new ones."""
        if self._profile is not None and self._sniffer.key_count != self._keys:
            self._profile.write(self._sniffer)
            self._keys = self._sniffer.key_count


@contextlib.contextmanager
def capturing(
    wanted: CaptureFiles,
    sniffing: Sniffing,
    sniffer: Sniffer,
    prefix: IPv6Network,
    interface: str,
) -> Iterator[Capture]:
    """Open the files.

    Parameters
    ----------
    interface
        What a pcapng file calls where the frames are from.
    """
    folder = wanted.folder
    if folder is not None:
        # Refuses what Wireshark cannot open, before anything is written.
        sniffer.wireshark_tables()
    with _opened(wanted) as file:
        profile = None if folder is None else Profile(folder, prefix)
        writer = None
        if file is not None:
            writer = sniffing.writer(file, interface if wanted.is_pcapng else None)
        yield Capture(writer, profile, sniffer)


@contextlib.contextmanager
def _opened(wanted: CaptureFiles) -> Iterator[IO[bytes] | None]:
    # Written in place, so that it can be read meanwhile.
    path = wanted.output
    if path is None:
        yield None
    elif wanted.is_stdout:
        yield sys.stdout.buffer
    elif path.exists() and not path.is_file():
        with naming(path), path.open("wb") as file:
            yield file
    else:
        if wanted.force:
            path.unlink(missing_ok=True)
        # Exclusively: an older file could be readable for others.
        flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
        made = os.fdopen(os.open(path, flags, MODE_OF_OWNER), "wb")
        with naming(path), made as file:
            yield file
