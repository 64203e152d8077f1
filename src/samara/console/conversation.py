# SPDX-License-Identifier: Apache-2.0
"""A conversation: two nodes on an emulated link, and all that happens there."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from typing import TYPE_CHECKING, Any, Final

from samara.console.happenings import (
    ConversationNote,
    ConversationRefusal,
    MessageArrived,
    MessageSent,
    MessageSpoken,
    ProgramState,
)
from samara.console.history import History
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import Program, ProgramEndedError, started
from samara.console.stage import ENDS, stages
from samara.link.node import folder as folders
from samara.link.node.sending import RETRIES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from samara.console.stage import Act
    from samara.records.fields import Record

TEXT_MAX: Final = 4096
"""Bytes of the longest message that can be typed."""
WAITING_MAX: Final = 20
"""Messages of an end that wait to be sent."""

BACKUPS: Final = "backups"
"""Copies of the directories of the nodes, from the beginning."""

_START_S = 30.0
_AGAIN_S = 0.3
_HISTORY = "history.jsonl"


class RefusedError(Exception):
    """What was asked for cannot be done now; the text says why, and what to do."""


class Conversation:
    """Two nodes and what carries their messages.

    Parameters
    ----------
    folder
        Its directory: that of each node, and the history.
    link
        Kind of link.
    settings
        Options of that kind.
    """

    def __init__(self, folder: Path, link: str, settings: Mapping[str, Any]) -> None:
        self.folder, self.link, self._settings = folder, link, settings
        self.history = History(folder / _HISTORY)
        self._stage = stages()[link](folder, self._tell)
        self._nodes: dict[str, Program] = {}
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._sending: set[asyncio.Task[None]] = set()
        self._waiting = dict.fromkeys(ENDS, 0)
        self._spoken = 0

    async def start(self) -> None:
        """Make the nodes if they are not there, and start everything."""
        if not (self.folder / ENDS[1]).exists():
            await asyncio.to_thread(self._make)
        await self._stage.open(self._tell_end)
        await asyncio.gather(*(self.start_node(end) for end in ENDS))

    def _make(self) -> None:
        first, second = (self.folder / end for end in ENDS)
        witnesses = self.folder / "witnesses"
        given = {**self._stage.node_options, **self._settings}
        try:
            folders.make_pair(
                first, self.link, given, allow_unauthenticated=True, witnesses=witnesses
            )
            folders.make_second(second, first, {}, witnesses)
            # As somebody does who means well.
            for each in (first, second):
                shutil.copytree(each, self.folder / BACKUPS / each.name)
        except BaseException:
            for each in (first, second):
                shutil.rmtree(each, ignore_errors=True)
            raise

    async def start_node(self, end: str) -> None:
        """Start the node of an end, unless it runs, and listen to it.

        Raises
        ------
        ProgramEndedError
            When it does not start; the text has its last words.
        """
        if end in self._nodes and self._nodes[end].is_running:
            return
        options = self._stage.up_options(end)
        folder = self.folder / end
        node = await started(end, ["node", "up", str(folder), *options], self._tell_end)
        self._nodes[end] = node
        try:
            await node.until_said(" is up;", _START_S)
        except ProgramEndedError as error:
            self._tell(ConversationNote(str(error), end, warns=True))
            raise
        self._tell(ProgramState(end, is_running=True, last_words=()))
        self._listening[end] = asyncio.create_task(self._listen(end))
        self._listening[end].add_done_callback(self._tell_defect)

    async def stop(self) -> None:
        """End all programs."""
        tasks = (*self._listening.values(), *self._sending)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(node.end() for node in self._nodes.values()))
        await self._stage.close()

    def acts_on_air(self) -> list[Act]:
        """Return what an attacker, or bad luck, can do on the air."""
        return self._stage.acts()

    def node(self, end: str) -> Program:
        """Return the program of an end, which may have ended."""
        return self._nodes[end]

    def say(self, end: str, text: str, *, acknowledged: bool) -> int:
        """Let a node send a message; return the number of the message.

        Raises
        ------
        RefusedError
            When the message is too long, or too many wait.
        """
        message = text.encode()
        if len(message) > TEXT_MAX:
            problem = f"a message has at most {TEXT_MAX} bytes here, not {len(message)}"
            raise RefusedError(problem)
        if self._waiting[end] >= WAITING_MAX:
            problem = f"{WAITING_MAX} messages of {end} wait to be sent: wait for them"
            raise RefusedError(problem)
        self._spoken += 1
        self._waiting[end] += 1
        self._tell(MessageSpoken(self._spoken, end, text))
        task = asyncio.create_task(
            self._send(self._spoken, end, message, acknowledged=acknowledged)
        )
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)
        task.add_done_callback(self._tell_defect)
        return self._spoken

    async def _send(
        self, number: int, end: str, message: bytes, *, acknowledged: bool
    ) -> None:
        try:
            async with await NodeSocket.connected(self.folder / end) as node:
                answer = await node.ask(
                    type="send",
                    hex=message.hex(),
                    to=None,
                    acknowledged=acknowledged,
                    retries=RETRIES,
                )
        except NodeEndedError:
            sentence = f"The node of {end} does not run: start it, and send again."
            self._tell(MessageSent(number, end, None, sentence, None))
            return
        finally:
            self._waiting[end] -= 1
        self._tell(_sent(number, end, answer, acknowledged=acknowledged))

    async def _listen(self, end: str) -> None:
        """Tell what a node receives, until its process has ended."""
        with contextlib.suppress(NodeEndedError):
            async with await NodeSocket.connected(self.folder / end) as node:
                async for event in node.events():
                    record = _record_of(end, event)
                    if record is not None:
                        self._tell(record)

    def _tell_defect(self, task: asyncio.Task[None]) -> None:
        """Let nobody wait for what a defect of the console has ended."""
        if not task.cancelled() and (error := task.exception()) is not None:
            sentence = f"This is a defect of the console: {error!r}."
            self._tell(ConversationNote(sentence, "", warns=True))

    def _tell(self, record: Record) -> None:
        self.history.add(record)

    def _tell_end(self, program: Program) -> None:
        self._tell(
            ProgramState(
                program.name, is_running=False, last_words=tuple(program.last_words)
            )
        )


def _sent(
    number: int, end: str, answer: Mapping[str, Any], *, acknowledged: bool
) -> MessageSent:
    if answer["type"] == "sent":
        delivered = bool(answer["acknowledged"]) if acknowledged else None
        sentence = "Acknowledged." if delivered else "Sent."
        return MessageSent(number, end, delivered, sentence, answer["receipt"])
    return MessageSent(
        number, end, delivered=False, sentence=answer["text"], receipt=None
    )


def _record_of(end: str, event: Mapping[str, Any]) -> Record | None:
    match event["type"]:
        case "received":
            text = bytes.fromhex(event["hex"]).decode(errors="replace")
            return MessageArrived(end, text, event["repeated"], event["receipt"])
        case "refused":
            return ConversationRefusal(end, event["kind"], event["reason"])
        case "notice":
            return ConversationNote(event["text"], end, warns=False)
        case "lost":
            return ConversationNote(
                f"{event['count']} transmissions were lost.", end, warns=False
            )
    return None
