# SPDX-License-Identifier: Apache-2.0
"""What starts and ends the programs of a conversation happens one at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from samara.console import conversation as conversations
from samara.console.actions import possible_actions
from samara.console.conversation import Conversation, RefusedError
from samara.console.plan import Plan
from samara.console.sessions import OPEN_MAX, Sessions, UnknownConversationError

if TYPE_CHECKING:
    from collections.abc import Coroutine
    from pathlib import Path


class Program:
    """A program that says that it is up when it may."""

    def __init__(self, world: World, name: str) -> None:
        self.name, self.is_running = name, True
        self._world = world
        world.programs.append(self)
        world.more.set()

    async def wait_for_words(self, *_: object) -> None:
        await self._world.may_go_on.wait()

    async def end(self) -> None:
        self.is_running = False

    kill = end


class World:
    """All programs and airs that were started."""

    def __init__(self) -> None:
        self.programs: list[Program] = []
        self.may_go_on = asyncio.Event()
        self.may_go_on.set()
        self.more = asyncio.Event()

    async def until_more_than(self, count: int) -> None:
        while len(self.programs) <= count:
            self.more.clear()
            await self.more.wait()

    @property
    def running(self) -> list[str]:
        return [each.name for each in self.programs if each.is_running]

    async def started(self, name: str, *_: object) -> Program:
        return Program(self, name)

    def emulation(self, *_: object) -> Air:
        return Air(self)


class Air:
    """An air without a program of its own, but with one that stands for it."""

    node_options: dict[str, Any] = {}  # noqa: RUF012 - that of one test
    rules: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, world: World) -> None:
        self._world = world
        self._program: Program | None = None

    async def open(self, _: object) -> None:
        self._program = Program(self._world, "air")
        await self._program.wait_for_words()

    def up_options(self, _: str) -> list[str]:
        return []

    def check_carries(self) -> None:
        """Stand for an air that runs."""

    def actions(self) -> list[Any]:
        return []

    async def close(self) -> None:
        if self._program is not None:
            await self._program.end()


def run(monkeypatch: pytest.MonkeyPatch, story: Coroutine[Any, Any, None]) -> None:
    """Let a story happen within a world, which it finds as `world()`."""

    async def whole() -> None:
        made = World()
        monkeypatch.setattr(conversations, "started", made.started)
        monkeypatch.setattr(
            conversations, "emulations", lambda: {"ieee802154": made.emulation}
        )
        monkeypatch.setattr(World, "now", made, raising=False)
        async with asyncio.timeout(60):
            await story

    asyncio.run(whole())


def world() -> World:
    found: World = World.now  # type: ignore[attr-defined]
    return found


def test_one_of_two_starts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        conversation = Conversation(tmp_path, Plan("ieee802154"))
        found = await asyncio.gather(
            conversation.start(), conversation.start(), return_exceptions=True
        )
        assert found[0] is None
        assert isinstance(found[1], RefusedError)
        assert sorted(world().running) == ["air", "left", "right"]
        await conversation.stop()
        assert world().running == []

    run(monkeypatch, story())


@pytest.mark.parametrize("turns", [1, 20, 200])
def test_a_start_ends_when_the_conversation_is_closed(
    turns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        world().may_go_on.clear()
        conversation = Conversation(tmp_path, Plan("ieee802154"))
        starting = asyncio.create_task(conversation.start())
        for _ in range(turns):
            await asyncio.sleep(0.001)
        assert conversation.is_in_use
        await conversation.stop()
        with pytest.raises(RefusedError, match="closed meanwhile"):
            await starting
        assert world().running == []
        assert not conversation.is_in_use

    run(monkeypatch, story())


def test_an_act_ends_when_the_conversation_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        conversation = Conversation(tmp_path, Plan("ieee802154"))
        await conversation.start()
        (renewing,) = [
            action
            for action in possible_actions(conversation)
            if action.name == "new-keys"
        ]
        world().may_go_on.clear()
        acting = asyncio.create_task(conversation.perform(renewing))
        await world().until_more_than(3)
        await conversation.stop()
        with pytest.raises(RefusedError, match="closed meanwhile"):
            await acting
        assert world().running == []

    run(monkeypatch, story())


def test_conversations_that_begin_count_as_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        world().may_go_on.clear()
        sessions = Sessions(tmp_path)
        making = [
            asyncio.create_task(sessions.make(Plan("ieee802154")))
            for _ in range(OPEN_MAX + 1)
        ]
        done, _ = await asyncio.wait(
            making, timeout=60, return_when=asyncio.FIRST_COMPLETED
        )
        assert len(done) == 1
        assert len(sessions.listed()) == OPEN_MAX
        with pytest.raises(RefusedError, match="are open"):
            done.pop().result()
        for each in sessions.listed():
            await sessions.remove(each.name)
        for found in await asyncio.gather(*making, return_exceptions=True):
            assert isinstance(found, (RefusedError, UnknownConversationError))
        assert world().running == []

    run(monkeypatch, story())
    assert list(tmp_path.iterdir()) == [], "keys are left"
