# SPDX-License-Identifier: Apache-2.0
"""Archives with the same bytes for the same files, whenever they are made."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import time
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# The first day that a ZIP file can tell.
_EARLIEST_S = 315_532_800
_MODE = 0o644


def packed(files: Mapping[str, bytes], kind: str) -> bytes:
    """Return an archive of files by place: `zip` or `tar.gz`.

    The date of all files is SOURCE_DATE_EPOCH, by default 1980-01-01.
    """
    seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), _EARLIEST_S)
    pack = {"zip": _zip, "tar.gz": _tar_gz}[kind]
    return pack(dict(sorted(files.items())), seconds)


def _tar_gz(files: Mapping[str, bytes], seconds: int) -> bytes:
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for place, text in files.items():
            entry = tarfile.TarInfo(place)
            entry.size, entry.mtime, entry.mode = len(text), seconds, _MODE
            archive.addfile(entry, io.BytesIO(text))
    return gzip.compress(plain.getvalue(), mtime=seconds)


def _zip(files: Mapping[str, bytes], seconds: int) -> bytes:
    packed_bytes = io.BytesIO()
    with zipfile.ZipFile(packed_bytes, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, text in files.items():
            entry = zipfile.ZipInfo(place, time.gmtime(seconds)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            # The same on each system: made on Unix, with these permissions.
            entry.create_system, entry.external_attr = 3, _MODE << 16
            archive.writestr(entry, text)
    return packed_bytes.getvalue()
