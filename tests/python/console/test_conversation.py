# SPDX-License-Identifier: Apache-2.0
"""Two real nodes on a real medium: what happens to them is told as it happens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from samara.console.actions import possible_actions
from samara.console.conversation import (
    TEXT_MAX,
    WAITING_MAX,
    Conversation,
    RefusedError,
)
from samara.console.emulation import emulations
from samara.console.plan import Plan
from samara.console.programs import ProgramEndedError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

_LONGEST_S = 60.0


def converse(
    folder: Path, story: Callable[[Conversation], Awaitable[None]]
) -> list[dict[str, Any]]:
    """Let a story happen between two nodes; return all events."""

    async def whole() -> list[dict[str, Any]]:
        conversation = Conversation(folder, Plan("ieee802154"))
        try:
            async with asyncio.timeout(_LONGEST_S):
                await conversation.start()
                await story(conversation)
        finally:
            await conversation.stop()
        return conversation.history.since(0)

    return asyncio.run(whole())


async def until(conversation: Conversation, **wanted: object) -> dict[str, Any]:
    """Wait for an event with these values, and return it."""
    while True:
        for event in conversation.history.since(0):
            shown = {**event, "index": _index(event)}
            if all(shown.get(name) == value for name, value in wanted.items()):
                return event
        await asyncio.sleep(0.02)


async def perform(conversation: Conversation, name: str) -> str:
    (action,) = [each for each in possible_actions(conversation) if each.name == name]
    return await conversation.perform(action)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("loss", -0.05, "loss is one of 0, 0.05, 0.1, 0.15, .*, 0.95, not -0.05$"),
        ("loss", 1.0, ", 0.95, not 1$"),
        ("delay", 2.1, "delay is one of 0, 0.1, .*, 2, not 2.1$"),
        ("nope", 1.0, "there is no setting 'nope': expected one of loss, delay$"),
    ],
)
def test_what_a_setting_does_not_take_is_told_with_its_values(
    name: str, value: float, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = Conversation(tmp_path, Plan("ieee802154"))
    emulation = emulations()["ieee802154"](tmp_path, conversation.tell)
    monkeypatch.setattr(Conversation, "emulation", emulation)
    with pytest.raises(RefusedError, match=words):
        asyncio.run(conversation.change_setting(name, value))


@pytest.mark.slow
def test_a_message_is_spoken_heard_taken_and_acknowledged(tmp_path: Path) -> None:
    async def story(conversation: Conversation) -> None:
        conversation.say("left", "21.5 °C", acknowledged=True)
        sent = await until(conversation, type="message_sent")
        assert sent["delivered"] is True
        assert sent["receipt"]["link"] == "ieee802154"

    events = converse(tmp_path, story)
    kinds = [each["type"] for each in events if each["type"] != "program_state"]
    assert kinds == [
        "message_spoken",
        "frame_heard",
        "message_arrived",
        "frame_heard",
        "message_sent",
    ]
    assert [each["number"] for each in events] == list(range(1, len(events) + 1))
    spoken, first, arrived, answer, _ = [
        each for each in events if each["type"] != "program_state"
    ]
    assert (arrived["end"], arrived["text"]) == ("right", spoken["text"])
    assert (first["sender"], answer["sender"]) == ("left", "right")
    assert b"21.5".hex() not in first["data"], "the message is readable"
    # Its bytes are all there, once, in order.
    ends = [part["start"] + part["size"] for part in first["parts"]]
    assert [part["start"] for part in first["parts"]] == [0, *ends[:-1]]
    assert ends[-1] == len(bytes.fromhex(first["data"]))
    assert [part["purpose"] for part in first["parts"]] == [
        "header",
        "security header",
        "encrypted",
        "tag",
        "check",
    ]


@pytest.mark.slow
def test_what_an_attacker_sends_is_refused_with_its_kind(tmp_path: Path) -> None:
    async def story(conversation: Conversation) -> None:
        with pytest.raises(ProgramEndedError, match="send a message first"):
            await perform(conversation, "replay")
        conversation.say("left", "one", acknowledged=False)
        await until(conversation, type="message_arrived")
        await perform(conversation, "replay")
        await until(
            conversation, type="conversation_refusal", kind="replay", end="right"
        )
        await perform(conversation, "flip")
        await until(
            conversation, type="conversation_refusal", kind="not genuine", end="right"
        )

    events = converse(tmp_path, story)
    assert sum(each["type"] == "message_arrived" for each in events) == 1
    attacker = [each for each in events if each.get("sender") == "attacker"]
    assert len(attacker) == 2
    heard = [each for each in events if each["type"] == "frame_heard"]
    assert attacker[0]["data"] == heard[0]["data"], "a replay is not byte for byte"


@pytest.mark.slow
def test_a_message_under_another_key_is_refused(tmp_path: Path) -> None:
    async def story(conversation: Conversation) -> None:
        conversation.say("left", "one", acknowledged=False)
        await until(conversation, type="message_arrived")
        await perform(conversation, "wrong-key")
        await until(
            conversation, type="conversation_refusal", kind="not genuine", end="right"
        )

    converse(tmp_path, story)


@pytest.mark.slow
def test_a_killed_node_goes_on_and_an_old_copy_is_refused(tmp_path: Path) -> None:
    async def story(conversation: Conversation) -> None:
        conversation.say("left", "one", acknowledged=True)
        await until(conversation, type="message_sent", message=1)
        await perform(conversation, "kill-left")
        await until(conversation, type="program_state", name="left", is_running=False)
        with pytest.raises(ProgramEndedError, match="does not run"):
            await perform(conversation, "kill-left")
        conversation.say("left", "two", acknowledged=True)
        lost = await until(conversation, type="message_sent", message=2)
        assert "start it" in lost["sentence"]
        await perform(conversation, "start-left")
        conversation.say("left", "three", acknowledged=True)
        sent = await until(conversation, type="message_sent", message=3)
        assert sent["delivered"] is True
        sentence = await perform(conversation, "restore-right")
        assert "restored from a backup" in sentence

    events = converse(tmp_path, story)
    data = [each["data"] for each in events if each.get("sender") == "left"]
    assert len(set(data)) == len(data), "a frame was sent twice"
    texts = [each["text"] for each in events if each["type"] == "message_arrived"]
    assert texts == ["one", "three"]


@pytest.mark.slow
@pytest.mark.parametrize("action", ["new-keys", "restore-right"])
def test_nothing_that_starts_nodes_anew_happens_without_the_air(
    tmp_path: Path, action: str
) -> None:
    async def story(conversation: Conversation) -> None:
        keys = conversation.keys()
        await perform(conversation, "kill-air")
        with pytest.raises(ProgramEndedError, match="medium does not run: start it"):
            await perform(conversation, action)
        assert all(conversation.node(end).is_running for end in ("left", "right"))
        assert conversation.keys() == keys
        await perform(conversation, "start-air")
        # Until the nodes have found the medium again, messages may be lost.
        delivered = None
        while not delivered:
            number = conversation.say("left", "one", acknowledged=True)
            sent = await until(conversation, type="message_sent", message=number)
            delivered = sent["delivered"]

    converse(tmp_path, story)


@pytest.mark.slow
def test_a_new_key_has_another_index(tmp_path: Path) -> None:
    async def story(conversation: Conversation) -> None:
        await perform(conversation, "renew-left")
        await until(conversation, sender="right", index="2")

    events = converse(tmp_path, story)
    assert {_index(each) for each in events} == {None, "1", "2"}


def _index(event: dict[str, Any]) -> str | None:
    """Return the key index of a frame; None of what has none."""
    fields = event.get("fields", ())
    return next((each["value"] for each in fields if each["name"] == "key index"), None)


def test_messages_are_bounded(tmp_path: Path) -> None:
    async def story() -> None:
        conversation = Conversation(tmp_path, Plan("ieee802154"))
        with pytest.raises(RefusedError, match=f"at most {TEXT_MAX} bytes"):
            conversation.say("left", "x" * (TEXT_MAX + 1), acknowledged=True)
        # No node runs yet: all wait until the loop gets to them.
        for _ in range(WAITING_MAX):
            conversation.say("left", "x" * TEXT_MAX, acknowledged=True)
        with pytest.raises(RefusedError, match="wait for them"):
            conversation.say("left", "x", acknowledged=True)
        conversation.say("right", "x", acknowledged=True)
        await conversation.stop()

    asyncio.run(story())
