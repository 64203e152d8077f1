# SPDX-License-Identifier: Apache-2.0
"""What the attacker sends over IEEE 802.15.4 up to the last frame counter."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from frame_cases import KEY, KEY_IDS, A, data_frame

from samara.console.links.ieee802154 import Ieee802154Emulation
from samara.console.programs import ProgramEndedError
from samara.link.ieee802154.frames.frame import SecurityHeader, parse
from samara.link.ieee802154.frames.tools import COUNTER_END, FrameKey, protected

if TYPE_CHECKING:
    from pathlib import Path


class Radio:
    """Stands for the radio of the attacker."""

    def __init__(self, last_data: bytes) -> None:
        self.last_data = last_data
        self.sent: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)


def emulation_after(folder: Path, counter: int) -> tuple[Any, Radio]:
    """Return the emulation when a frame with a counter was the last one."""
    header = SecurityHeader(5, KEY_IDS[1], counter)
    frame = protected(data_frame(0), header, FrameKey(KEY, KEY_IDS[1]), A)
    emulation: Any = Ieee802154Emulation(folder, lambda _: None)
    radio = Radio(frame)
    found = {"_radio": radio, "_names": {A.hex(): "left"}, "_extended": {"left": A}}
    for each, value in found.items():
        setattr(emulation, each, value)
    return emulation, radio


@pytest.mark.parametrize(("name", "steps"), [("_flip", 1), ("_wrong_key", 10)])
def test_an_attack_has_a_later_counter_or_a_sentence(
    tmp_path: Path, name: str, steps: int
) -> None:
    last = COUNTER_END - 1
    for counter in (0, last - steps):
        emulation, radio = emulation_after(tmp_path, counter)
        assert "The attacker sent" in asyncio.run(getattr(emulation, name)())
        header = parse(radio.sent[0]).security
        assert header is not None
        assert header.counter == counter + steps
    for counter in (last - steps + 1, last):
        emulation, radio = emulation_after(tmp_path, counter)
        with pytest.raises(ProgramEndedError, match=f"is {counter:,}.*change the key"):
            asyncio.run(getattr(emulation, name)())
        assert not radio.sent
