# SPDX-License-Identifier: Apache-2.0
"""Send a message of at most 1 MiB, and print what it cost.

Without --ack the sender does not know whether the message arrived. With it, exit
status 0 means that the other node has handed the message on, once. Exit status 1
means that this is not known: no acknowledgement arrived, or the other node was
stopped meanwhile. With --frame-retries the radio of the next node acknowledges each
frame: that the frame was received, not that it is genuine; exit status 1 means that
one was not acknowledged. If `samara node up` keeps the node up, that process sends.

\b
Examples:
  samara node send alice "21.5 C"
  samara node send alice "21.5 C" --receipt --device atmega128rfa1
  samara node send alice --ack --receipt - <reading
  samara node send alice --lines - --json <readings
  samara node send alice "21.5 C" --json | samara receipt show -
"""

import functools
import itertools
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from samara.cli.node.arguments import Directory, Json, Receipt
from samara.cli.node.output import EVENTS, Output
from samara.cli.shared import files
from samara.cli.shared.answering import prints
from samara.cli.shared.device_option import CostDevice
from samara.cli.shared.diagnostics import ExitCode, MisuseError, say
from samara.cli.shared.inputs import bytes_of_hex
from samara.cli.shared.link_options import takes_link_options
from samara.link.node.link import BROADCAST
from samara.link.node.message_records import SentMessage
from samara.link.node.messages import MESSAGE_SIZE_MAX
from samara.link.node.opening import opened
from samara.link.node.sending import RETRIES, NotAcknowledgedError


def _send(  # noqa: PLR0913 - one parameter an option
    folder: Directory,
    message: Annotated[
        str, typer.Argument(metavar="MESSAGE|-", help="Message; - reads it from stdin.")
    ],
    *,
    to: Annotated[
        str | None,
        typer.Option(
            metavar="NEIGHBOUR",
            help=f"Neighbour that the message is for; {BROADCAST} sends it to all."
            " Default: the only neighbour.",
        ),
    ] = None,
    ack: Annotated[
        bool,
        typer.Option(
            "--ack",
            help="Wait until the other node has handed the message on, and repeat the"
            " parts that were lost. If nobody listens there, it keeps the message, and"
            " the exit status is 1.",
        ),
    ] = False,
    retries: Annotated[
        int,
        typer.Option(
            min=0,
            help=f"With --ack: how often to ask again when no acknowledgement arrives."
            f" Default: {RETRIES}.",
            show_default=False,
        ),
    ] = RETRIES,
    lines: Annotated[
        bool, typer.Option("--lines", help="Send each line of stdin as a message.")
    ] = False,
    as_hex: Annotated[
        bool, typer.Option("--hex", help="Read messages as hex digits.")
    ] = False,
    receipt: Receipt = False,
    device: CostDevice = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    if lines and message != files.STANDARD_STREAM.name:
        text = "--lines reads the messages from stdin: give - for MESSAGE"
        raise MisuseError(text)
    given = _lines() if lines else iter([_content(message)])
    contents = (_of_hex(each) for each in given) if as_hex else given
    output = Output(as_json=as_json, receipts=receipt, device=device)
    code = ExitCode.DONE
    # The first message is checked before the link is opened, the others when read.
    first = list(itertools.islice(contents, 1))
    with opened(folder, link_options) as node:
        submit = functools.partial(
            node.send, to=to, acknowledged=ack, retries=retries, hand_on=output.event
        )
        for content in itertools.chain(first, contents):
            try:
                sent = submit(content)
                output.sent(sent)
                if sent.frames_missed and not ack:
                    code = ExitCode.REFUSED
            except NotAcknowledgedError as error:
                say(str(error))
                code = ExitCode.REFUSED
    return code


def _content(message: str) -> bytes:
    if message != files.STANDARD_STREAM.name:
        # Bytes that are not UTF-8 come as surrogates.
        return message.encode(errors="surrogateescape")
    with files.reading(files.STANDARD_STREAM) as file:
        return file.read(MESSAGE_SIZE_MAX + 1)


def _lines() -> Iterator[bytes]:
    with files.reading(files.STANDARD_STREAM) as file:
        while line := file.readline(2 * MESSAGE_SIZE_MAX + 2):
            yield line.removesuffix(b"\n")


def _of_hex(content: bytes) -> bytes:
    return bytes_of_hex("--hex", content.decode("ascii", "replace").strip())


command = prints(SentMessage, *EVENTS)(
    takes_link_options(lambda option: option.at_each_run, "as the node was made")(_send)
)
