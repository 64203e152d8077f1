# SPDX-License-Identifier: Apache-2.0
"""`samara demo`: messages between nodes over each kind of link, with their cost."""

import contextlib
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from samara.cli.demo_over import PROTOCOLS, run_over, sizes_of
from samara.cli.receipt_tables import print_receipt, text_of
from samara.cli.shared.completion import complete_device, one_of
from samara.cli.shared.device_option import device_named
from samara.cli.shared.diagnostics import ExitCode, MisuseError, say
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.printable import printable
from samara.cli.shared.tables import console, legend, print_figures, print_text
from samara.crypto.names import find
from samara.demo.exchange import Demonstration, Exchange
from samara.demo.links import demonstration, links
from samara.demo.processes import Stage

_INTERRUPTED = 130
"""The exit status of a program that Ctrl-C ended."""
_DEFAULT_DEVICE = "atmega128rfa1"
_NEXT = """\
  samara demo --chat
  samara receipt explain --link ieee802154 --bytes 20 --device atmega128rfa1
  samara node init alice --link ieee802154"""


def demo(  # noqa: PLR0913 - one parameter an option
    *,
    link: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LINK",
            autocompletion=one_of(links),
            help=f"Kind of link to demonstrate (repeatable): {', '.join(links())}."
            " Default: all.",
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            metavar="DEVICE",
            autocompletion=complete_device,
            help="Microcontroller of the costs, as listed by `samara bench devices`."
            f" Default: {_DEFAULT_DEVICE}.",
            show_default=False,
        ),
    ] = _DEFAULT_DEVICE,
    chat: Annotated[
        bool,
        typer.Option(
            "--chat", help="Send each line of stdin instead of the papers' messages."
        ),
    ] = False,
    case: Annotated[
        str | None,
        typer.Option(
            metavar="CASE",
            help="With --chat: framing or security level, as the tables name them."
            " Default: the best of the link.",
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option(
            metavar="PROTOCOL",
            autocompletion=one_of(lambda: PROTOCOLS),
            help="Instead: let files cross a link (--link; default: ieee802154) by"
            " programs of a protocol, with and without security:"
            f" {', '.join(PROTOCOLS)}; needs root.",
        ),
    ] = None,
    size: Annotated[
        list[str] | None,
        typer.Option(
            "--size",
            "--sizes",
            metavar="BYTES",
            help="With --over: sizes of files, as 1k,10k,100k (repeatable; at most"
            " 100k). Default: 1k,10k.",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print messages, tables and text as JSON Lines."),
    ] = False,
) -> int:
    """Send the papers' messages between nodes, and show what each cost.

    Starts nodes, modems and the simulated air between them as processes, and ends
    all of them when it ends. Published figures are printed next to those of samara.
    Takes less than a minute; Ctrl-C stops it.

    \b
    Examples:
      samara demo
      samara demo --link ieee802154 --device msp430f1611 --json
      echo "21.5 C" | samara demo --chat --link rf-serial
      samara demo --over coap --sizes 1k,100k
      samara demo --over tftp --link rf-serial --sizes 1k
    """
    device = device_named(device).name
    if over is not None:
        if chat or case:
            message = "--over excludes --chat and --case: leave them out"
            raise MisuseError(message)
        find("protocol", over, dict.fromkeys(PROTOCOLS))
        sizes = None if size is None else sizes_of(size)
        return run_over(over, link, sizes, device, as_json=as_json)
    if size is not None:
        message = "--size needs --over: give both"
        raise MisuseError(message)
    names = link or list(links())
    chosen = {name: demonstration(name, device) for name in names}
    if case is not None and not chat:
        message = "--case needs --chat: give both"
        raise MisuseError(message)
    try:
        with _signals_handled(), Stage() as stage:
            if chat:
                return _chat(stage, _only(chosen, link), case, as_json=as_json)
            return _run_all(stage, chosen, as_json=as_json)
    except KeyboardInterrupt:
        say("interrupted; no process is left running")
        return _INTERRUPTED


@contextlib.contextmanager
def _signals_handled() -> Iterator[None]:
    """Let a signal that would end this process at once end the others first."""
    before = {
        signal.SIGHUP: signal.signal(
            signal.SIGHUP, lambda number, _: sys.exit(128 + number)
        ),
        # The reader of the output may end: then writing fails.
        signal.SIGPIPE: signal.signal(signal.SIGPIPE, signal.SIG_IGN),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- The papers' messages -----------------------------------------------------


def _run_all(stage: Stage, chosen: dict[str, Demonstration], *, as_json: bool) -> int:
    """Run one demonstration after the other, and print each when it is done."""
    start_s = time.monotonic()
    missing, failed = 0, {}
    for name, one in chosen.items():
        try:
            exchanges = _run(stage, one, as_json=as_json)
        except MisuseError as error:
            failed[name] = str(error)
        else:
            missing += sum(not exchange.crossed for exchange in exchanges)
            _show(name, one, exchanges, as_json=as_json)
    _print_end(time.monotonic() - start_s, as_json=as_json)
    for name, reason in failed.items():
        say(f"{name}: {reason}")
    if missing:
        say(f"{missing} messages did not arrive")
    if failed:
        return ExitCode.MISUSE
    return ExitCode.REFUSED if missing else ExitCode.DONE


def _run(stage: Stage, one: Demonstration, *, as_json: bool) -> list[Exchange]:
    """Run a demonstration; on a terminal, show its progress."""
    screen = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    exchanges = []
    with Progress(
        *columns, console=screen, transient=True, disable=not screen.is_terminal
    ) as progress:
        task = progress.add_task(one.title, total=one.count)
        for exchange in one.run(stage):
            exchanges.append(exchange)
            if as_json:
                print_json("exchange", exchange.as_json())
            words = f"{one.title}: {exchange.case}"
            progress.update(task, advance=1, description=words)
    return exchanges


def _show(
    link: str, one: Demonstration, exchanges: Sequence[Exchange], *, as_json: bool
) -> None:
    """Print what the figures of one link say, then the figures."""
    if as_json:
        for table in one.tables(exchanges):
            print_json("table", {"link": link, **table.as_json()})
        print_json("reading", {"link": link, "text": one.reading(exchanges)})
        return
    screen = console()
    screen.rule(one.title, align="left")
    print_text(screen, escape(one.reading(exchanges)))
    screen.print()
    for table in one.tables(exchanges):
        print_figures(table, screen)
        screen.print()


def _print_end(seconds: float, *, as_json: bool) -> None:
    if as_json:
        print_json("demo", {"duration_s": round(seconds, 3)})
        return
    screen = console()
    print_text(screen, legend())
    print_text(screen, f"\nTook {seconds:.0f} seconds. What to type next:\n{_NEXT}")


# --- What a person types ------------------------------------------------------


def _only(chosen: dict[str, Demonstration], link: list[str] | None) -> Demonstration:
    if link is not None and len(chosen) != 1:
        message = "--chat uses one link: give one --link"
        raise MisuseError(message)
    return next(iter(chosen.values()))


def _chat(stage: Stage, one: Demonstration, case: str | None, *, as_json: bool) -> int:
    known = {name: name for name in one.cases}
    chosen = find("case", case or one.cases[0], known)
    nodes = one.chat(stage, chosen)
    screen = console()
    say(f"two nodes are ready: {one.title}, {chosen}; an empty line stops")
    for message in _typed():
        exchange = nodes.send(message)
        if as_json:
            print_json("exchange", exchange.as_json())
        else:
            _print_exchange(screen, exchange)
        if not exchange.crossed:
            say("the message did not arrive")
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
