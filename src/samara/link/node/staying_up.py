# SPDX-License-Identifier: Apache-2.0
"""Keeping a node up, so that other programs send and receive with it."""

from __future__ import annotations

from collections.abc import Callable  # noqa: TC003 - read at run time

from samara.link.node.events import Notice as LinkNotice
from samara.link.node.local_server import LocalServer
from samara.link.node.node import Node
from samara.link.node.requests import RunningRequest  # noqa: TC001 - read at run time
from samara.link.node.service import Service, serving
from samara.records import Answer, Digest, Line, Notice


def keep_up(
    request: RunningRequest, *, is_over: Callable[[], bool] = lambda: False
) -> Answer[LinkNotice]:
    """Keep a node up, and yield what happens to its link, in sentences.

    Parameters
    ----------
    is_over
        Asked several times a second: whether to end.

    Raises
    ------
    MisuseError
        When the node cannot be used, or no longer.
    """

    def attach(service: Service) -> None:
        service.attach(LocalServer(service, request.node))

    with Node(request.node, request.link_options) as node:
        if node.warning is not None:
            yield Notice(node.warning, warns=True)
        texts = serving(node, attach, is_over)
        yield Notice(f"{request.node} is up; press Ctrl-C to stop")
        for text in texts:
            yield Digest([LinkNotice(text)], [Line(text, aside=True)])
