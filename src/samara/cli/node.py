# SPDX-License-Identifier: Apache-2.0
"""`samara node`: the ends of a link, each a process of its own."""

import contextlib
import functools
import itertools
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from samara.cli import files
from samara.cli.ending import when_asked
from samara.cli.inputs import bytes_of_hex
from samara.cli.link_options import takes_link_options
from samara.cli.outcome import ExitCode, MisuseError, say, warn
from samara.cli.printable import printable, printable_text
from samara.cli.receipt_tables import print_receipt
from samara.cli.tables import console
from samara.link.node import folder as folders
from samara.link.node import rekeying
from samara.link.node.kinds import LinkEndedError, kinds
from samara.link.node.messages import MESSAGE_SIZE_MAX
from samara.link.node.node import (
    RETRIES,
    TOTALS,
    Event,
    Incomplete,
    Lost,
    Node,
    NotAcknowledgedError,
    Notice,
    Received,
    Refused,
    Sent,
)
from samara.link.node.receipt import Receipt
from samara.link.node.state import is_in_use, numbers_in

app = typer.Typer(
    help="Exchange messages over a link, and survive being killed.",
    no_args_is_help=False,
)

_Folder = Annotated[
    Path, typer.Argument(metavar="DIR", help="The node's folder: who it is.")
]
_Json = Annotated[bool, typer.Option("--json", help="As JSON, receipts included.")]
_Receipt = Annotated[bool, typer.Option("--receipt", help="Show what it cost, too.")]
# How long a wait may last before a request to end is looked at.
_PATIENCE_S = 0.2


@app.command("init")
@takes_link_options(lambda _: True)
def init(
    folder: _Folder,
    *,
    link: Annotated[
        str | None,
        typer.Option(metavar="LINK", help=f"Kind of link: {', '.join(kinds())}."),
    ] = None,
    pair_with: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR|FILE",
            help="Make the other end of that node; FILE is its pair.json.",
        ),
    ] = None,
    allow_unauthenticated: Annotated[
        bool,
        typer.Option(
            "--allow-unauthenticated",
            help="Make nodes that accept forged messages and replays.",
        ),
    ] = False,
    link_options: dict[str, Any],
) -> None:
    """Make a node: its identity, keys and counters, in a folder of its own.

    The first node of a pair draws the keys of both and says how they talk; the
    second is made from it, once. On another machine: move pair.json of the
    first node's folder there, over a way that nobody listens to.

    Security levels 0 and 4 and all framings but sealed do not authenticate
    messages; they need --allow-unauthenticated.

    \b
    Examples:
      samara node init alice --link ieee802154
      samara node init bob --pair-with alice
      samara node init left --link rf-serial --port /dev/ttyUSB0 --baud 115200
      samara node init right --pair-with left --port /dev/ttyUSB1
      samara node init near --link sdr --radio uhd: --frequency 868.3e6
    """
    if (link is None) == (pair_with is None):
        message = "give --link for the first node of a pair, --pair-with for the second"
        raise MisuseError(message)
    if pair_with is None:
        folders.make_pair(
            folder, str(link), link_options, allow_unauthenticated=allow_unauthenticated
        )
        print(
            f"made {folder}; its other end: samara node init DIR --pair-with {folder}"
        )
    else:
        if pair_with.is_dir():
            rekeying.finish(pair_with)
        made = folders.make_second(folder, pair_with, link_options)
        print(f"made {folder}, the other end of a link of {made}")
    _warn_of(folder)


@app.command("rekey")
def rekey(folder: _Folder) -> None:
    """Give a node new keys, and write a new pair.json for the other end.

    The settings stay; counters begin at zero. This is the way on for a node that
    was restored from a backup, copied or damaged. The other end has the old keys
    until it is made anew: remove its folder, then run `samara node init` with
    --pair-with. Old keys are deleted. When this is interrupted, the node has
    either its old keys or the new ones.

    \b
    Examples:
      samara node rekey alice
      rm -r bob; samara node init bob --pair-with alice
    """
    rekeying.rekey(folder)
    print(
        f"{folder} has new keys; its other end: samara node init DIR --pair-with "
        f"{folder}"
    )
    _warn_of(folder)


@app.command("send")
@takes_link_options(lambda option: option.at_each_run, "as the node was made")
def send(  # noqa: PLR0913 - one parameter an option
    folder: _Folder,
    message: Annotated[
        str, typer.Argument(metavar="MESSAGE|-", help="What to say; - is stdin.")
    ],
    *,
    ack: Annotated[
        bool,
        typer.Option("--ack", help="Wait until it was handed on; repeat what is lost."),
    ] = False,
    retries: Annotated[
        int, typer.Option(min=0, help="How often --ack asks again without an answer.")
    ] = RETRIES,
    lines: Annotated[
        bool, typer.Option("--lines", help="Each line of stdin is a message.")
    ] = False,
    as_hex: Annotated[
        bool, typer.Option("--hex", help="Messages are given as hex digits.")
    ] = False,
    receipt: _Receipt = False,
    as_json: _Json = False,
    link_options: dict[str, Any],
) -> int:
    """Send a message of at most 1 MiB, and tell what that cost.

    Without --ack nobody tells whether it arrived. With it, exit code 1 says that
    the other end did not confirm it.

    \b
    Examples:
      samara node send alice "21.5 C"
      samara node send alice --ack --receipt - <reading
      samara node send alice --lines - --json <readings
    """
    if lines and message != files.STANDARD_STREAM.name:
        message = "--lines takes - for MESSAGE: lines come from stdin"
        raise MisuseError(message)
    given = _lines() if lines else iter([_content(message)])
    contents = (_of_hex(each) for each in given) if as_hex else given
    code = ExitCode.DONE
    tell = functools.partial(_tell, as_json=as_json, receipt=receipt, raw=False)
    # The first is looked at before anything is opened, the others as they come.
    first = list(itertools.islice(contents, 1))
    with Node(folder, link_options) as node:
        for content in itertools.chain(first, contents):
            try:
                sent = node.send(
                    content, acknowledged=ack, retries=retries, hand_on=tell
                )
            except NotAcknowledgedError as error:
                say(str(error))
                code = ExitCode.REFUSED
            else:
                _tell_sent(sent, as_json=as_json, receipt=receipt)
    return code


@app.command("listen")
@takes_link_options(lambda option: option.at_each_run, "as the node was made")
def listen(  # noqa: PLR0913 - one parameter an option
    folder: _Folder,
    *,
    count: Annotated[
        int | None, typer.Option(min=1, help="End after so many messages.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            help="End then; exit code 1 when fewer than --count came.",
        ),
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="The messages' bytes and nothing else.")
    ] = False,
    receipt: _Receipt = False,
    as_json: _Json = False,
    link_options: dict[str, Any],
) -> int:
    """Print messages as they arrive, one a line, until Ctrl-C.

    What was lost or refused is told on stderr. A message is stored as taken
    before it is printed, so that no replay is ever printed, and printed at most
    once. Control characters and bytes that are not text are shown as \\xNN; --raw
    writes all bytes as they are, which a pipe wants and a terminal obeys.

    \b
    Examples:
      samara node listen bob
      samara node listen bob --count 1 --timeout 10 --json
    """
    if raw and as_json:
        message = "--raw and --json cannot both be had"
        raise MisuseError(message)
    end_s = None if timeout is None else time.monotonic() + timeout
    missing = count
    is_over = when_asked()
    with Node(folder, link_options) as node, contextlib.suppress(LinkEndedError):
        # It hears before it says so: what is sent from then on is not missed.
        events = node.receive(0)
        if node.warning is not None:
            say(f"warning: {node.warning}")
        say(f"{folder} listens; Ctrl-C ends it")
        while True:
            for event in events:
                _tell(event, as_json=as_json, receipt=receipt, raw=raw)
                if missing is not None and isinstance(event, Received):
                    missing -= 1
            if missing is not None and missing <= 0:
                return ExitCode.DONE
            if is_over() or (end_s is not None and time.monotonic() >= end_s):
                break
            events = node.receive(_patience_s(end_s))
    return ExitCode.DONE if is_over() or not missing else ExitCode.REFUSED


@app.command("status")
def status(folder: _Folder, *, as_json: _Json = False) -> None:
    """Tell who a node is, its counters, and what it has seen so far.

    \b
    Examples:
      samara node status alice
      samara node status alice --json
    """
    rekeying.finish(folder)
    node = folders.read(folder)
    numbers = numbers_in(folder)
    fields: dict[str, Any] = {
        "link": node.link,
        "in_use": is_in_use(folder),
        "warning": folders.warning_of(node.link, node.end),
        "settings": node.end.settings,
        "totals": {name: numbers.get(name, 0) for name in TOTALS},
        "counters": {n: v for n, v in sorted(numbers.items()) if n not in TOTALS},
    }
    if as_json:
        print(json.dumps(fields, indent=2))
        return
    table = Table("node", str(folder))
    table.add_row("link", node.link)
    table.add_row("in use", "yes" if fields["in_use"] else "no")
    for group in ("settings", "totals", "counters"):
        for name, value in fields[group].items():
            shown = escape(printable_text(str(value)))
            table.add_row(str(name).replace("_", " "), shown)
    console().print(table)
    _warn_of(folder)


def _warn_of(folder: Path) -> None:
    node = folders.read(folder)
    if text := folders.warning_of(node.link, node.end):
        warn(text)


def _content(message: str) -> bytes:
    if message != "-":
        # As it came: what is no text was bytes to begin with.
        return message.encode(errors="surrogateescape")
    with files.reading(files.STANDARD_STREAM) as file:
        return file.read(MESSAGE_SIZE_MAX + 1)


def _lines() -> Iterator[bytes]:
    with files.reading(files.STANDARD_STREAM) as file:
        while line := file.readline(2 * MESSAGE_SIZE_MAX + 2):
            yield line.removesuffix(b"\n")


def _of_hex(content: bytes) -> bytes:
    return bytes_of_hex("--hex", content.decode("ascii", "replace").strip())


def _patience_s(end_s: float | None) -> float:
    if end_s is None:
        return _PATIENCE_S
    return max(min(end_s - time.monotonic(), _PATIENCE_S), 0.0)


def _tell_sent(sent: Sent, *, as_json: bool, receipt: bool) -> None:
    if as_json:
        fields = {
            "event": "sent",
            "air": [each.carrier.encoded.hex() for each in sent.transmissions],
            "clock_s": sent.clock_s,
            "acknowledged": sent.is_acknowledged,
            "receipt": sent.receipt.as_json(),
        }
        print(json.dumps(fields), flush=True)
    elif receipt:
        print_receipt(sent.receipt, console())
    else:
        print(_summary(sent.receipt), flush=True)


def _summary(receipt: Receipt) -> str:
    expansion = receipt.expansion
    ratio = "" if expansion is None else f", {expansion:.2f} times the message"
    return (
        f"{receipt.direction}: {receipt.message_bytes:g} bytes in {receipt.packets} "
        f"packets of {receipt.link_bytes:g} bytes together{ratio}"
    )


def _tell(event: Event, *, as_json: bool, receipt: bool, raw: bool) -> None:
    if as_json:
        print(json.dumps(_as_json(event)), flush=True)
        return
    match event:
        case Received(message):
            _print_message(message, raw=raw)
            if receipt:
                print_receipt(event.receipt, console())
        case Lost(transmissions):
            say(f"{transmissions} transmissions did not arrive")
        case Incomplete(missing):
            say(f"of a message, {missing} parts did not arrive")
        case Refused(reason):
            say(f"refused: {reason}")
        case Notice(text):
            say(text)


def _print_message(message: bytes, *, raw: bool) -> None:
    if raw:
        sys.stdout.buffer.write(message)
        sys.stdout.buffer.flush()
    else:
        print(printable(message), flush=True)


def _as_json(event: Event) -> dict[str, Any]:
    match event:
        case Received(message):
            fields = {
                "bytes": len(message),
                "hex": message.hex(),
                "text": message.decode(errors="backslashreplace"),
                "air": [each.encoded.hex() for each in event.carriers],
                "clock_s": event.clock_s,
                "receipt": event.receipt.as_json(),
            }
        case Lost(transmissions):
            fields = {"transmissions": transmissions}
        case Incomplete(missing):
            fields = {"missing": missing}
        case Refused(reason):
            fields = {"reason": reason}
        case Notice(text):
            fields = {"text": text}
    return {"event": type(event).__name__.lower(), **fields}
