# SPDX-License-Identifier: Apache-2.0
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

import contextlib
import signal
import sys
from collections.abc import Iterator

import typer
from rich.console import Console

from samara.cli.shared.diagnostics import say
from samara.cli.shared.streaming import Faces, streaming
from samara.cli.shared.tables import legend, print_text
from samara.demo.showing import DemoRequest, End, Rule, demonstrate

_INTERRUPTED = 130
"""The exit status of a program that Ctrl-C ended."""
_NEXT = """\
  samara demo --chat
  samara receipt explain --link ieee802154 --bytes 20 --device atmega128rfa1
  samara node init alice --link ieee802154"""


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
    except KeyboardInterrupt:
        say("interrupted; no process is left running")
        raise typer.Exit(_INTERRUPTED) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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


def _more(request: DemoRequest, _: Faces) -> dict[str, object]:
    return {"typed": _typed()} if request.chat else {}


def _print_rule(rule: Rule, screen: Console) -> None:
    screen.rule(rule.title, align="left")


def _print_end(end: End, screen: Console) -> None:
    print_text(screen, legend())
    if end.is_whole:
        took = f"\nTook {end.seconds:.0f} seconds. What to type next:\n{_NEXT}"
        print_text(screen, took)


command = streaming(
    demonstrate,
    json_help="Print messages, tables and text as JSON Lines.",
    shows={Rule: _print_rule, End: _print_end},
    more=_more,
    around=_signals_handled,
)
