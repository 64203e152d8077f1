# SPDX-License-Identifier: Apache-2.0
"""The routes of what happens in a conversation."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, HTTPException, Query, WebSocket
from pydantic import BaseModel, Field
from starlette.websockets import WebSocketDisconnect

from samara.console.actions import possible_actions
from samara.console.conversation import TEXT_MAX
from samara.console.offers import ActionOffered, KeyShown, SettingOffered
from samara.console.routes import SAID, Called, End, Name, answer, answers
from samara.console.sessions import UnknownConversationError

if TYPE_CHECKING:
    from samara.console.history import History
    from samara.console.sessions import Sessions


class NewMessage(BaseModel):
    """A message to send."""

    text: str = Field(max_length=TEXT_MAX)
    acknowledged: bool = True


class SettingValue(BaseModel):
    """The value of a setting of the air."""

    value: float = Field(allow_inf_nan=False)


def routes_of(sessions: Sessions) -> APIRouter:
    """Return the routes of what happens in these conversations."""
    router = APIRouter(prefix="/api", responses=dict(SAID))
    _add_nodes(router, sessions)
    _add_actions(router, sessions)
    _add_settings(router, sessions)
    _add_events(router, sessions)
    return router


def _add_nodes(router: APIRouter, sessions: Sessions) -> None:
    """Add what nodes are asked: to send, and for their keys."""

    @router.post("/conversations/{name}/{end}/messages", status_code=202)
    async def say(name: Name, end: End, message: NewMessage) -> dict[str, int]:
        """Let a node send a message; events tell what became of it."""
        conversation = sessions.named(name)
        number = conversation.say(end, message.text, acknowledged=message.acknowledged)
        return {"number": number}

    @router.post("/conversations/{name}/show-key")
    async def show_key(name: Name) -> dict[str, Any]:
        """Return the keys of the nodes: the one way to see them here."""
        conversation = sessions.named(name)
        return answer(KeyShown(tuple(await asyncio.to_thread(conversation.keys))))


def _add_actions(router: APIRouter, sessions: Sessions) -> None:
    """Add what an attacker, or bad luck, does."""

    @router.get("/conversations/{name}/actions")
    async def actions_offered(name: Name) -> list[dict[str, Any]]:
        """Return what an attacker, or bad luck, can do."""
        return answers(
            ActionOffered(action.name, action.group, action.label, action.help)
            for action in possible_actions(sessions.named(name))
        )

    @router.post("/conversations/{name}/actions/{action}")
    async def perform(name: Name, action: Called) -> dict[str, str]:
        """Do it; return a sentence that says what was done."""
        conversation = sessions.named(name)
        for each in possible_actions(conversation):
            if each.name == action:
                return {"sentence": await conversation.perform(each)}
        raise HTTPException(404, f"there is no action {action!r} here")


def _add_settings(router: APIRouter, sessions: Sessions) -> None:
    """Add the settings of the air."""

    @router.get("/conversations/{name}/settings")
    async def settings_offered(name: Name) -> list[dict[str, Any]]:
        """Return what can be changed of the air while it runs."""
        return answers(
            SettingOffered(
                each.name,
                each.label,
                each.help,
                each.unit,
                tuple(map(float, each.values)),
                value,
            )
            for each, value in sessions.named(name).air_settings()
        )

    @router.put("/conversations/{name}/settings/{setting}")
    async def change_setting(
        name: Name, setting: Called, wanted: SettingValue
    ) -> dict[str, str]:
        """Change a setting of the air; return a sentence that says what was done."""
        conversation = sessions.named(name)
        return {"sentence": await conversation.change_setting(setting, wanted.value)}


def _add_events(router: APIRouter, sessions: Sessions) -> None:
    """Add what happened, and what happens."""

    @router.get("/conversations/{name}/events")
    async def events(
        name: Name, since: Annotated[int, Query(ge=0, lt=1 << 53)] = 0
    ) -> list[Any]:
        """Return what happened after an event, as far as it is kept."""
        return sessions.named(name).history.since(since)

    @router.websocket("/conversations/{name}/live")
    async def live(socket: WebSocket, name: Name, since: int = 0) -> None:
        try:
            history = sessions.named(name).history
        except UnknownConversationError:
            await socket.close(4404)
            return
        await socket.accept()
        await show(history, since, socket)


async def show(history: History, since: int, socket: WebSocket) -> None:
    """Send what happens to a browser, until it has gone."""
    with history.subscriber() as subscriber:
        await socket.send_json(history.since(since))
        reading = asyncio.create_task(_until_closed(socket))
        while not reading.done():
            getting = asyncio.create_task(subscriber.get())
            done, _ = await asyncio.wait(
                {getting, reading}, return_when=asyncio.FIRST_COMPLETED
            )
            if getting in done:
                await socket.send_json(getting.result())
            else:
                getting.cancel()


async def _until_closed(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_bytes()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return
