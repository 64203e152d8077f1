# SPDX-License-Identifier: Apache-2.0
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

import contextlib
import functools
from pathlib import Path
from typing import Annotated, Any

import typer

from samara.cli.node.arguments import Directory, Json, Receipt
from samara.cli.node.output import EVENTS, Output
from samara.cli.shared.answering import prints
from samara.cli.shared.device_option import CostDevice
from samara.cli.shared.diagnostics import ExitCode, MisuseError, say
from samara.cli.shared.link_options import takes_link_options
from samara.cli.shared.stop_signals import stop_on_signals
from samara.link.node.events import Received
from samara.link.node.listening import listen


def _listen(  # noqa: PLR0913 - one parameter an option
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
    receipt: Receipt = False,
    device: CostDevice = None,
    as_json: Json = False,
    link_options: dict[str, Any],
) -> int:
    if raw and (as_json or receipt or device):
        message = "--raw writes messages only: it excludes --json, --receipt, --device"
        raise MisuseError(message)
    output = Output(as_json=as_json, receipts=receipt, device=device, raw=raw)
    is_over = stop_on_signals()
    events = listen(
        folder,
        link_options,
        count=count,
        timeout_s=timeout,
        takes=not observe,
        receipts=as_json or receipt or device is not None,
        ready=functools.partial(_ready, folder),
        is_over=is_over,
    )
    received = 0
    # What could not be printed is not acknowledged: the node is closed at once.
    with contextlib.closing(events):
        for event in events:
            output.event(event)
            received += isinstance(event, Received)
    is_done = is_over() or count is None or received >= count
    return ExitCode.DONE if is_done else ExitCode.REFUSED


def _ready(folder: Path, warning: str | None) -> None:
    if warning is not None:
        say(f"warning: {warning}")
    say(f"{folder} listens; press Ctrl-C to stop")


command = prints(*EVENTS)(
    takes_link_options(lambda option: option.at_each_run, "as the node was made")(
        _listen
    )
)
