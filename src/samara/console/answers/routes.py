# SPDX-License-Identifier: Apache-2.0
"""The routes of questions and answers, and what OpenAPI says of them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, FastAPI, HTTPException, Request
from fastapi import Path as InPath
from fastapi.responses import JSONResponse, StreamingResponse

from samara.console.answers.pool import Answers, BusyError, NotAcceptedError
from samara.console.answers.schema import paths

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence

JSON_LINES: Final = "application/x-ndjson"
_TEXTS_MAX = 512
_LOOK_S = 0.2
_Name = Annotated[str, InPath(pattern="^[a-z0-9_.]{1,100}$")]


def add_answers(app: FastAPI, answers: Answers) -> None:
    """Add the routes to an application, and each question to its OpenAPI."""
    router = APIRouter(prefix="/api")

    @router.get("/questions")
    async def questions() -> list[dict[str, Any]]:
        """Return what can be asked: each with its parameters."""
        return await answers.questions()

    @router.get("/answers/{name}", include_in_schema=False)
    async def answer(name: _Name, request: Request) -> StreamingResponse:
        return await _streamed(answers, name, request, with_records=True)

    @router.get("/tables/{name}", include_in_schema=False)
    async def tables(name: _Name, request: Request) -> StreamingResponse:
        return await _streamed(answers, name, request, with_records=False)

    @router.get("/openapi.json", include_in_schema=False)
    async def openapi() -> dict[str, Any]:
        found = app.openapi()
        asked = paths(await answers.questions())
        return {**found, "paths": {**found["paths"], **asked}}

    @app.exception_handler(BusyError)
    async def busy(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 503)

    app.include_router(router)


async def _streamed(
    answers: Answers, name: str, request: Request, *, with_records: bool
) -> StreamingResponse:
    known = {each["name"]: each for each in await answers.questions()}
    if name not in known:
        raise HTTPException(404, f"nobody can be asked {name!r} here")
    given = _given(request, known[name])
    lines = answers.lines(name, given, with_records=with_records)
    first = await anext(lines)
    begun = await _unless_gone(lines, request)
    return StreamingResponse(_all(first + begun, lines), media_type=JSON_LINES)


async def _unless_gone(lines: AsyncGenerator[bytes, None], request: Request) -> bytes:
    """Return the next line; nothing when the browser has gone meanwhile.

    Raises
    ------
    HTTPException
        When the question does not take a value.
    """
    reading = asyncio.ensure_future(anext(lines, b""))
    try:
        while not (await asyncio.wait({reading}, timeout=_LOOK_S))[0]:
            if await request.is_disconnected():
                return b""
        return reading.result()
    except NotAcceptedError as error:
        raise HTTPException(409, str(error)) from None
    finally:
        if not reading.done():
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await lines.aclose()


def _given(
    request: Request, question: Mapping[str, Any]
) -> Mapping[str, Sequence[str]]:
    items = request.query_params.multi_items()
    names = {each["name"] for each in question["parameters"]}
    found: dict[str, list[str]] = defaultdict(list)
    if len(items) > _TEXTS_MAX:
        raise HTTPException(409, f"at most {_TEXTS_MAX} values can be given")
    for key, text in items:
        if key not in names:
            raise HTTPException(409, f"{key!r:.60} is not asked here")
        found[key].append(text)
    return found


async def _all(first: bytes, lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for line in lines:
        yield line
