# SPDX-License-Identifier: Apache-2.0
"""What can be chosen for a conversation is what its kind of link takes."""

from __future__ import annotations

import asyncio
import stat
from typing import TYPE_CHECKING, Any

import pytest

from samara.console.conversation import Conversation, RefusedError
from samara.console.plan import FILE, Plan, chosen_options, links_offered
from samara.console.sessions import OPEN_MAX, Sessions
from samara.errors import MisuseError
from samara.link.node.kinds import kind, kinds

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_what_one_console_has_open_no_other_starts_or_deletes(tmp_path: Path) -> None:
    async def story() -> None:
        mine = Sessions(tmp_path)
        name = await mine.make(Plan("ieee802154"))
        other = Sessions(tmp_path)
        kept = sorted(each.name for each in (tmp_path / name).iterdir())
        for asked in (other.start, other.remove):
            with pytest.raises(RefusedError, match="another console has"):
                await asked(name)
        assert sorted(each.name for each in (tmp_path / name).iterdir()) == kept
        await mine.close(name)
        await other.start(name)
        with pytest.raises(RefusedError, match="another console has"):
            await mine.start(name)
        await other.remove(name)

    asyncio.run(story())
    assert not list(tmp_path.iterdir())


def test_each_kind_of_link_is_offered_with_its_own_options() -> None:
    offered = {each.link: each for each in links_offered()}
    assert set(offered) == set(kinds())
    for name, link in offered.items():
        options = {each.name: each for each in chosen_options(kind(name))}
        assert [each.name for each in link.options] == list(options)
        for each in link.options:
            assert each.help == options[each.name].help
            for value in each.values:
                converted: Any = value if each.kind == "text" else int(value)
                assert options[each.name].problem(converted) is None
    levels = next(o for o in offered["ieee802154"].options if o.name == "level")
    assert levels.values == tuple("01234567")
    assert levels.default == "5"
    sizes = next(o for o in offered["sdr"].options if o.name == "frame_size")
    assert (sizes.values, sizes.lowest, sizes.highest) == ((), 48, 1020)


@pytest.mark.parametrize(
    ("link", "options", "device", "problem"),
    [
        ("carrier pigeon", {}, "", "does not show 'carrier pigeon'"),
        ("ieee802154", {"port": "x"}, "", "takes no 'port'"),
        ("ieee802154", {"level": 9}, "", "--level"),
        ("rf-serial", {"suite": "none"}, "", "none"),
        ("sdr", {}, "abacus", "abacus"),
    ],
)
def test_what_is_not_possible_is_refused(
    link: str, options: dict[str, Any], device: str, problem: str
) -> None:
    with pytest.raises(MisuseError, match=problem):
        Plan(link, options, device)


def test_a_plan_is_kept_and_says_what_is_not_protected(tmp_path: Path) -> None:
    plan = Plan("ieee802154", {"level": 1}, "atmega328p")
    plan.write(tmp_path)
    assert Plan.read(tmp_path) == plan
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert plan.in_words() == "level 1"
    assert Plan("ieee802154", {"level": 5}).warning() == ""
    assert "does not authenticate" in Plan("ieee802154", {"level": 0}).warning()
    (tmp_path / FILE).write_text("{")
    assert Plan.read(tmp_path) is None


def test_earlier_conversations_are_listed_and_few_are_open(tmp_path: Path) -> None:
    for number in range(OPEN_MAX + 1):
        folder = tmp_path / f"{number:08x}"
        folder.mkdir()
        Plan("sdr", begun_s=number).write(folder)
    (tmp_path / "elsewhere").mkdir()
    sessions = Sessions(tmp_path)
    listed = sessions.listed()
    assert [each.begun_s for each in listed] == list(reversed(range(OPEN_MAX + 1)))
    assert not any(each.is_open for each in listed)
    first, *others = listed
    for each in others:
        sessions.named(each.name).is_open = True
    with pytest.raises(RefusedError, match="close one first"):
        _run(sessions.start(first.name))
    _run(sessions.remove(first.name))
    assert not (tmp_path / first.name).exists()


def test_a_conversation_that_is_not_open_says_so(tmp_path: Path) -> None:
    conversation = Conversation(tmp_path, Plan("sdr"))
    with pytest.raises(RefusedError, match="start it first"):
        conversation.actions_on_air()


def _run(work: Any) -> None:  # noqa: ANN401 - a coroutine
    asyncio.run(work)
