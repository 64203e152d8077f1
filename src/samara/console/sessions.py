# SPDX-License-Identifier: Apache-2.0
"""The conversations of a console: those that are open, and those of an earlier one."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import shutil
from typing import TYPE_CHECKING, Final

from samara.console.conversation import Conversation, RefusedError
from samara.console.emulation import emulations
from samara.console.offers import ConversationListed
from samara.console.plan import Plan

if TYPE_CHECKING:
    from pathlib import Path

OPEN_MAX: Final = 8
"""Conversations whose programs run."""
KEPT_MAX: Final = 100
"""Conversations that are kept."""

_NAME = re.compile(r"[a-z0-9]{8}")


class UnknownConversationError(Exception):
    """There is no conversation of this name."""


class Sessions:
    """The conversations of one console.

    Parameters
    ----------
    folder
        Where they are kept, each in a directory.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, Conversation] = {}
        for each in sorted(folder.glob("*")) if folder.is_dir() else ():
            plan = Plan.read(each) if _NAME.fullmatch(each.name) else None
            if plan is not None:
                self._known[each.name] = Conversation(each, plan)

    def listed(self) -> list[ConversationListed]:
        """Return all, those that began last first."""
        found = sorted(
            self._known.items(), key=lambda item: item[1].plan.begun_s, reverse=True
        )
        return [_listed(name, each) for name, each in found]

    async def make(self, plan: Plan) -> str:
        """Start a new one, and return its name.

        Raises
        ------
        RefusedError
            When there are too many.
        """
        self._check_room()
        if len(self._known) >= KEPT_MAX:
            message = f"{KEPT_MAX} conversations are kept: delete one first"
            raise RefusedError(message)
        name = secrets.token_hex(4)
        folder = self._folder / name
        # Of directories above, `mkdir` sets no mode: names are not for others, either.
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700)
        conversation = self._known[name] = Conversation(folder, plan)
        try:
            await conversation.start()
        except BaseException:
            with contextlib.suppress(UnknownConversationError):
                await self.remove(name)
            raise
        return name

    async def start(self, name: str) -> None:
        """Start one again that is not open.

        Raises
        ------
        RefusedError
            When too many are open.
        """
        conversation = self.named(name)
        if conversation.is_open:
            return
        self._check_room()
        await conversation.start()

    def named(self, name: str) -> Conversation:
        """Return a conversation.

        Raises
        ------
        UnknownConversationError
            When there is none of this name.
        """
        found = self._known.get(name)
        if found is None:
            message = f"there is no conversation {name!r}"
            raise UnknownConversationError(message)
        return found

    async def close(self, name: str) -> None:
        """End the programs of one; it is kept."""
        await self.named(name).stop()

    async def remove(self, name: str) -> None:
        """End one, and delete its directory: nodes, keys and history.

        Raises
        ------
        RefusedError
            When another console has it open.
        """
        conversation = self.named(name)
        await conversation.stop()
        conversation.reserve()
        self._known.pop(name, None)
        try:
            await asyncio.to_thread(
                shutil.rmtree, conversation.folder, ignore_errors=True
            )
        finally:
            conversation.release()

    async def close_all(self) -> None:
        """End all programs."""
        await asyncio.gather(*(each.stop() for each in self._known.values()))

    def _check_room(self) -> None:
        if sum(each.is_in_use for each in self._known.values()) >= OPEN_MAX:
            message = f"{OPEN_MAX} conversations are open: close one first"
            raise RefusedError(message)


def _listed(name: str, conversation: Conversation) -> ConversationListed:
    plan = conversation.plan
    last = conversation.history.last("message_spoken")
    return ConversationListed(
        name,
        plan.link,
        conversation.is_open,
        plan.in_words(),
        plan.device,
        plan.warning(),
        emulations()[plan.link].eavesdropper,
        plan.begun_s,
        "" if last is None else str(last["text"]),
    )
