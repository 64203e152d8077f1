# SPDX-License-Identifier: Apache-2.0
"""What can be done to the nodes of a conversation: a crash, a backup, a new key."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from samara.console.conversation import BACKUPS, in_thread
from samara.console.emulation import ENDS, Action
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import ProgramEndedError
from samara.link.node.kinds import kind

if TYPE_CHECKING:
    from samara.console.conversation import Conversation


def possible_actions(conversation: Conversation) -> list[Action]:
    """Return what can be done: on the air, and to the nodes, the same for each end."""
    of_nodes = [action for end in ENDS for action in _actions_of(conversation, end)]
    return [*conversation.actions_on_air(), *of_nodes, _new_keys(conversation)]


def _new_keys(conversation: Conversation) -> Action:
    return Action(
        "new-keys",
        "both",
        "New keys for both",
        "Both nodes are stopped, get new keys and counters, and are started again, as"
        " somebody does who holds both.",
        conversation.change_keys_offline,
    )


_Run = Callable[["Conversation", str], Awaitable[str]]


def _actions_of(conversation: Conversation, end: str) -> list[Action]:
    def action(name: str, label: str, text: str, run: _Run) -> Action:
        bound = functools.partial(run, conversation, end)
        return Action(f"{name}-{end}", end, label, text, bound)

    found = [
        action(
            "kill",
            "Kill",
            "The process of the node is killed, as by a loss of power.",
            _kill,
        ),
        action("start", "Start", "The node is started again.", _start),
        action(
            "restore",
            "Restore a backup",
            "The node is stopped, its directory is replaced by a copy from the"
            " beginning of the conversation, and it is started again.",
            _restore,
        ),
    ]
    if kind(conversation.link).networks is not None:
        text = "The node agrees with the other one on a new key, over the air."
        found.append(action("renew", "Change the key", text, _renew))
    return found


async def _kill(conversation: Conversation, end: str) -> str:
    node = conversation.node(end)
    if not node.is_running:
        message = "the node does not run: start it first"
        raise ProgramEndedError(message)
    await node.kill()
    return "The process of the node was killed: it could store nothing more."


async def _start(conversation: Conversation, end: str) -> str:
    await conversation.start_node(end)
    return "The node runs; it uses no counter that it may have used before."


async def _restore(conversation: Conversation, end: str) -> str:
    # Without it a node does not start; its old copy would be blamed.
    conversation.emulation.check_carries()
    await conversation.node(end).end()
    folder = conversation.folder
    await in_thread(
        lambda: shutil.copytree(
            folder / BACKUPS / end, folder / end, dirs_exist_ok=True
        )
    )
    try:
        await conversation.start_node(end)
    except ProgramEndedError as error:
        return f"The node refuses to start from the old copy. {error}"
    return "The node runs with the old copy, which is as new as its last change."


async def _renew(conversation: Conversation, end: str) -> str:
    try:
        async with await NodeSocket.connected(conversation.folder / end) as node:
            answer = await node.ask(type="renew", neighbour=None)
    except NodeEndedError:
        message = "the node does not run: start it first"
        raise ProgramEndedError(message) from None
    if answer["type"] == "failed":
        raise ProgramEndedError(answer["text"])
    return "The nodes agree on a new key; frames name it by the next key index."
