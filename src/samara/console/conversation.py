# SPDX-License-Identifier: Apache-2.0
"""A conversation: two nodes on an emulated link, and all that happens there."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from typing import TYPE_CHECKING, Any, Final, TypeVar

from samara.console import receipts
from samara.console.conversation_records import (
    ConversationNote,
    MessageArrived,
    MessageSent,
    MessageSpoken,
    ProgramState,
)
from samara.console.emulation import ENDS, emulations
from samara.console.history import History
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import Program, started
from samara.console.refusals import Refusals
from samara.link.node import folder as folders
from samara.link.node import rekeying
from samara.link.node.kinds import kind
from samara.link.node.sending import RETRIES
from samara.locks import PathLock

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from pathlib import Path

    from samara.console.emulation import Action, AirSetting, Emulation
    from samara.console.plan import Plan
    from samara.records.fields import Record

TEXT_MAX: Final = 4096
"""Bytes of the longest message that can be typed."""
WAITING_MAX: Final = 20
"""Messages of an end that wait to be sent."""

BACKUPS: Final = "backups"
"""Copies of the directories of the nodes, from the beginning."""

_START_S = 30.0
_HISTORY = "history.jsonl"
_WITNESSES = "witnesses"
_LOOKS_S = (0.3, 0.7, 2.0)
"""When the nodes are asked what they have refused, after something has happened."""


_Result = TypeVar("_Result")


class RefusedError(Exception):
    """What was asked for cannot be done now; the text says why, and what to do."""


class Conversation:
    """Two nodes and what carries their messages.

    Parameters
    ----------
    folder
        Its directory: that of each node, and the history.
    plan
        What was chosen for it.
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder, self.plan = folder, plan
        self.history = History(folder / _HISTORY)
        self.is_open = False
        self._emulation: Emulation | None = None
        self._nodes: dict[str, Program] = {}
        self._refusals: dict[str, Refusals] = {}
        self._listening: dict[str, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting = dict.fromkeys(ENDS, 0)
        self._spoken = self.history.highest("message")
        self._reserved: PathLock | None = None
        self._turn = asyncio.Lock()
        self._doing: asyncio.Task[Any] | None = None

    @property
    def is_in_use(self) -> bool:
        """Whether it has programs: it is open, is being opened, or is being closed."""
        return self.is_open or self._turn.locked()

    @property
    def link(self) -> str:
        """The kind of link."""
        return self.plan.link

    @property
    def emulation(self) -> Emulation:
        """What emulates the air.

        Raises
        ------
        RefusedError
            When the conversation is not open.
        """
        if self._emulation is None:
            message = "the conversation is not open: start it first"
            raise RefusedError(message)
        return self._emulation

    async def start(self) -> None:
        """Make the nodes if they are not there, and start everything.

        Raises
        ------
        RefusedError
            When that is being done already, or it is closed meanwhile.
        """
        await self._alone(self._start())

    def reserve(self) -> None:
        """Keep other consoles from starting and deleting it, until `release`.

        Raises
        ------
        RefusedError
            When another console has it open.
        """
        try:
            self._reserved = self._reserved or PathLock(self.folder)
        except BlockingIOError:
            message = "another console has this conversation open: close it there first"
            raise RefusedError(message) from None

    def release(self) -> None:
        """Let other consoles have it."""
        if self._reserved is not None:
            self._reserved.close()
        self._reserved = None

    async def _start(self) -> None:
        if self.is_open:
            return
        self.reserve()
        self._emulation = emulations()[self.link](self.folder, self.tell)
        try:
            if not (self.folder / ENDS[1]).exists():
                await in_thread(self._make)
            await self._emulation.open(self._tell_end)
            await asyncio.gather(*(self.start_node(end) for end in ENDS))
        except BaseException:
            await self._stop()
            raise
        self.is_open = True

    async def _alone(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Do what starts and ends programs, and nothing else of this kind meanwhile.

        Raises
        ------
        RefusedError
            When something else is being done, or `stop` ended it.
        """
        if self._turn.locked():
            work.close()
            message = "something else is happening: wait until it has"
            raise RefusedError(message)
        async with self._turn:
            self._doing = doing = asyncio.create_task(work)
            try:
                await asyncio.wait({doing})
            except asyncio.CancelledError:
                doing.cancel()
                await asyncio.wait({doing})
                raise
        if doing.cancelled():
            message = "the conversation was closed meanwhile"
            raise RefusedError(message)
        return doing.result()

    def _make(self) -> None:
        first, second = (self.folder / end for end in ENDS)
        witnesses = self.folder / _WITNESSES
        given = {**self.emulation.node_options, **self.plan.options}
        try:
            folders.make_pair(
                first, self.link, given, allow_unauthenticated=True, witnesses=witnesses
            )
            folders.make_second(second, first, {}, witnesses)
            self._back_up()
        except BaseException:
            for each in (first, second):
                shutil.rmtree(each, ignore_errors=True)
            raise
        self.plan.write(self.folder)

    def _back_up(self) -> None:
        # As somebody does who means well.
        for end in ENDS:
            backup = self.folder / BACKUPS / end
            shutil.rmtree(backup, ignore_errors=True)
            shutil.copytree(self.folder / end, backup, ignore=_no_sockets)

    async def start_node(self, end: str) -> None:
        """Start the node of an end, unless it runs, and listen to it.

        Raises
        ------
        ProgramEndedError
            When it does not start; the text has its last words.
        """
        if end in self._nodes and self._nodes[end].is_running:
            return
        options = self.emulation.up_options(end)
        folder = self.folder / end
        node = await started(end, ["node", "up", str(folder), *options], self._tell_end)
        self._nodes[end] = node
        await node.wait_for_words(" is up;", _START_S)
        self.tell(ProgramState(end, is_running=True, last_words=()))
        self._refusals[end] = Refusals(end, self.emulation.rules)
        self._listening[end] = asyncio.create_task(self._listen(end))
        self._listening[end].add_done_callback(self._tell_defect)

    async def stop(self) -> None:
        """End all programs, and what is being done with them."""
        if self._doing is not None:
            self._doing.cancel()
        async with self._turn:
            await self._stop()

    async def _stop(self) -> None:
        was_open, self.is_open = self.is_open, False
        tasks = (*self._listening.values(), *self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(node.end() for node in self._nodes.values()))
        if self._emulation is not None:
            await self._emulation.close()
        self._emulation = None
        self.release()
        if was_open:
            for name in ENDS:
                self.tell(ProgramState(name, is_running=False, last_words=()))

    def actions_on_air(self) -> list[Action]:
        """Return what an attacker, or bad luck, can do on the air."""
        return self.emulation.actions()

    def node(self, end: str) -> Program:
        """Return the program of an end, which may have ended."""
        return self._nodes[end]

    async def perform(self, action: Action) -> str:
        """Do something, one at a time; return a sentence that says what was done.

        Raises
        ------
        RefusedError
            When something else is happening.
        """
        sentence = await self._alone(_done(action))
        self.tell(ConversationNote(sentence, _end_of(action.group), warns=False))
        self._start_task(self._look_for_refusals())
        return sentence

    def air_settings(self) -> list[tuple[AirSetting, float]]:
        """Return what can be changed of the air, each with its value."""
        emulation = self.emulation
        return [
            (each, emulation.setting_values[each.name])
            for each in emulation.air_settings
        ]

    async def change_setting(self, name: str, value: float) -> str:
        """Give a setting another value; return a sentence that says what was done.

        Raises
        ------
        RefusedError
            When there is no such setting or value, or something else is happening.
        """
        known = {each.name: each for each in self.emulation.air_settings}
        if (setting := known.get(name)) is None:
            names = ", ".join(known)
            message = f"there is no setting {name!r:.40}: expected one of {names}"
            raise RefusedError(message)
        if value not in setting.values:
            values = ", ".join(f"{each:g}" for each in setting.values)
            message = f"{name} is one of {values}, not {value:g}"
            raise RefusedError(message)
        sentence = await self._alone(self._changed_setting(setting, value))
        self.tell(ConversationNote(sentence, "", warns=False))
        return sentence

    async def _changed_setting(self, setting: AirSetting, value: float) -> str:
        sentence = await self.emulation.change_setting(setting.name, value)
        if setting.restarts:
            await self._restart_nodes()
        return sentence

    async def _restart_nodes(self) -> None:
        running = [end for end in ENDS if self._nodes[end].is_running]
        await asyncio.gather(*(self._nodes[end].end() for end in running))
        await asyncio.gather(*(self.start_node(end) for end in running))

    async def change_keys_offline(self) -> str:
        """Give both nodes new keys while they do not run, and start them again.

        Raises
        ------
        ProgramEndedError
            When what emulates the air does not run: no node would start.
        """
        self.emulation.check_carries()
        first, second = (self.folder / end for end in ENDS)
        await asyncio.gather(*(self._nodes[end].end() for end in ENDS))

        def change() -> None:
            rekeying.rekey(first)
            shutil.rmtree(second)
            folders.make_second(second, first, {}, self.folder / _WITNESSES)
            self._back_up()

        await in_thread(change)
        await asyncio.gather(*(self.start_node(end) for end in ENDS))
        return (
            "Both nodes have new keys, which were drawn while they did not run; their"
            " counters begin at zero again, and what was sent before is worthless."
        )

    def keys(self) -> list[str]:
        """Return the keys, each with its name, as hex digits."""
        found = folders.read(self.folder / ENDS[0]).end.keys
        shown = [f"{name}: {key.hex()}" for name, key in found.items()]
        sniffing = kind(self.link).sniffing
        if not shown and sniffing is not None:
            sniffer = sniffing.sniffer([self.folder / end for end in ENDS])
            shown = list(sniffer.wireshark_tables()[sniffing.wireshark_keys])
        return shown

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
        if self._emulation is not None:
            self._emulation.spoken(text)
        self._spoken += 1
        self._waiting[end] += 1
        self.tell(MessageSpoken(self._spoken, end, text))
        self._start_task(
            self._send(self._spoken, end, message, acknowledged=acknowledged)
        )
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
            self.tell(MessageSent(number, end, None, sentence, None))
            return
        finally:
            self._waiting[end] -= 1
        receipt = await self._costed(answer.get("receipt"))
        self.tell(_sent(number, end, answer, receipt, acknowledged=acknowledged))

    async def _costed(self, receipt: Mapping[str, Any] | None) -> dict[str, Any] | None:
        return await asyncio.to_thread(receipts.costed, receipt, self.plan.device)

    async def _listen(self, end: str) -> None:
        """Tell what a node receives, until its process has ended."""
        with contextlib.suppress(NodeEndedError):
            async with await NodeSocket.connected(self.folder / end) as node:
                async for event in node.events():
                    if event["type"] == "refused":
                        for refusal in self._refusals[end].reported(event):
                            self.tell(refusal)
                        continue
                    record = _record_of(end, event)
                    if record is not None:
                        self.tell(record)

    async def _look_for_refusals(self) -> None:
        """Ask the nodes, soon and a little later, what they have refused."""
        for wait_s in _LOOKS_S:
            await asyncio.sleep(wait_s)
            for end in ENDS:
                with contextlib.suppress(NodeEndedError, KeyError):
                    async with await NodeSocket.connected(self.folder / end) as node:
                        status = await node.ask(type="status")
                    counts = status["security"]["counts"]
                    for refusal in self._refusals[end].counted(counts):
                        self.tell(refusal)

    def _start_task(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._tell_defect)

    def _tell_defect(self, task: asyncio.Task[None]) -> None:
        """Let nobody wait for what a defect of the console has ended."""
        if not task.cancelled() and (error := task.exception()) is not None:
            sentence = f"This is a defect of the console: {error!r}."
            self.tell(ConversationNote(sentence, "", warns=True))

    def tell(self, record: Record) -> None:
        """Keep a record of what happened, and show it to all who look on."""
        self.history.add(record)

    def _tell_end(self, program: Program) -> None:
        self.tell(
            ProgramState(
                program.name, is_running=False, last_words=tuple(program.last_words)
            )
        )


async def in_thread(work: Callable[[], object]) -> None:
    """Do something that waits for the disk; when cancelled, wait for its end.

    A thread cannot be stopped: it would write keys to a directory that was deleted.
    """
    doing = asyncio.create_task(asyncio.to_thread(work))
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait({doing})
        raise


async def _done(action: Action) -> str:
    return await action.run()


def _no_sockets(folder: str, names: list[str]) -> list[str]:
    """Return what cannot be copied: the local socket of a node that runs."""
    del folder
    return [name for name in names if name.endswith("socket")]


def _end_of(group: str) -> str:
    return group if group in ENDS else ""


def _sent(
    number: int,
    end: str,
    answer: Mapping[str, Any],
    receipt: dict[str, Any] | None,
    *,
    acknowledged: bool,
) -> MessageSent:
    if answer["type"] == "sent":
        delivered = bool(answer["acknowledged"]) if acknowledged else None
        sentence = "Acknowledged." if delivered else "Sent."
        return MessageSent(number, end, delivered, sentence, receipt)
    return MessageSent(
        number, end, delivered=False, sentence=answer["text"], receipt=None
    )


def _record_of(end: str, event: Mapping[str, Any]) -> Record | None:
    match event["type"]:
        case "received":
            text = bytes.fromhex(event["hex"]).decode(errors="replace")
            return MessageArrived(end, text, event["repeated"], event["receipt"])
        case "notice":
            return ConversationNote(event["text"], end, warns=False)
        case "lost":
            return ConversationNote(
                f"{event['transmissions']} transmissions were lost.", end, warns=False
            )
    return None
