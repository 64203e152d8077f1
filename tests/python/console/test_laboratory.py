# SPDX-License-Identifier: Apache-2.0
"""What the laboratory of the console refuses before it starts anything."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Any

import nets
import pytest

from samara.console.conversation import RefusedError
from samara.console.laboratory import Laboratory
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def test_without_root_a_sentence_says_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    laboratory = Laboratory(tmp_path)
    assert "sudo samara console" in laboratory.shown().missing
    with pytest.raises(MisuseError, match="needs network namespaces, and so root"):
        asyncio.run(laboratory.start(3, "chain", 0.0))
    assert not laboratory.shown().is_running


def test_nothing_is_sent_or_steered_where_no_network_runs(tmp_path: Path) -> None:
    laboratory = Laboratory(tmp_path)
    with pytest.raises(RefusedError, match="start one first"):
        laboratory.carry("ping", "n1", "n2")
    with pytest.raises(RefusedError, match="start one first"):
        asyncio.run(laboratory.steer("kill", "n1"))


# Who listens has the keys of the newcomer, too.
PATH = {("n4", "n3"), ("n3", "n2"), ("n2", "n1")}
_MORE_PINGS = 20


async def pinged(laboratory: Laboratory) -> bool:
    """Ping once more; tell whether an answer came."""
    with laboratory.history.subscriber() as subscriber:
        laboratory.carry("ping", "n4", "n1")
        while True:
            for event in await subscriber.get():
                if event["type"] == "traffic_ended":
                    return bool(event["succeeded"])


def hops_in(events: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Return between which nodes packets were heard."""
    return {
        (each["source"], each["destination"])
        for each in events
        if each["type"] == "packet"
    }


@pytest.mark.slow
def test_a_node_invites_another_which_is_heard_and_answers(tmp_path: Path) -> None:
    nets.need("ping")

    async def happened() -> list[dict[str, Any]]:
        laboratory = Laboratory(tmp_path)
        await laboratory.start(3, "chain", 0.0)
        try:
            assert "n3 has invited n4" in await laboratory.invite("n3")
            while not await pinged(laboratory):
                pass
            # On a busy machine who listens tells of a packet after it was answered.
            for _ in range(_MORE_PINGS):
                if hops_in(laboratory.history.since(0)) >= PATH:
                    break
                await pinged(laboratory)
            return laboratory.history.since(0)
        finally:
            await laboratory.close()

    events = asyncio.run(happened())
    nodes = {each["node"]: each for each in events if each["type"] == "lab_node"}
    assert nodes["n4"]["neighbours"] == ["n3"]
    assert nodes["n3"]["neighbours"] == ["n2", "n4"]
    assert hops_in(events) >= PATH
