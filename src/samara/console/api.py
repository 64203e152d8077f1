# SPDX-License-Identifier: Apache-2.0
"""The application of the console: its routes, and the files of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteError
from starlette.routing import Route

from samara.atomic_files import system_refusal
from samara.console import laboratory_routes, node_routes, routes, talking
from samara.console.answers.routes import add_answers
from samara.console.conversation import RefusedError
from samara.console.nodes import ShownNodes, UnknownNodeError
from samara.console.offers import ScreenInvited
from samara.console.programs import ProgramEndedError
from samara.console.sessions import UnknownConversationError
from samara.errors import MisuseError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from samara.console.access import Access
    from samara.console.answers.pool import Answers
    from samara.console.laboratory import Laboratory
    from samara.console.sessions import Sessions

PAGE: Final = Path(__file__).parent / "dist"
"""Where the built page is."""

_NOT_ALLOWED: Final = 405
_STATUS: Final[Mapping[type[Exception], int]] = {
    RefusedError: 409,
    ProgramEndedError: 409,
    MisuseError: 409,
    OSError: 409,
    UnknownConversationError: 404,
    UnknownNodeError: 404,
}
"""The status of the answer to each error; its text is for people."""


class Token(BaseModel):
    """The token of an address that was printed, or of another window."""

    token: str = Field(max_length=128)


class ConsoleParts(NamedTuple):
    """What a console shows."""

    sessions: Sessions
    laboratory: Laboratory
    answers: Answers
    nodes: ShownNodes


def app_of(shown: ConsoleParts, access: Access, cookie: str) -> FastAPI:
    """Return the application; `samara.console.guard` stands around it."""
    # Its description is a route of the questions: it names each of them.
    app = FastAPI(
        title="samara console", docs_url=None, redoc_url=None, openapi_url=None
    )
    add_answers(app, shown.answers)
    for error in _STATUS:
        app.exception_handler(error)(_refused)
    app.exception_handler(StarletteError)(_not_allowed)
    app.exception_handler(RequestValidationError)(_invalid)

    @app.post(
        "/api/access",
        status_code=204,
        responses={
            400: routes.SAID[400],
            403: {"description": "The token was used, or is another one."},
        },
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

    app.include_router(routes.routes_of(shown.sessions))
    app.include_router(talking.routes_of(shown.sessions))
    app.include_router(laboratory_routes.routes_of(shown.laboratory))
    app.include_router(node_routes.routes_of(shown.nodes))
    if PAGE.is_dir():
        _serve_page(app)
    return app


def _serve_page(app: FastAPI) -> None:
    """Serve the built page; the addresses of its views are those of the page."""

    def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    @app.get("/screen/{end}", include_in_schema=False)
    async def screen(end: routes.End) -> FileResponse:
        del end
        return page()

    @app.get("/", include_in_schema=False)
    async def first() -> FileResponse:
        return page()

    # Not at "/": it would answer for the API, too, where a method is not allowed.
    app.mount("/assets", StaticFiles(directory=PAGE / "assets"))
    for each in PAGE.iterdir():
        if each.is_file():
            app.router.add_route(f"/{each.name}", _file(each), methods=["GET"])


def _file(path: Path) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return FileResponse(path)

    return answer


async def _not_allowed(request: Request, error: Exception) -> Response:
    """Answer to a method that a path does not take, with those that it does."""
    if not isinstance(error, StarletteError) or error.status_code != _NOT_ALLOWED:
        return await http_exception_handler(request, cast("StarletteError", error))
    path = request.scope["path"]
    found = [
        method
        for route in request.app.routes
        if isinstance(route, Route) and route.path_regex.match(path)
        for method in route.methods or ()
    ]
    headers = {"allow": ", ".join(sorted(set(found)))}
    return JSONResponse({"detail": error.detail}, error.status_code, headers)


async def _invalid(_: Request, error: Exception) -> Response:
    """Say what is wrong with a request, without what was sent: it may be no JSON."""
    found = cast("RequestValidationError", error).errors()
    wrong = [{name: each[name] for name in ("type", "loc", "msg")} for each in found]
    answer = json.dumps({"detail": wrong}, allow_nan=False)
    return Response(answer, 422, media_type="application/json")


async def _refused(_: Any, error: Exception) -> Response:  # noqa: ANN401 - starlette's
    found = [code for kind, code in _STATUS.items() if isinstance(error, kind)]
    return JSONResponse({"detail": _sentence(error)}, found[0])


def _sentence(error: Exception) -> str:
    """Return what an error says; of the operating system's, file and reason."""
    return system_refusal(error) if isinstance(error, OSError) else str(error)
