# SPDX-License-Identifier: Apache-2.0
"""The application of the console: its routes, and the files of the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI, HTTPException, Response
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field

from samara.console import nodes, routes, talking
from samara.console.answers.routes import add_answers
from samara.console.conversation import RefusedError
from samara.console.offers import ScreenInvited
from samara.console.programs import ProgramEndedError
from samara.console.sessions import UnknownConversationError
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from samara.console.access import Access
    from samara.console.answers.pool import Answers
    from samara.console.sessions import Sessions

PAGE: Final = Path(__file__).parent / "dist"
"""Where the built page is."""

_STATUS: Final[Mapping[type[Exception], int]] = {
    RefusedError: 409,
    ProgramEndedError: 409,
    MisuseError: 409,
    UnknownConversationError: 404,
}
"""The status of the answer to each error; its text is for people."""


class Token(BaseModel):
    """The token of an address that was printed, or of another window."""

    token: str = Field(max_length=128)


def app_of(
    sessions: Sessions,
    access: Access,
    cookie: str,
    answers: Answers,
    folders: Sequence[Path] = (),
) -> FastAPI:
    """Return the application; `samara.console.guard` stands around it.

    Parameters
    ----------
    folders
        Directories of nodes to show.
    """
    # Its description is a route of the questions: it names each of them.
    app = FastAPI(
        title="samara console", docs_url=None, redoc_url=None, openapi_url=None
    )
    add_answers(app, answers)
    for error in _STATUS:
        app.exception_handler(error)(_refused)

    @app.post(
        "/api/access",
        status_code=204,
        responses={403: {"description": "The token was used, or is another one."}},
    )
    async def access_of(token: Token, response: Response) -> None:
        """Exchange the token of a printed address for a cookie."""
        value = access.exchange(token.token)
        if value is None:
            raise HTTPException(403, "this address was used, or is another console's")
        response.set_cookie(cookie, value, httponly=True, samesite="strict")

    @app.post("/api/screens")
    async def screens() -> dict[str, Any]:
        """Return a token for a window in another browser."""
        return routes.answer(ScreenInvited(access.invite()))

    app.include_router(routes.routes_of(sessions))
    app.include_router(talking.routes_of(sessions))
    app.include_router(nodes.routes_of(folders))
    if PAGE.is_dir():
        _serve_page(app)
    return app


def _serve_page(app: FastAPI) -> None:
    """Serve the built page; the addresses of its views are those of the page."""

    @app.get("/screen/{end}", include_in_schema=False)
    async def screen(end: routes.End) -> FileResponse:
        del end
        return FileResponse(PAGE / "index.html")

    app.mount("/", StaticFiles(directory=PAGE, html=True))


async def _refused(_: Any, error: Exception) -> Response:  # noqa: ANN401 - starlette's
    found = [code for kind, code in _STATUS.items() if isinstance(error, kind)]
    status = found[0]
    return JSONResponse({"detail": str(error)}, status)
