# SPDX-License-Identifier: Apache-2.0
"""What can happen to the nodes of a conversation: a crash, an old backup, a new key."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from samara.console.conversation import BACKUPS, in_thread
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import ProgramEndedError
from samara.console.stage import ENDS, Act
from samara.link.node.kinds import kind

if TYPE_CHECKING:
    from samara.console.conversation import Conversation


def acts(conversation: Conversation) -> list[Act]:
    """Return what can happen: on the air, and to the nodes, the same for each end."""
    of_nodes = [act for end in ENDS for act in _acts_of(conversation, end)]
    return [*conversation.acts_on_air(), *of_nodes, _new_keys(conversation)]


def _new_keys(conversation: Conversation) -> Act:
    return Act(
        "new-keys",
        "both",
        "New keys for both",
        "Both nodes are stopped, get new keys and counters, and are started again, as"
        " somebody does who holds both.",
        conversation.change_keys_offline,
    )


_Run = Callable[["Conversation", str], Awaitable[str]]


def _acts_of(conversation: Conversation, end: str) -> list[Act]:
    def act(name: str, label: str, text: str, run: _Run) -> Act:
        bound = functools.partial(run, conversation, end)
        return Act(f"{name}-{end}", end, label, text, bound)

    found = [
        act(
            "kill",
            "Kill",
            "The process of the node is killed, as by a loss of power.",
            _kill,
        ),
        act("start", "Start", "The node is started again.", _start),
        act(
            "restore",
            "Restore a backup",
            "The node is stopped, its directory is replaced by a copy from the"
            " beginning of the conversation, and it is started again.",
            _restore,
        ),
    ]
    if kind(conversation.link).networks is not None:
        text = "The node agrees with the other one on a new key, over the air."
        found.append(act("renew", "Change the key", text, _renew))
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
    conversation.stage.check_carries()
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
