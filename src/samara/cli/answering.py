# SPDX-License-Identifier: Apache-2.0
"""Commands that ask a function of a room, and show its answer.

Options are made from the request, the output from the records: a table, with `--json`
JSON Lines, with `-o` a file. A module of a command has one line that says so:

    command = answering(life, paint=paint_lives)
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer
from rich.markup import escape

from samara.cli.diagnostics import note, warn
from samara.cli.from_parameters import option_of
from samara.cli.json_lines import Json
from samara.cli.output_files import checked_output, write_file
from samara.cli.progress import progress
from samara.cli.tables import Wide, console, print_figures, print_text
from samara.records import Record
from samara.records.answers import Notice, Progress, Remark, Title, types_of
from samara.records.json_lines import record_line
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.records.tables import Table, shown_leaves, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from samara.cli.output_files import Paint


def answering(
    function: Callable[[Any], Iterator[Any]],
    *,
    paint: Paint | None = None,
    writes: bool = True,
) -> Callable[..., None]:
    """Return a command that asks a function of a room.

    Parameters
    ----------
    function
        Takes a request, whose class is the type of its parameter, and yields an answer.
        The command's help is the docstring of the module that calls this.
    paint
        Draws the records into an empty figure with these colours: the command has
        `-o` for pictures and tables. Default: for tables alone.
    writes
        Whether it has `-o`, for the records that tables show: not without such.
    """
    hints = get_type_hints(function)
    kind = hints[next(iter(inspect.signature(function).parameters))]
    parameters = {each.name: each for each in parameters_of(kind)}
    faces = _faces(pictures=paint is not None)
    if not writes:
        del faces["output"]

    def run(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - of many types
        output, as_json, wide = (given.pop(name, None) for name in _FACES)
        path = checked_output(output, pictures=paint is not None)
        try:
            request = from_values(kind, given)
        except ParameterError as error:
            raise bad_option(context, error) from None
        records = _show(function(request), as_json=as_json, wide=wide)
        if path is not None:
            shown = [each for each in records if _is_shown(each)]
            write_file(path, shown, paint)

    own = [option_of(each) for each in parameters.values()]
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for name, (annotation, default) in faces.items()
    ]
    context = inspect.Parameter(
        "context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context
    )
    # Options of groups stand below the others in the help.
    own.sort(key=lambda each: bool(parameters[each.name].group))
    signature = [context, *own, *shared]
    run.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in signature}
    run.prints = types_of(function)  # type: ignore[attr-defined]
    run.__doc__ = sys._getframe(1).f_globals["__doc__"]  # noqa: SLF001 - the caller's
    return run


_FACES = ("output", "as_json", "wide")


def _faces(*, pictures: bool) -> dict[str, tuple[Any, Any]]:
    """Return the options of all such commands: annotation and default."""
    picture = "; .png or .svg, a picture" if pictures else ""
    output = typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help=f"Write the answer as FILE too: .csv, a table{picture}."
        " Default: write no file.",
    )
    return {
        "output": (Annotated[Path | None, output], None),
        "as_json": (Json, False),
        "wide": (Wide, False),
    }


_Command = TypeVar("_Command", bound="Callable[..., Any]")


def prints(*kinds: type[Record]) -> Callable[[_Command], _Command]:
    """Say which records a command prints that is not made by `answering`.

    docs/json.md names the command with their types.
    """

    def said(command: _Command) -> _Command:
        command.prints = kinds  # type: ignore[attr-defined]
        return command

    return said


def bad_option(
    context: typer.Context | None, error: ParameterError
) -> typer.BadParameter:
    """Return an error of the request as one of the option on the command line."""
    spelled = error.parameter.spelled
    problem = error.problem.replace("must be ", "expected ", 1)
    return typer.BadParameter(problem, ctx=context, param_hint=f"'{spelled}'")


def _show(answer: Iterator[Any], *, as_json: bool, wide: bool) -> list[Record]:
    """Show an answer while it comes; return its records."""
    shown = _JsonLines() if as_json else _Tables(wide=wide)
    with progress("computing") as tell:
        for each in answer:
            if isinstance(each, Progress):
                tell(each.share, each.doing)
            elif isinstance(each, Notice):
                (warn if each.warns else note)(each.text)
            else:
                shown.take(each)
    return shown.end()


def _is_shown(record: Record) -> bool:
    """Tell whether tables show a record; others are for programs alone."""
    return bool(shown_leaves(type(record.rows()[0])))


class _JsonLines:
    """Prints records as they come."""

    def __init__(self) -> None:
        self._records: list[Record] = []

    def take(self, each: Record | Title | Remark | Table) -> None:
        if isinstance(each, Record):
            self._records.append(each)
            print(record_line(each), flush=True)

    def end(self) -> list[Record]:
        return self._records


class _Tables:
    """Prints a table when the records below a title are complete; then all remarks.

    Records without headings are for programs alone.
    """

    def __init__(self, *, wide: bool) -> None:
        self._wide = wide
        self._records: list[Record] = []
        self._rows: list[Record] = []
        self._title: Title | None = Title("")
        self._remarks: list[str] = []

    def take(self, each: Record | Title | Remark | Table) -> None:
        if isinstance(each, Record):
            self._records.append(each)
            if _is_shown(each):
                self._rows.append(each)
            return
        if isinstance(each, Remark):
            self._remarks.append(each.text)
            return
        if self._rows:
            self._print()
        if isinstance(each, Table):
            print_figures(each, console(), wide=self._wide)
        self._title = None if isinstance(each, Table) else each

    def end(self) -> list[Record]:
        if self._rows or self._title:
            self._print()
        for text in self._remarks:
            print_text(console(), escape(text))
        return self._records

    def _print(self) -> None:
        rows, self._rows = self._rows, []
        _print_table(rows, self._title or Title(""), wide=self._wide)


def _print_table(records: Sequence[Record], title: Title, *, wide: bool) -> None:
    screen = console()
    if not records:
        text = f"{title.text}: {title.empty}" if title.text else title.empty
        print_text(screen, escape(text))
        return
    print_figures(table_of(records, title.text, title.caption), screen, wide=wide)
