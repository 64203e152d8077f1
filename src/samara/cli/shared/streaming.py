# SPDX-License-Identifier: Apache-2.0
"""Commands whose answer is shown while it comes: services, and what nodes exchange.

Options are made from the request. People are shown lines and tables as soon as they
come, with `--json` programs get records. Nothing of it is kept: a service may run for
months. A module of a command has one line that says so:

    command = streaming(listen)
"""

from __future__ import annotations

import contextlib
import inspect
import signal
import sys
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias

import typer

from samara.cli.shared.answering import asking, help_of_caller, keyword
from samara.cli.shared.diagnostics import ExitCode, say
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.progress import progress
from samara.cli.shared.showing import print_part
from samara.cli.shared.stop_signals import stop_on_signals
from samara.cli.shared.tables import console
from samara.records import Record
from samara.records.answers import (
    Digest,
    Notice,
    Octets,
    Progress,
    Refusal,
    types_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from rich.console import Console

    from samara.cli.shared.progress import TellProgress

Faces: TypeAlias = "Mapping[str, Any]"
"""The values of options that are not of the request, by name."""

_JSON_HELP = "Print JSON Lines (docs/json.md)."


def streaming(  # noqa: PLR0913 - all but the function by name
    function: Callable[..., Generator[Any, None, None]],
    *,
    json_help: str = _JSON_HELP,
    shows: Mapping[type[Any], Callable[[Any, Console], None]] | None = None,
    options: Mapping[str, tuple[Any, Any]] | None = None,
    more: Callable[[Any, Faces], Mapping[str, Any]] = lambda request, faces: {},  # noqa: ARG005
    beside: Callable[[Any], bool] = lambda request: False,  # noqa: ARG005
    always_json: Callable[[Any], bool] = lambda request: False,  # noqa: ARG005
    outlives_readers: bool = False,
    around: Callable[[], contextlib.AbstractContextManager[None]] = (
        contextlib.nullcontext
    ),
) -> Callable[..., int]:
    """Return a command that shows an answer while it comes.

    Parameters
    ----------
    function
        Takes a request, and yields an answer. If it takes `is_over`, too, it runs until
        that says so, at the latest when a signal asks the command to stop. It is closed
        at once when something cannot be printed.
    json_help
        What the help says of `--json`.
    shows
        Prints parts of the answer that only this command has, by their types.
    options
        More options of the command, by name: annotation and default.
    more
        Takes the request and the values of all other options, `as_json` among them;
        returns what the function is called with besides the request. It may refuse
        what does not go together.
    beside
        Tells for a request whether something else goes to stdout, such as a capture:
        then the answer goes to stderr.
    always_json
        Tells for a request whether people get JSON Lines, too.
    outlives_readers
        Whether the command goes on when what reads its output has ended.
    around
        Returns a context in which all of it is asked and shown.
    """
    stops = "is_over" in inspect.signature(function).parameters
    option = Annotated[bool, typer.Option("--json", help=json_help)]

    def act(_: typer.Context, request: Any, **faces: Any) -> int:  # noqa: ANN401 - of many types
        given = dict(more(request, faces))
        if outlives_readers:
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        is_json = faces["as_json"] or always_json(request)
        screen = _Screen(shows or {}, as_json=is_json, on_stderr=beside(request))
        if stops:
            given["is_over"] = stop_on_signals()
        with (
            around(),
            screen,
            contextlib.closing(function(request, **given)) as answer,
        ):
            for each in answer:
                screen.show(each)
        return screen.status

    own = {**(options or {}), "as_json": (option, False)}
    command = asking(function, act, [keyword(name, *own[name]) for name in own])
    command.prints = types_of(function)  # type: ignore[attr-defined]
    command.__doc__ = help_of_caller()
    return command


class _Screen:
    """Shows the parts of an answer, each at once."""

    def __init__(
        self,
        shows: Mapping[type[Any], Callable[[Any, Console], None]],
        *,
        as_json: bool,
        on_stderr: bool,
    ) -> None:
        self._shows, self._as_json = shows, as_json
        self._on_stderr = on_stderr
        self._bar = contextlib.ExitStack()
        self._tell: TellProgress | None = None
        self.status = ExitCode.DONE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def show(self, part: object) -> None:
        """Show one part, if it is for who reads the output."""
        if isinstance(part, Digest):
            for each in part.records if self._as_json else part.parts:
                self.show(each)
        elif isinstance(part, Notice):
            say(f"warning: {part.text}" if part.warns else part.text)
        elif isinstance(part, Progress):
            self._show_progress(part)
        elif isinstance(part, Refusal):
            self.status = ExitCode.REFUSED
            if part.text:
                say(part.text)
        elif self._as_json:
            self._print_record(part)
        else:
            self._print(part)

    def _show_progress(self, part: Progress) -> None:
        """Show a bar, from the first time on that an answer says how far it is."""
        if self._tell is None:
            self._tell = self._bar.enter_context(progress(part.doing))
        self._tell(part.share, part.doing)

    def _print_record(self, part: object) -> None:
        if isinstance(part, Record):
            print_record(part, stream=self._stream)

    def _print(self, part: object) -> None:
        if isinstance(part, Octets):
            sys.stdout.buffer.write(part.content)
            sys.stdout.buffer.flush()
        elif type(part) in self._shows:
            self._shows[type(part)](part, self._console())
        else:
            print_part(part, self._console())
        if sys.stdout is not None:
            sys.stdout.flush()

    @property
    def _stream(self) -> Any:  # noqa: ANN401 - a file
        return sys.stderr if self._on_stderr else sys.stdout

    def _console(self) -> Console:
        found = console()
        found.file = self._stream
        return found
