# SPDX-License-Identifier: Apache-2.0
"""Programs that observe a value by CoAP with OSCORE, made from aiocoap's library.

aiocoap's own programs cannot: its client (0.4.17) cancels each observation when the
first response has arrived, and its file server looks every 10 s whether a file has
changed.

    python -m samara.demo.observation serve CREDENTIALS FILE
    python -m samara.demo.observation observe CREDENTIALS FILE URI

The server tells what is in a file, the client adds each value that it is told to a
file. CREDENTIALS is a JSON file as aiocoap's programs take it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import aiocoap
from aiocoap.credentials import CredentialsMap
from aiocoap.oscore_sitewrapper import OscoreSiteWrapper
from aiocoap.resource import ObservableResource, Site

if TYPE_CHECKING:
    from collections.abc import Mapping

RESOURCE = "file"
"""The path of the value in its URI."""

_LOOK_S = 0.02
_ANY = "::"


class _Value(ObservableResource):  # type: ignore[misc] # without types
    """The content of a file, which may not be there yet."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        self._content = b""

    async def render_get(self, request: aiocoap.Message) -> aiocoap.Message:
        """Return the content."""
        del request
        return aiocoap.Message(payload=self._content)

    async def follow(self) -> None:
        """Tell all observers whenever the file has changed."""
        while True:
            content = self._content
            with contextlib.suppress(FileNotFoundError):
                content = self._file.read_bytes()
            if content != self._content:
                self._content = content
                self.updated_state()
            await asyncio.sleep(_LOOK_S)


async def _serve(credentials: Mapping[str, object], file: Path) -> None:
    known, site, value = CredentialsMap(), Site(), _Value(file)
    known.load_from_dict(credentials)
    site.add_resource([RESOURCE], value)
    secured = OscoreSiteWrapper(site, known)
    await aiocoap.Context.create_server_context(secured, bind=(_ANY, None))
    await value.follow()


async def _observe(credentials: Mapping[str, object], file: Path, uri: str) -> None:
    context = await aiocoap.Context.create_client_context()
    context.client_credentials.load_from_dict(credentials)
    asked = aiocoap.Message(code=aiocoap.GET, uri=uri, observe=0)
    request = context.request(asked)
    with file.open("ab", buffering=0) as values:
        values.write((await request.response).payload)
        async for response in request.observation:
            values.write(response.payload)


def main(words: list[str]) -> None:
    """Run a program until it is ended."""
    role, listed, file, *uri = words
    credentials = json.loads(Path(listed).read_bytes())
    if role == "serve":
        asyncio.run(_serve(credentials, Path(file)))
    else:
        asyncio.run(_observe(credentials, Path(file), *uri))


if __name__ == "__main__":
    main(sys.argv[1:])
