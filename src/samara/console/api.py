# SPDX-License-Identifier: Apache-2.0
"""The routes of the console."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import FastAPI, HTTPException, Query, Response, WebSocket
from fastapi import Path as InPath
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.websockets import WebSocketDisconnect

from samara.console import mishaps
from samara.console.conversation import TEXT_MAX, Conversation, RefusedError
from samara.console.programs import ProgramEndedError
from samara.console.stage import stages
from samara.errors import MisuseError

if TYPE_CHECKING:
    from samara.console.access import Access

CONVERSATIONS_MAX: Final = 8
PAGE = Path(__file__).parent / "dist"
"""Where the built page is."""

Name = Annotated[str, InPath(pattern="^[a-z0-9]{8}$")]
End = Literal["left", "right"]


class Token(BaseModel):
    """The token of an address that was printed."""

    token: str = Field(max_length=128)


class NewConversation(BaseModel):
    """What a conversation is made with."""

    link: str = Field("ieee802154", max_length=32, description="Kind of link.")


class Words(BaseModel):
    """A message to send."""

    text: str = Field(max_length=TEXT_MAX)
    acknowledged: bool = True


class Console:
    """The conversations of one console.

    Parameters
    ----------
    folder
        Where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.conversations: dict[str, Conversation] = {}

    async def make(self, link: str) -> str:
        """Start a conversation, and return its name."""
        if len(self.conversations) >= CONVERSATIONS_MAX:
            message = f"{CONVERSATIONS_MAX} conversations are open: close one first"
            raise RefusedError(message)
        if link not in stages():
            message = f"the console does not show {link!r}: {', '.join(stages())}"
            raise RefusedError(message)
        name = secrets.token_hex(4)
        folder = self._folder / name
        folder.mkdir(mode=0o700, parents=True)
        conversation = Conversation(folder, link, {})
        self.conversations[name] = conversation
        try:
            await conversation.start()
        except BaseException:
            await self.close(name)
            raise
        return name

    def named(self, name: str) -> Conversation:
        """Return a conversation."""
        found = self.conversations.get(name)
        if found is None:
            raise HTTPException(404, f"there is no conversation {name!r}")
        return found

    async def close(self, name: str) -> None:
        """End a conversation."""
        await self.conversations.pop(name).stop()

    async def close_all(self) -> None:
        """End all of them."""
        await asyncio.gather(*(self.close(name) for name in list(self.conversations)))


def app_of(console: Console, access: Access, cookie: str) -> FastAPI:  # noqa: C901
    """Return the application; `samara.console.guard` stands around it."""
    app = FastAPI(title="samara console", docs_url=None, redoc_url=None)
    app.openapi_url = "/api/openapi.json"

    @app.exception_handler(RefusedError)
    @app.exception_handler(ProgramEndedError)
    @app.exception_handler(MisuseError)
    async def _refused(_: Any, error: Exception) -> Response:  # noqa: ANN401 - starlette's
        from starlette.responses import JSONResponse  # noqa: PLC0415

        return JSONResponse({"detail": str(error)}, 409)

    @app.post("/api/access", status_code=204)
    async def access_of(token: Token, response: Response) -> None:
        """Exchange the token of a printed address for a cookie."""
        value = access.exchange(token.token)
        if value is None:
            raise HTTPException(403, "this address was used, or is another console's")
        response.set_cookie(cookie, value, httponly=True, samesite="strict")

    @app.get("/api/conversations")
    async def conversations() -> list[dict[str, str]]:
        """Return all conversations."""
        return [
            {"name": name, "link": each.link}
            for name, each in console.conversations.items()
        ]

    @app.post("/api/conversations", status_code=201)
    async def make(wanted: NewConversation) -> dict[str, str]:
        """Start two nodes on a link."""
        return {"name": await console.make(wanted.link)}

    @app.delete("/api/conversations/{name}", status_code=204)
    async def close(name: Name) -> None:
        """End the programs of a conversation."""
        console.named(name)
        await console.close(name)

    @app.post("/api/conversations/{name}/{end}/messages", status_code=202)
    async def say(name: Name, end: End, words: Words) -> dict[str, int]:
        """Let a node send a message; events tell what became of it."""
        number = console.named(name).say(
            end, words.text, acknowledged=words.acknowledged
        )
        return {"number": number}

    @app.get("/api/conversations/{name}/acts")
    async def acts(name: Name) -> list[dict[str, str]]:
        """Return what an attacker, or bad luck, can do."""
        return [
            {
                "name": act.name,
                "group": act.group,
                "label": act.label,
                "help": act.help,
            }
            for act in mishaps.acts(console.named(name))
        ]

    @app.post("/api/conversations/{name}/acts/{act}")
    async def let_happen(name: Name, act: str) -> dict[str, str]:
        """Let something happen; return a sentence that says what was done."""
        for each in mishaps.acts(console.named(name)):
            if each.name == act:
                return {"sentence": await each.run()}
        raise HTTPException(404, f"nothing is called {act!r} here")

    @app.get("/api/conversations/{name}/events")
    async def events(name: Name, since: Annotated[int, Query(ge=0)] = 0) -> list[Any]:
        """Return what happened after an event, as far as it is kept."""
        return console.named(name).history.since(since)

    @app.websocket("/api/conversations/{name}/live")
    async def live(socket: WebSocket, name: Name, since: int = 0) -> None:
        history = console.named(name).history
        await socket.accept()
        with history.onlooker() as onlooker:
            await socket.send_json(history.since(since))
            reading = asyncio.create_task(_until_closed(socket))
            while not reading.done():
                getting = asyncio.create_task(onlooker.get())
                done, _ = await asyncio.wait(
                    {getting, reading}, return_when=asyncio.FIRST_COMPLETED
                )
                if getting in done:
                    await socket.send_json(getting.result())
                else:
                    getting.cancel()

    if PAGE.is_dir():
        app.mount("/", StaticFiles(directory=PAGE, html=True))
    return app


async def _until_closed(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_bytes()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return
