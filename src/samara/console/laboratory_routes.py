# SPDX-License-Identifier: Apache-2.0
"""The routes of the laboratory: a network of nodes on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from fastapi import APIRouter, WebSocket
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from samara.console.laboratory import NODES_MAX
from samara.console.routes import SAID, answer
from samara.console.talking import show
from samara.net.topology import NODES_MIN

if TYPE_CHECKING:
    from samara.console.laboratory import Laboratory

Node = Annotated[str, InPath(pattern="^n[0-9]{1,2}$")]
_Named = Annotated[str, Field(pattern="^n[0-9]{1,2}$")]


class NewNetwork(BaseModel):
    """The network that is to run."""

    nodes: int = Field(3, ge=NODES_MIN, le=NODES_MAX)
    topology: Literal["chain", "star"] = "chain"
    loss: float = Field(
        0.0, ge=0, le=1, strict=True, description="Share of frames that is missed."
    )


class Sent(BaseModel):
    """What a program is to send, and between which nodes."""

    what: Literal["ping", "coap", "tftp"]
    source: _Named
    destination: _Named


def routes_of(laboratory: Laboratory) -> APIRouter:  # noqa: C901 - one function a route
    """Return the routes of a laboratory."""
    router = APIRouter(prefix="/api/network", responses=dict(SAID))

    @router.get("")
    async def shown() -> dict[str, Any]:
        """Return whether a network runs, and whether one can."""
        return answer(laboratory.shown())

    @router.post("", status_code=204)
    async def start(wanted: NewNetwork) -> None:
        """Start a network of nodes, each in a namespace."""
        await laboratory.start(wanted.nodes, wanted.topology, wanted.loss)

    @router.delete("", status_code=204)
    async def end() -> None:
        """End the network; nothing of it is left."""
        await laboratory.close()

    @router.get("/nodes/{node}")
    async def status(node: Node) -> dict[str, Any]:
        """Return what is known of a node; no key is in it."""
        return answer(await laboratory.status(node))

    @router.post("/nodes/{node}/{action}")
    async def steer(
        node: Node,
        action: Literal["kill", "start", "move_away", "move_back", "invite", "rekey"],
    ) -> dict[str, str]:
        """Do something with a node; return a sentence that says what was done."""
        if action == "invite":
            return {"sentence": await laboratory.invite(node)}
        if action == "rekey":
            return {"sentence": await laboratory.rekey(node)}
        return {"sentence": await laboratory.steer(action, node)}

    @router.post("/traffic", status_code=202)
    async def send(sent: Sent) -> dict[str, str]:
        """Let a program of one node ask another; an event tells what came of it."""
        return {"sentence": laboratory.carry(sent.what, sent.source, sent.destination)}

    @router.websocket("/live")
    async def live(socket: WebSocket, since: int = 0) -> None:
        await socket.accept()
        await show(laboratory.history, since, socket)

    return router
