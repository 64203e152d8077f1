# SPDX-License-Identifier: Apache-2.0
"""Directories of nodes that were there before the console, and are shown by it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter

from samara.console.routes import answer
from samara.errors import MisuseError
from samara.link.node.status import status_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def routes_of(folders: Sequence[Path]) -> APIRouter:
    """Return the route that tells what is known of these nodes."""
    router = APIRouter(prefix="/api")

    @router.get("/nodes")
    async def nodes() -> list[dict[str, Any]]:
        """Return what is known of each node that the command named; no key is in it."""
        return [await asyncio.to_thread(_described, each) for each in folders]

    return router


def _described(folder: Path) -> dict[str, Any]:
    try:
        return answer(status_of(folder))
    except MisuseError as error:
        return {"type": "no_node", "node": str(folder), "reason": str(error)}
