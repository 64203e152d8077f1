# SPDX-License-Identifier: Apache-2.0
"""The routes that begin and end conversations, and what routes have in common."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from samara.console.plan import Plan, devices_offered, links_offered
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samara.console.sessions import Sessions
    from samara.records.fields import Record

OPTIONS_MAX: Final = 32

Name = Annotated[str, InPath(pattern="^[a-z0-9]{8}$")]
Called = Annotated[str, InPath(pattern="^[a-z0-9-]{1,32}$")]
End = Literal["left", "right"]

SAID: Mapping[int | str, dict[str, Any]] = {
    400: {"description": "The body is not JSON."},
    401: {"description": "The browser has no access."},
    403: {"description": "Another page, or another name of the host."},
    404: {"description": "There is no such thing."},
    409: {"description": "It cannot be done now; `detail` says why."},
    413: {"description": "The request is too large."},
}
"""Answers that any of the routes may have."""


class NewConversation(BaseModel):
    """What a conversation is made with."""

    link: str = Field("ieee802154", max_length=32, description="Kind of link.")
    options: dict[str, str | int | float] = Field(
        default_factory=dict,
        max_length=OPTIONS_MAX,
        description="Options of that kind; the others have their defaults.",
    )
    device: str = Field("", max_length=64, description="Device of the receipts.")


def answer(record: Record) -> dict[str, Any]:
    """Return a record as an object with its type, as everywhere in JSON."""
    return {"type": record.type_name(), **plain(record)}


def answers(records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return records as a list of such objects."""
    return [answer(each) for each in records]


def routes_of(sessions: Sessions) -> APIRouter:
    """Return the routes that begin and end conversations."""
    router = APIRouter(prefix="/api", responses=dict(SAID))

    @router.get("/links")
    async def links() -> list[dict[str, Any]]:
        """Return the kinds of link, with the options that can be chosen."""
        return answers(await asyncio.to_thread(links_offered))

    @router.get("/devices")
    async def devices() -> list[dict[str, Any]]:
        """Return the devices on which receipts can be computed."""
        return answers(await asyncio.to_thread(devices_offered))

    @router.get("/conversations")
    async def conversations() -> list[dict[str, Any]]:
        """Return all conversations, those that began last first."""
        return answers(sessions.listed())

    @router.post("/conversations", status_code=201)
    async def make(wanted: NewConversation) -> dict[str, str]:
        """Start two nodes on a link."""
        # It reads files of devices, and imports a kind of link.
        chosen = wanted.link, wanted.options, wanted.device
        plan = await asyncio.to_thread(Plan, *chosen)
        return {"name": await sessions.make(plan)}

    @router.post("/conversations/{name}/start", status_code=204)
    async def start(name: Name) -> None:
        """Start a conversation again that is not open."""
        await sessions.start(name)

    @router.post("/conversations/{name}/close", status_code=204)
    async def close(name: Name) -> None:
        """End the programs of a conversation; it can be started again."""
        await sessions.close(name)

    @router.delete("/conversations/{name}", status_code=204)
    async def remove(name: Name) -> None:
        """End a conversation, and delete its nodes, keys and history."""
        await sessions.remove(name)

    return router
