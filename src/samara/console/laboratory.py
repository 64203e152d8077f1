# SPDX-License-Identifier: Apache-2.0
"""The laboratory of a console: a network of nodes on this machine, and what it does.

It is `samara ip lab`, and what is on its air is heard by `samara ip watch`. Both are
processes of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from samara.console.air_program import AirProgram
from samara.console.conversation import RefusedError
from samara.console.conversation_records import ConversationNote, ProgramState
from samara.console.history import History
from samara.console.laboratory_records import LaboratoryShown, NodeSteered
from samara.console.laboratory_traffic import TRAFFIC, carried
from samara.console.links.ieee802154 import Ieee802154Emulation
from samara.console.node_socket import NodeEndedError, NodeSocket
from samara.console.programs import Program, ProgramEndedError, started
from samara.console.refusals import Refusals
from samara.errors import MisuseError
from samara.link.node.status import NodeStatus, status_of
from samara.net.topology import TOPOLOGIES

if TYPE_CHECKING:
    from collections.abc import Coroutine

NODES_MAX: Final = 12
"""Nodes of a laboratory: more are not told apart on a map."""
RUNNING_MAX: Final = 4
"""Programs that send something at the same time."""
STEERED: Final = ("kill", "start", "move_away", "move_back")
"""What `samara ip lab --control` does with a node."""

_START_S = 60.0
_HISTORY = "laboratory.jsonl"
_NAME = "lab"
_WATCH = "watch"


def missing() -> str:
    """Return why no laboratory can run here; empty when it can."""
    if os.geteuid() == 0:
        return ""
    return (
        "A network needs network namespaces, and so root: end the console, and start it"
        " again with `sudo samara console`."
    )


class Laboratory:
    """One network at most, and all that happens there.

    Parameters
    ----------
    folder
        Where the history is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._history: History | None = None
        self._lab: AirProgram | None = None
        self._watch: Program | None = None
        self._watched = 0
        """Counts the programs that listened: what the last one prints is taken."""
        self._nodes: dict[str, dict[str, Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()
        self._carried = 0

    @property
    def history(self) -> History:
        """What happened in the network that runs, or in the last one."""
        if self._history is None:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._history = History(self._folder / _HISTORY)
        return self._history

    def shown(self) -> LaboratoryShown:
        """Return what it is."""
        runs = self._lab is not None and self._lab.is_running
        return LaboratoryShown(runs, missing(), tuple(TOPOLOGIES), NODES_MAX)

    async def start(self, nodes: int, topology: str, loss: float) -> None:
        """Start a network, and listen to its air.

        Raises
        ------
        RefusedError
            When one runs.
        MisuseError
            When none can run here.
        ProgramEndedError
            When it does not start.
        """
        if reason := missing():
            raise MisuseError(reason)
        if self._turn.locked() or self.shown().is_running:
            message = "a network runs: end it first"
            raise RefusedError(message)
        async with self._turn:
            await self._end()
            self.history.clear()
            self._lab = AirProgram("network", self._hear, self._tell_end)
            options = ["--nodes", str(nodes), "--topology", topology]
            arguments = ["ip", "lab", *options, "--loss", str(loss), "--control"]
            try:
                await self._lab.start(arguments, _START_S, ready="nodes are up")
                await self._start_watch()
            except BaseException:
                await self._end()
                raise
            self.history.add(ProgramState(_NAME, is_running=True, last_words=()))

    async def close(self) -> None:
        """End the network."""
        async with self._turn:
            was_running = self.shown().is_running
            await self._end()
            if was_running:
                self.history.add(ProgramState(_NAME, is_running=False, last_words=()))

    async def steer(self, do: str, node: str) -> str:
        """Do one of `STEERED` with a node; return a sentence that says what.

        Raises
        ------
        RefusedError
            When something else happens, or no network runs.
        ProgramEndedError
            When it cannot be done.
        """
        lab = self._running()
        self._node(node)
        if self._turn.locked():
            message = "something else is happening: wait until it has"
            raise RefusedError(message)
        async with self._turn:
            sentence = await lab.ask(do=do, node=node)
        self.history.add(NodeSteered(do, node))
        return self._recorded(sentence, node)

    async def invite(self, name: str) -> str:
        """Let a node invite a new one; return a sentence that says what was done.

        Raises
        ------
        RefusedError
            When something else happens, no network runs, or it has enough nodes.
        ProgramEndedError
            When it cannot be done.
        """
        lab = self._running()
        self._node(name)
        if len(self._nodes) >= NODES_MAX:
            message = f"a network has at most {NODES_MAX} nodes here"
            raise RefusedError(message)
        if self._turn.locked():
            message = "something else is happening: wait until it has"
            raise RefusedError(message)
        async with self._turn:
            sentence = await lab.ask(do="invite", node=name)
            # It has the keys of those nodes only that it was started with.
            before = self._watch
            await self._start_watch()
            if before is not None:
                await before.end()
        return self._recorded(sentence, name)

    async def rekey(self, name: str) -> str:
        """Let a node agree with its neighbours on new keys; return a sentence.

        Raises
        ------
        RefusedError
            When there is no such node.
        ProgramEndedError
            When it does not run, or refuses.
        """
        node = self._node(name)
        try:
            async with await NodeSocket.connected(Path(node["directory"])) as socket:
                for neighbour in node["neighbours"]:
                    answer = await socket.ask(type="renew", neighbour=neighbour)
                    if answer["type"] == "failed":
                        raise ProgramEndedError(answer["text"])
        except NodeEndedError:
            message = f"{name} does not run: start it first"
            raise ProgramEndedError(message) from None
        others = " and ".join(node["neighbours"])
        return self._recorded(
            f"{name} agrees with {others} on new keys, hop by hop.", name
        )

    def carry(self, what: str, source: str, destination: str) -> str:
        """Let a program of another node ask a node; an event tells what came of it.

        Raises
        ------
        RefusedError
            When there are no such nodes, or too many programs run.
        """
        self._running()
        ends = self._node(source), self._node(destination)
        if source == destination:
            message = "a node does not send to itself over the air: choose two"
            raise RefusedError(message)
        if self._carried >= RUNNING_MAX:
            message = f"{RUNNING_MAX} programs send already: wait for one of them"
            raise RefusedError(message)
        self._carried += 1
        self._start_task(self._carry(what, *ends))
        label = TRAFFIC[what].label
        return self._recorded(f"{label}: {source} asks {destination}.", source)

    async def _carry(
        self, what: str, source: dict[str, Any], destination: dict[str, Any]
    ) -> None:
        try:
            self.history.add(await carried(what, source, destination))
        except (ProgramEndedError, OSError) as error:
            text = f"{TRAFFIC[what].label} failed: {error}"
            self.history.add(ConversationNote(text, source["node"], warns=True))
        finally:
            self._carried -= 1

    async def status(self, name: str) -> NodeStatus:
        """Return what is known of a node.

        Raises
        ------
        RefusedError
            When there is no such node.
        """
        return await asyncio.to_thread(status_of, Path(self._node(name)["directory"]))

    async def _start_watch(self) -> None:
        folders = [each["directory"] for each in self._nodes.values()]
        medium = next(iter(self._nodes.values()))["medium"]
        arguments = ["ip", "watch", *folders, "--medium", medium, "--json"]
        number = self._watched + 1
        hear = functools.partial(self._hear_line, number)
        watch = await started(_WATCH, arguments, self._tell_end, hear)
        try:
            await watch.wait_for_words("watching", _START_S)
        except BaseException:
            await watch.end()
            raise
        self._watch, self._watched = watch, number

    def _hear_line(self, number: int, line: bytes) -> None:
        if number != self._watched:
            return
        with contextlib.suppress(ValueError):
            self._hear(json.loads(line))

    def _hear(self, found: dict[str, Any]) -> None:
        """Take what the programs print: nodes that run, and packets on the air."""
        if found.get("type") == "lab_node":
            known = self._nodes.get(found["node"], {})
            self._nodes[found["node"]] = found
            if known.get("pid") != found["pid"]:
                self._start_task(self._listen(found["node"]))
        self.history.add_printed(found)

    async def _listen(self, name: str) -> None:
        """Tell what a node refuses, until its process has ended."""
        refusals = Refusals(name, Ieee802154Emulation.rules)
        with contextlib.suppress(NodeEndedError):
            folder = Path(self._nodes[name]["directory"])
            async with await NodeSocket.connected(folder) as socket:
                async for event in socket.events():
                    if event["type"] == "refused":
                        for refusal in refusals.reported(event):
                            self.history.add(refusal)
                    elif event["type"] == "notice":
                        note = ConversationNote(event["text"], name, warns=False)
                        self.history.add(note)

    def _node(self, name: str) -> dict[str, Any]:
        if name not in self._nodes:
            message = f"there is no node {name!r:.40} in the network that runs"
            raise RefusedError(message)
        return self._nodes[name]

    def _running(self) -> AirProgram:
        if self._lab is None or not self._lab.is_running:
            message = "no network runs: start one first"
            raise RefusedError(message)
        return self._lab

    def _recorded(self, sentence: str, node: str) -> str:
        self.history.add(ConversationNote(sentence, node, warns=False))
        return sentence

    def _tell_end(self, program: Program) -> None:
        words = tuple(program.last_words)
        self.history.add(ProgramState(_NAME, is_running=False, last_words=words))

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._watch is not None:
            await self._watch.end()
        if self._lab is not None:
            await self._lab.end()
        self._lab, self._watch = None, None
        self._nodes.clear()
        self._carried = 0

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
