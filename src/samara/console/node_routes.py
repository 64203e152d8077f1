# SPDX-License-Identifier: Apache-2.0
"""The routes of the directories of nodes that a console was given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter
from fastapi import Path as InPath

from samara.console.routes import SAID, answers
from samara.console.talking import NewMessage  # noqa: TC001 - FastAPI evaluates it

if TYPE_CHECKING:
    from samara.console.nodes import ShownNodes

_Number = Annotated[int, InPath(ge=0, le=999)]


def routes_of(nodes: ShownNodes) -> APIRouter:
    """Return the routes that show these nodes, and act on them."""
    router = APIRouter(prefix="/api/nodes", responses=dict(SAID))

    @router.get("")
    async def listed() -> list[dict[str, Any]]:
        """Return what is known of each node that the command named; no key is in it."""
        return answers(await nodes.listed())

    @router.post("/{number}/messages")
    async def send(number: _Number, message: NewMessage) -> dict[str, str]:
        """Send a message of a node that is up; return what became of it."""
        said = await nodes.send(number, message.text, acknowledged=message.acknowledged)
        return {"sentence": said}

    @router.post("/{number}/{action}")
    async def steer(
        number: _Number, action: Literal["start", "end", "kill"]
    ) -> dict[str, str]:
        """Start a node, or end what this console has started; return a sentence."""
        if action == "start":
            return {"sentence": await nodes.start(number)}
        return {"sentence": await nodes.end(number, kills=action == "kill")}

    return router
