# SPDX-License-Identifier: Apache-2.0
"""An answer on stdout, while it comes: JSON Lines, or tables and sentences."""

from __future__ import annotations

import signal
import sys
from collections.abc import Generator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any

from rich.markup import escape

from samara.cli.shared.diagnostics import ExitCode, note, say, warn
from samara.cli.shared.json_lines import print_record
from samara.cli.shared.printable import printable_text
from samara.cli.shared.progress import progress
from samara.cli.shared.tables import console, print_figures, print_text
from samara.records import Record
from samara.records.answers import (
    Digest,
    Line,
    Notice,
    Progress,
    Refusal,
    Remark,
    Verbatim,
    Written,
)
from samara.records.composing import composed, is_shown
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from samara.cli.shared.progress import TellProgress

_INTERRUPTED = 128 + signal.SIGINT


@dataclass(slots=True)
class Showing:
    """Shows one answer."""

    as_json: bool
    doing: str = "computing"
    """What the progress bar says at first; empty: there is no bar."""
    makes_page: bool = False
    """Whether the answer is written as a page afterwards."""
    reads_records: bool = False
    """Whether `records` has the records afterwards, those of digests as well."""
    records: list[Record] = field(default_factory=list, init=False)
    _kept: list[Any] = field(default_factory=list, init=False)
    _expected: str = field(default="", init=False)

    def show(
        self, answer: Iterator[Any], *, wide: bool = False, keeps: str = ""
    ) -> list[Any]:
        """Show an answer while it comes; return all of it but its progress.

        Of a digest its parts are returned, if they are shown.

        Parameters
        ----------
        keeps
            As `samara.cli.shared.answering.answering` takes it.
        """
        with progress(self.doing) as tell:
            followed = self._followed(answer, tell)
            try:
                left = (_print_lines if self.as_json else _print_texts)(followed)
            except KeyboardInterrupt:
                if not keeps:
                    raise
                self._say_complete(keeps)
                left = [] if self.as_json else self._composed_anew()
        print_parts(left, wide=wide)
        return self._kept

    def _followed(self, answer: Iterator[Any], tell: TellProgress) -> Iterator[Any]:
        """Yield what is to be shown, and keep it."""
        for each in self._following(answer, tell):
            if isinstance(each, Digest):
                has_parts = self.makes_page or not self.as_json
                made = iter(each.parts if has_parts else ())
                parts = list(self._following(made, tell))
                self._keep(parts)
                records = self._read(each.records)
                yield from records if self.as_json else parts
            else:
                self._keep([each])
                if self.reads_records and isinstance(each, Record):
                    self.records.append(each)
                if isinstance(each, Refusal) and each.text:
                    note(each.text)
                if isinstance(each, Notice):
                    _tell(each)
                else:
                    yield each

    def _keep(self, parts: Iterable[Any]) -> None:
        """Keep parts; lines are printed as they come, for months perhaps."""
        self._kept.extend(
            each for each in parts if self.makes_page or not isinstance(each, Line)
        )

    def _read(self, records: Iterable[Record]) -> Iterable[Record]:
        """Return the records of a digest, and keep them if they are asked for."""
        if self.reads_records:
            records = list(records)
            self.records.extend(records)
        return records

    def _following(self, answer: Iterator[Any], tell: TellProgress) -> Iterator[Any]:
        """Yield the parts of an answer, and show in between how far it is.

        Ctrl-C then reaches the function of the room: it may end with what it has.
        """
        while True:
            try:
                try:
                    while isinstance(part := next(answer), Progress):
                        self._expected = f" of {part.records}" if part.records else ""
                        tell(part.share, part.doing)
                except KeyboardInterrupt as interruption:
                    if not isinstance(answer, Generator):
                        raise
                    part = answer.throw(interruption)
            except StopIteration:
                return
            if not isinstance(part, Progress):
                yield part

    def _say_complete(self, what: str) -> None:
        found = sum(isinstance(each, Record) for each in self._kept)
        say(f"stopped; {found}{self._expected} {what} are complete")

    def _composed_anew(self) -> list[Any]:
        notices = (Notice, Refusal)
        return list(
            composed(each for each in self._kept if not isinstance(each, notices))
        )


def _print_lines(answer: Iterator[Any]) -> list[Any]:
    """Print records as they come."""
    for each in answer:
        if isinstance(each, Record):
            print_record(each)
    return []


def _print_texts(answer: Iterator[Any]) -> list[Any]:
    """Print lines and verbatim text as they come, as long as nothing else came before.

    Return what is left to be printed.
    """
    left: list[Any] = []
    for part in composed(answer):
        if isinstance(part, Verbatim) and not left:
            print(part.text, flush=True)
        elif isinstance(part, Line) and not left:
            print_line(part)
        else:
            left.append(part)
    return left


def _tell(notice: Notice) -> None:
    if notice.at_once:
        say(notice.text)
    else:
        (warn if notice.warns else note)(notice.text)


def announced(answer: Iterator[Any], sentence: str) -> Iterator[Any]:
    """Yield an answer; say a sentence when its first item has come."""
    yield next(answer)
    say(sentence)
    yield from answer


def exit_status(answer: Iterable[Any]) -> int:
    """Return the exit status of a command that has shown an answer."""
    status: int = ExitCode.DONE
    for each in answer:
        if isinstance(each, Refusal):
            status = _INTERRUPTED if each.is_interruption else ExitCode.REFUSED
    return status


def print_parts(parts: Iterable[Any], *, wide: bool) -> None:
    """Print what `samara.records.composing` has made of an answer."""
    screen = console()
    for part in parts:
        print_part(part, screen, wide=wide)


def print_part(part: object, screen: Console, *, wide: bool | None = None) -> None:
    """Print a table, a sentence, a line or verbatim text; nothing of another kind."""
    if isinstance(part, Table):
        print_figures(part, screen, wide=wide)
    elif isinstance(part, Remark):
        text = escape(part.text)
        shown = f"[bold]{text}[/]" if part.emphasis else text
        print_text(screen, shown, wraps=not part.is_line)
    elif isinstance(part, Verbatim):
        print(part.text, file=screen.file)
    elif isinstance(part, Line):
        print_line(part, screen.file)


def print_line(line: Line, stream: IO[str] | None = None) -> None:
    """Print a line at once, which may contain what others have sent.

    Parameters
    ----------
    stream
        Where it goes unless it is beside the answer. Default: stdout.
    """
    if line.aside and not line.verbatim:
        say(line.text)
        return
    stream = sys.stderr if line.aside else stream or sys.stdout
    print(printable_text(line.text), file=stream, flush=True)


def written_of(answer: Iterable[Any]) -> Written:
    """Return what is written into a file: by default, what tables show."""
    for each in answer:
        if isinstance(each, Written):
            return each
    shown = [each for each in answer if isinstance(each, Record) and is_shown(each)]
    return Written([row for each in shown for row in each.table_rows()], shown)
