# SPDX-License-Identifier: Apache-2.0
"""Directories of nodes that the command names: shown, started, sent from, ended."""

from __future__ import annotations

import asyncio
import json
import os
import re
from typing import TYPE_CHECKING, Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from links import Running, medium

from samara.console import node_routes
from samara.console.conversation import RefusedError
from samara.console.nodes import ShownNodes, UnknownNodeError
from samara.console.programs import ProgramEndedError
from samara.link.node import folder as folders

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path


@pytest.fixture
def pair(tmp_path: Path) -> list[Path]:
    alice, bob = tmp_path / "alice", tmp_path / "bob"
    witnesses = tmp_path / "witnesses"
    folders.make_pair(alice, "ieee802154", {}, witnesses=witnesses)
    folders.make_second(bob, alice, {}, witnesses)
    return [alice, bob]


def run_story(
    folders: list[Path], story: Callable[[ShownNodes], Awaitable[None]]
) -> None:
    """Run a story with a console's nodes; no process is left of it."""

    async def whole() -> None:
        nodes = ShownNodes(folders)
        try:
            await story(nodes)
        finally:
            await nodes.close()
        for each in await nodes.listed():
            assert not each.is_ours

    asyncio.run(whole())


def test_a_node_is_reported_without_its_key_and_no_node_with_the_reason(
    tmp_path: Path,
) -> None:
    node, nothing = tmp_path / "alice", tmp_path / "nobody"
    folders.make_pair(node, "sdr", {}, witnesses=tmp_path / "witnesses")
    nothing.mkdir()
    app = FastAPI()
    app.include_router(node_routes.routes_of(ShownNodes([node, nothing])))
    with TestClient(app) as client:
        answer = client.get("/api/nodes")
    alice, nobody = answer.json()
    assert (alice["type"], alice["node"], alice["number"]) == (
        "node_shown",
        str(node),
        0,
    )
    assert (alice["status"]["link"], alice["status"]["service"]) == ("sdr", None)
    assert (nobody["status"], nobody["number"]) == (None, 1)
    assert str(nothing) in nobody["reason"]
    keys = json.loads((node / "keys.json").read_bytes())["keys"]
    assert keys
    assert all(key not in answer.text for key in keys.values())


@pytest.mark.slow
def test_nodes_are_started_sent_from_and_ended(
    tmp_path: Path, pair: list[Path]
) -> None:
    async def story(nodes: ShownNodes) -> None:
        with pytest.raises(RefusedError, match="no process keeps alice up"):
            await nodes.send(0, "hello", acknowledged=True)
        for number in (0, 1):
            assert "is up" in await nodes.start(number)
        first, second = await nodes.listed()
        assert first.status is not None
        assert first.status.service is not None
        assert (first.is_ours, second.is_ours) == (True, True)
        # Sent, and acknowledged only once somebody has taken it: nobody listens.
        assert await nodes.send(0, "hello", acknowledged=False) == "Sent."
        with pytest.raises(
            RefusedError, match=f"process {first.status.service.pid} uses alice"
        ):
            await nodes.start(0)
        assert "was killed" in await nodes.end(0, kills=True)
        assert "has ended" in await nodes.end(1)
        assert [each.is_ours for each in await nodes.listed()] == [False, False]
        with pytest.raises(RefusedError, match="ends only what it has started"):
            await nodes.end(0)
        # What was killed starts again.
        assert "is up" in await nodes.start(0)

    with medium(tmp_path) as port:
        set_medium(pair, port)
        run_story(pair, story)


def set_medium(pair: list[Path], port: int) -> None:
    """Let nodes look for the medium at a port."""
    for each in pair:
        place = each / "node.json"
        settings = json.loads(place.read_bytes())
        settings["settings"]["medium"] = f"127.0.0.1:{port}"
        place.write_text(json.dumps(settings))


@pytest.mark.slow
def test_of_two_consoles_one_has_a_node_and_the_other_sends_through_it(
    tmp_path: Path, pair: list[Path]
) -> None:
    async def story(nodes: ShownNodes) -> None:
        other = ShownNodes(pair)
        # Both at once: one of them has it, and the other says so.
        done = await asyncio.gather(
            nodes.start(0), other.start(0), return_exceptions=True
        )
        assert sum(isinstance(each, str) for each in done) == 1
        assert all(
            isinstance(each, (str, RefusedError, ProgramEndedError)) for each in done
        )
        has, has_not = (nodes, other) if isinstance(done[0], str) else (other, nodes)
        assert (await has_not.listed())[0].is_ours is False
        assert await has_not.send(0, "hello", acknowledged=False) == "Sent."
        with pytest.raises(RefusedError, match="has not started alice"):
            await has_not.end(0, kills=True)
        (first, _) = await has.listed()
        assert first.is_ours
        await other.close()

    with medium(tmp_path) as port:
        set_medium(pair, port)
        run_story(pair, story)


def test_a_process_of_somebody_else_is_not_ended(
    tmp_path: Path, pair: list[Path]
) -> None:
    async def story(nodes: ShownNodes) -> None:
        for kills in (False, True):
            with pytest.raises(RefusedError, match="has not started alice"):
                await nodes.end(0, kills=kills)

    with medium(tmp_path) as port:
        set_medium(pair, port)
        with Running(tmp_path, "node", "up", "alice") as process:
            while "is up" not in process.next_message():
                assert process.poll() is None
            run_story(pair, story)
            assert process.poll() is None


def test_a_directory_of_another_user_is_not_touched(pair: list[Path]) -> None:
    if os.geteuid() != 0:
        pytest.skip("NOT TRIED: only root can give a directory to another user")
    alice = pair[0]
    os.chown(alice, 65534, 65534)
    before = sorted((each.name, each.stat().st_mtime_ns) for each in alice.iterdir())

    async def story(nodes: ShownNodes) -> None:
        first, second = await nodes.listed()
        assert first.status is None
        assert re.search("belongs to the user nobody", first.reason)
        assert second.status is not None
        calls: list[Awaitable[Any]] = [
            nodes.start(0),
            nodes.end(0),
            nodes.send(0, "hello", acknowledged=False),
        ]
        for each in calls:
            with pytest.raises(RefusedError, match="belongs to the user nobody"):
                await each

    run_story(pair, story)
    assert before == sorted(
        (each.name, each.stat().st_mtime_ns) for each in alice.iterdir()
    )


def test_what_was_not_given_is_not_there(pair: list[Path]) -> None:
    async def story(nodes: ShownNodes) -> None:
        for number in (2, 999):
            with pytest.raises(UnknownNodeError, match=f"number {number}$"):
                await nodes.start(number)

    run_story(pair, story)
