# SPDX-License-Identifier: Apache-2.0
"""Sending messages of a node, from a request to what became of each."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated

from samara.errors import MisuseError
from samara.hex_digits import bytes_of_hex
from samara.link.node.event_lines import (
    Costed,
    EventRecord,
    MessageDisplay,
    answer_of_sent,
    answers_of,
    doubts_of,
    uncosted,
)
from samara.link.node.link import BROADCAST
from samara.link.node.message_records import SentMessage  # noqa: TC001 - read at run time
from samara.link.node.messages import MESSAGE_SIZE_MAX
from samara.link.node.opening import opened
from samara.link.node.requests import RunningRequest
from samara.link.node.sending import RETRIES, NotAcknowledgedError
from samara.records import Answer, Between, Parameter, Refusal, request_class
from samara.records.answers import Notice
from samara.standard_streams import STANDARD_STREAM, reading

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from samara.link.node.local_client import RemoteNode
    from samara.link.node.node import Node


@request_class
class SendRequest(RunningRequest):
    """Messages that are to be sent, one or several."""

    message: Annotated[
        str,
        Parameter(
            metavar="MESSAGE|-",
            is_content=True,
            help="Message; - reads it from stdin.",
            is_argument=True,
        ),
    ]
    to: Annotated[
        str | None,
        Parameter(
            metavar="NEIGHBOUR",
            help=f"Neighbour that the message is for; {BROADCAST} sends it to all.",
            default_text="the only neighbour",
        ),
    ] = None
    ack: Annotated[
        bool,
        Parameter(
            help="Wait until the other node has handed the message on, and repeat the"
            " parts that were lost. If nobody listens there, it keeps the message, and"
            " the exit status is 1."
        ),
    ] = False
    retries: Annotated[
        int,
        Parameter(
            help="With --ack: how often to ask again when no acknowledgement arrives.",
            values=Between(0),
        ),
    ] = RETRIES
    lines: Annotated[bool, Parameter(help="Send each line of stdin as a message.")] = (
        False
    )
    hex: Annotated[bool, Parameter(help="Read messages as hex digits.")] = False
    receipt: Annotated[
        bool, Parameter(help="Print the receipt of each message, too.")
    ] = False


def send(
    request: SendRequest, *, costed: Costed | None = None
) -> Answer[SentMessage | EventRecord]:
    """Yield what became of each message, and what arrived meanwhile.

    Parameters
    ----------
    costed
        Adds figures to receipts, which are then shown. Default: none.

    Raises
    ------
    MisuseError
        When the node cannot be used, or a message cannot be sent.
    """
    contents = _contents(request)
    has_costs = costed is not None
    shown = MessageDisplay(costed or uncosted, receipt=request.receipt or has_costs)
    # The first message is checked before the link is opened, the others when read.
    first = list(itertools.islice(contents, 1))
    with opened(request.node, request.link_options) as node:
        for content in itertools.chain(first, contents):
            yield from _send_one(node, content, request, shown)


def _send_one(
    node: Node | RemoteNode, content: bytes, request: SendRequest, shown: MessageDisplay
) -> Answer[SentMessage | EventRecord]:
    waiting = node.sending(
        content, to=request.to, acknowledged=request.ack, retries=request.retries
    )
    try:
        sent = yield from answers_of(waiting, shown)
    except NotAcknowledgedError as error:
        yield Refusal(str(error))
        return
    yield answer_of_sent(sent, shown)
    for text in doubts_of(sent):
        yield Notice(text)
    if sent.frames_missed and not request.ack:
        yield Refusal()


def _contents(request: SendRequest) -> Iterator[bytes]:
    is_stdin = request.message == STANDARD_STREAM.name
    if request.lines and not is_stdin:
        text = "--lines reads the messages from stdin: give - for MESSAGE"
        raise MisuseError(text)
    given = _lines() if request.lines else iter([_content(request.message)])
    return (_of_hex(each) for each in given) if request.hex else given


def _content(message: str) -> bytes:
    if message != STANDARD_STREAM.name:
        # Bytes that are not UTF-8 come as surrogates.
        return message.encode(errors="surrogateescape")
    with reading(STANDARD_STREAM) as file:
        return file.read(MESSAGE_SIZE_MAX + 1)


def _lines() -> Generator[bytes, None, None]:
    with reading(STANDARD_STREAM) as file:
        while line := file.readline(2 * MESSAGE_SIZE_MAX + 2):
            yield line.removesuffix(b"\n")


def _of_hex(content: bytes) -> bytes:
    return bytes_of_hex("--hex", content.decode("ascii", "replace").strip())
