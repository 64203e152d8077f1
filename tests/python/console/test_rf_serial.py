# SPDX-License-Identifier: Apache-2.0
"""What is said of an attack between serial radios is so, with tags and without."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

import pytest

from samara.console.links.rf_serial import RfSerialEmulation
from samara.link.node import folder as folders

if TYPE_CHECKING:
    from pathlib import Path

    from samara.console.air_program import AirProgram


class Air:
    """Takes what the emulation asks of `samara modem`."""

    is_running = True

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    async def start(self, *_: object) -> str:
        return ""

    async def ask(self, **line: Any) -> str:  # noqa: ANN401 - as JSON has
        self.asked.append(line)
        return ""


@pytest.mark.parametrize(
    ("framing", "has_tag"), [("sealed", True), ("plain", False), ("cbc-hex", False)]
)
def test_only_a_framing_with_tags_refuses_what_was_forged(
    framing: str, *, has_tag: bool, tmp_path: Path
) -> None:
    folders.make_pair(
        tmp_path / "left",
        "rf-serial",
        {"framing": framing},
        allow_unauthenticated=True,
        witnesses=tmp_path / "witnesses",
    )
    air = Air()

    async def said() -> dict[str, str]:
        emulation = RfSerialEmulation(tmp_path, lambda _: None)
        emulation.program = cast("AirProgram", air)
        await emulation.start(emulation.program)
        # One packet is a unit without tags; a sealed one has what its header says.
        heard = "0100000000000000000000" + "00" * 13
        emulation.hear(
            {"type": "modem_packet", "sender": "a", "data": heard, "fate": "arrived"}
        )
        actions = {each.name: each.run for each in emulation.attacks()}
        return {name: await actions[name]() for name in ("flip", "wrong-key")}

    found = asyncio.run(said())
    assert len(air.asked) == 2
    for sentence in found.values():
        assert ("No tag in these bytes verifies" in sentence) is has_tag
        assert ("This framing has no tag" in sentence) is not has_tag
    assert ("number 10 higher" in found["wrong-key"]) is has_tag
