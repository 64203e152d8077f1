# SPDX-License-Identifier: Apache-2.0
"""`samara node send` and `samara node listen`."""

import contextlib
import functools
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli import files
from samara.cli.device_option import CostDevice
from samara.cli.ending import when_asked
from samara.cli.inputs import bytes_of_hex
from samara.cli.link_options import takes_link_options
from samara.cli.node_output import Output
from samara.cli.outcome import ExitCode, MisuseError, say
from samara.link.node.alarms import Alarms
from samara.link.node.kinds import BROADCAST, LinkEndedError
from samara.link.node.local_client import RemoteNode
from samara.link.node.messages import MESSAGE_SIZE_MAX
from samara.link.node.node import Node, Received
from samara.link.node.sending import RETRIES, NotAcknowledgedError
from samara.records.parameters import spelled

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="Directory with the node's identity, keys and counters."
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON Lines (docs/json.md), with receipts.")
]
_Receipt = Annotated[
    bool, typer.Option("--receipt", help="Print the receipt of each message, too.")
]
# How often a wait is interrupted to see whether the command is to end.
_POLL_INTERVAL_S = 0.2


@takes_link_options(lambda option: option.at_each_run, "as the node was made")
def send(  # noqa: PLR0913 - one parameter an option
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
    receipt: _Receipt = False,
    device: CostDevice = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
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
    if lines and message != files.STANDARD_STREAM.name:
        text = "--lines reads the messages from stdin: give - for MESSAGE"
        raise MisuseError(text)
    given = _lines() if lines else iter([_content(message)])
    contents = (_of_hex(each) for each in given) if as_hex else given
    output = Output(as_json=as_json, receipts=receipt, device=device)
    code = ExitCode.DONE
    # The first message is checked before the link is opened, the others when read.
    first = list(itertools.islice(contents, 1))
    with _opened(folder, link_options) as node:
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


@takes_link_options(lambda option: option.at_each_run, "as the node was made")
def listen(  # noqa: PLR0913 - one parameter an option
    folder: Directory,
    *,
    count: Annotated[
        int | None,
        typer.Option(min=1, help="Stop after this many messages. Default: no limit."),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Stop after this many seconds; exit status 1 if fewer than --count"
            " messages arrived. Default: no limit.",
        ),
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw", help="Write the bytes of the messages as they are, and no more."
        ),
    ] = False,
    observe: Annotated[
        bool,
        typer.Option(
            "--observe",
            help="Take no messages: they are not acknowledged, and kept for another"
            " listener. For nodes that `samara node up` keeps up.",
        ),
    ] = False,
    receipt: _Receipt = False,
    device: CostDevice = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    """Print messages as they arrive, one a line, until Ctrl-C.

    Lost and refused messages are reported on stderr. A message is stored as received
    before it is printed: it is printed at most once, and replays never. Control
    characters and bytes that are not UTF-8 are printed as \\xNN. With --raw all bytes
    are written unchanged; do not use it on a terminal, which obeys control characters.

    If `samara node up` keeps the node up, messages come from that process, those that
    waited for a listener first. Each listener receives all of them. A message is
    acknowledged when one listener has printed it. If a listener or the node was killed
    in between, the message is printed again, and reported as a possible repetition.

    \b
    Examples:
      samara node listen bob
      samara node listen bob --count 1 --timeout 10 --json
      samara node listen bob --observe
    """
    if raw and (as_json or receipt or device):
        message = "--raw writes messages only: it excludes --json, --receipt, --device"
        raise MisuseError(message)
    output = Output(as_json=as_json, receipts=receipt, device=device, raw=raw)
    end_s = None if timeout is None else time.monotonic() + timeout
    missing = count
    is_over = when_asked()
    with_receipts = as_json or receipt or device is not None
    node = _opened(
        folder, link_options, receipts=with_receipts, count=count, takes=not observe
    )
    alarms = Alarms()
    with node, contextlib.suppress(LinkEndedError):
        # The link is listened to before this is said: nothing sent later is missed.
        events = node.receive(0)
        if node.warning is not None:
            say(f"warning: {node.warning}")
        say(f"{folder} listens; press Ctrl-C to stop")
        while True:
            for event in alarms.limited(events):
                output.event(event)
                if missing is not None and isinstance(event, Received):
                    missing -= 1
            if missing is not None and missing <= 0:
                break
            if is_over() or (end_s is not None and time.monotonic() >= end_s):
                break
            events = node.receive(_wait_s(end_s))
    output.events(alarms.rest())
    is_done = is_over() or missing is None or missing <= 0
    return ExitCode.DONE if is_done else ExitCode.REFUSED


def _opened(
    folder: Path,
    link_options: dict[str, Any],
    *,
    receipts: bool = True,
    count: int | None = None,
    takes: bool = True,
) -> Node | RemoteNode:
    """Return the node of the process that keeps it up, or else open it here."""
    remote = RemoteNode.of(folder)
    if remote is None:
        if takes:
            return Node(folder, link_options)
        message = (
            f"--observe is for a node that `samara node up` keeps up, and no process "
            f"keeps {folder} up: start it, or leave --observe out"
        )
        raise MisuseError(message)
    remote.receipts, remote.count, remote.takes = receipts, count, takes
    if link_options:
        remote.close()
        message = (
            f"{folder} is kept up by `samara node up`: give "
            f"{spelled(min(link_options))} there, not here"
        )
        raise MisuseError(message)
    return remote


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


def _wait_s(end_s: float | None) -> float:
    if end_s is None:
        return _POLL_INTERVAL_S
    return max(min(end_s - time.monotonic(), _POLL_INTERVAL_S), 0.0)
