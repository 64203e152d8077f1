# SPDX-License-Identifier: Apache-2.0
"""What a medium counts of the packets it is given."""

from __future__ import annotations

import socket
import threading
import time
from typing import TYPE_CHECKING

import pytest

from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.frames.fcs import fcs_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FRAME = bytes.fromhex("02006a")
RIGHT, WRONG = FRAME + fcs_of(FRAME), FRAME + bytes(2)
AT_ONCE = Conditions(paced=False)
_TIMEOUT_S = 60


@pytest.fixture
def medium() -> Iterator[Medium]:
    """Run a medium that passes everything on at once."""
    over = threading.Event()
    with Medium("127.0.0.1", 0, AT_ONCE) as one:
        thread = threading.Thread(target=one.run, args=(over.is_set,))
        thread.start()
        try:
            yield one
        finally:
            over.set()
            thread.join(_TIMEOUT_S)


@pytest.mark.parametrize(
    ("psdu", "has_fcs", "wrong"),
    [
        (RIGHT, True, 0),
        (WRONG, True, 1),
        # A sniffer put its own two bytes there.
        (WRONG, False, 0),
        (RIGHT, False, 0),
    ],
)
def test_wrong_check_sequences_are_counted(
    psdu: bytes,
    has_fcs: bool,  # noqa: FBT001 - pytest gives it
    wrong: int,
    medium: Medium,
) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as node:
        datagram = zep.build(zep.Data(psdu, 1, has_fcs=has_fcs))
        for number in range(1, 4):
            node.sendto(datagram, ("127.0.0.1", medium.port))
            end_s = time.monotonic() + _TIMEOUT_S
            while medium.statistics.frame_bytes < number * len(psdu):
                assert time.monotonic() < end_s
                time.sleep(0.001)
            assert medium.statistics.wrong_fcs == number * wrong
            assert medium.statistics.frames == number
