# SPDX-License-Identifier: Apache-2.0
"""`samara demo`: messages between nodes over every link, and what they cost."""

import contextlib
import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from samara.cli.device_option import device_named
from samara.cli.outcome import ExitCode, MisuseError, say
from samara.cli.printable import printable
from samara.cli.receipt_tables import print_receipt, text_of
from samara.cli.tables import console, legend, print_figures, print_text
from samara.crypto.names import find
from samara.demo.exchange import Demonstration, Exchange
from samara.demo.links import LINKS, demonstration
from samara.demo.processes import Stage

_INTERRUPTED = 130
"""What a shell calls a program that Ctrl-C ended."""


def demo(
    *,
    link: Annotated[
        list[str] | None,
        typer.Option(metavar="LINK", help=f"Which: {', '.join(LINKS)}; all."),
    ] = None,
    device: Annotated[
        str,
        typer.Option(metavar="DEVICE", help="What receipts tell the costs on."),
    ] = "atmega128rfa1",
    chat: Annotated[
        bool,
        typer.Option("--chat", help="Send what you type, and watch it cross."),
    ] = False,
    case: Annotated[
        str | None,
        typer.Option(
            metavar="CASE", help="--chat: the framing or the level, as in the tables."
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Receipts, tables and readings, as JSON.")
    ] = False,
) -> int:
    """Send the papers' messages between nodes, and show what each cost.

    Nodes, modems and the air between them are processes that run while this
    does; nothing of them is left behind. Published figures stand beside ours.
    Takes less than a minute; Ctrl-C ends it.

    \b
    Examples:
      samara demo
      samara demo --link ieee802154 --device msp430f1611 --json
      echo "21.5 C" | samara demo --chat --link rf-serial
    """
    device = device_named(device).name
    names = link or list(LINKS)
    chosen = {name: demonstration(name, device) for name in names}
    if case is not None and not chat:
        message = "--case goes with --chat"
        raise MisuseError(message)
    try:
        with _tidying(), Stage() as stage:
            if chat:
                return _chat(stage, _only(chosen, link), case, as_json=as_json)
            start_s = time.monotonic()
            found, failed = _run(stage, chosen)
    except KeyboardInterrupt:
        say("interrupted; nothing is left running")
        return _INTERRUPTED
    seconds = time.monotonic() - start_s
    _show(chosen, found, seconds, as_json=as_json)
    for name, reason in failed.items():
        say(f"{name}: {reason}")
    missing = [e for of in found.values() for e in of if not e.crossed]
    if missing:
        say(f"{len(missing)} messages did not cross")
    if failed:
        return ExitCode.MISUSE
    return ExitCode.REFUSED if missing else ExitCode.DONE


@contextlib.contextmanager
def _tidying() -> Iterator[None]:
    """Let what ends this process at once end it in good order."""
    before = {
        signal.SIGHUP: signal.signal(
            signal.SIGHUP, lambda number, _: sys.exit(128 + number)
        ),
        # Who reads what is told may leave: writing to it then fails.
        signal.SIGPIPE: signal.signal(signal.SIGPIPE, signal.SIG_IGN),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- The papers' messages -----------------------------------------------------


def _run(
    stage: Stage, chosen: dict[str, Demonstration]
) -> tuple[dict[str, list[Exchange]], dict[str, str]]:
    """Run all that is chosen; on a terminal, show how far it is.

    Returns
    -------
    tuple
        The exchanges of the links that ran, and why the others did not.
    """
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    found: dict[str, list[Exchange]] = {}
    failed: dict[str, str] = {}
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        for name, one in chosen.items():
            task = progress.add_task(one.title, total=one.count)
            exchanges = []
            try:
                for exchange in one.run(stage):
                    exchanges.append(exchange)
                    words = f"{one.title}: {exchange.case}"
                    progress.update(task, advance=1, description=words)
            except MisuseError as error:
                failed[name] = str(error)
            else:
                found[name] = exchanges
    return found, failed


def _show(
    chosen: dict[str, Demonstration],
    found: dict[str, list[Exchange]],
    seconds: float,
    *,
    as_json: bool,
) -> None:
    if as_json:
        fields = {name: _as_json(chosen[name], of) for name, of in found.items()}
        print(json.dumps({"seconds": round(seconds, 3), "links": fields}, indent=2))
        return
    screen = console()
    for name, exchanges in found.items():
        _print(screen, chosen[name], exchanges)
    if found:
        print_text(screen, legend())


def _as_json(one: Demonstration, exchanges: Sequence[Exchange]) -> dict[str, Any]:
    return {
        "exchanges": [exchange.as_json() for exchange in exchanges],
        "tables": [table.as_json() for table in one.tables(exchanges)],
        "reading": one.reading(exchanges),
    }


def _print(screen: Console, one: Demonstration, exchanges: Sequence[Exchange]) -> None:
    screen.rule(one.title, align="left")
    for table in one.tables(exchanges):
        print_figures(table, screen)
        screen.print()
    print_text(screen, escape(one.reading(exchanges)))
    screen.print()


# --- What a person types ------------------------------------------------------


def _only(chosen: dict[str, Demonstration], link: list[str] | None) -> Demonstration:
    if link is not None and len(chosen) != 1:
        message = "--chat is over one link: give one --link"
        raise MisuseError(message)
    return next(iter(chosen.values()))


def _chat(stage: Stage, one: Demonstration, case: str | None, *, as_json: bool) -> int:
    known = {name: name for name in one.cases}
    chosen = find("case", case or one.cases[0], known)
    nodes = one.chat(stage, chosen)
    screen = console()
    say(f"two nodes are ready: {one.title}, {chosen}; an empty line ends")
    for message in _typed():
        exchange = nodes.send(message)
        if as_json:
            print(json.dumps(exchange.as_json()), flush=True)
        else:
            _print_exchange(screen, exchange)
        if not exchange.crossed:
            say("the message did not cross")
            return ExitCode.REFUSED
    return ExitCode.DONE


def _typed() -> Iterator[bytes]:
    """Yield the lines of stdin until an empty one, or the end."""
    if sys.stdin is None:
        return
    while True:
        if sys.stdin.isatty():
            print("message> ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.buffer.readline().rstrip(b"\r\n")
        if not line:
            return
        yield line


def _print_exchange(screen: Console, exchange: Exchange) -> None:
    screen.print(f"[bold]on the air[/] {exchange.air.hex()}", highlight=False)
    print_receipt(exchange.sent, screen)
    arrived, received = exchange.arrived, exchange.received
    text = "nothing" if arrived is None else printable(arrived)
    delivery = received and received.figures.get("delivery_time_by_clock")
    after = f" [dim](after {text_of(delivery)})" if delivery else ""
    screen.print(f"[bold]arrived[/]    {escape(text)}{after}", highlight=False)
