# SPDX-License-Identifier: Apache-2.0
"""Commands that ask a function of a room, and show its answer.

Options are made from the request, the output from the records: a table, with `--json`
JSON Lines, with `-o` a file, with `--html` a page. A module of a command has one
line that says so:

    command = answering(life, paint=paint_lives)
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer
from rich.markup import escape

from samara.cli.shared.diagnostics import note, warn
from samara.cli.shared.from_parameters import option_of
from samara.cli.shared.json_lines import Json, print_record
from samara.cli.shared.output_files import (
    Picture,
    checked_output,
    checked_page,
    write_file,
    write_page,
)
from samara.cli.shared.progress import progress
from samara.cli.shared.tables import Wide, console, print_figures, print_text
from samara.records import Record
from samara.records.answers import Digest, Notice, Progress, Remark, Written, types_of
from samara.records.composing import composed, is_shown
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.records.parts import Heading
from samara.records.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from samara.cli.shared.output_files import Paint


def answering(
    function: Callable[[Any], Iterator[Any]],
    *,
    paint: Paint | None = None,
    size: tuple[float, float] | None = None,
    writes: bool = True,
    csv: Callable[[Any], str] | None = None,
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
    size
        Width and height of the picture in inches.
    writes
        Whether it has `-o`, for the records that tables show: not without such. All
        commands have `--html`.
    csv
        Takes the request, and returns the answer as CSV: the command has `--csv`.
    """
    hints = get_type_hints(function)
    kind = hints[next(iter(inspect.signature(function).parameters))]
    parameters = {each.name: each for each in parameters_of(kind)}
    shown_by = _faces(pictures=paint is not None)
    if not writes:
        del shown_by["output"]
    if csv is None:
        del shown_by["as_csv"]

    def run(context: typer.Context, **given: Any) -> None:  # noqa: ANN401 - of many types
        faces = (given.pop(name, None) for name in _FACES)
        output, html, as_json, as_csv, wide = faces
        path = checked_output(output, pictures=paint is not None)
        page = checked_page(html)
        try:
            request = from_values(kind, given)
        except ParameterError as error:
            raise bad_option(context, error) from None
        if csv is not None and as_csv:
            print(csv(request), end="")
            return
        answer = _show(
            function(request), as_json=as_json, wide=wide, has_page=page is not None
        )
        picture = Picture(paint, size) if paint else None
        written = _written(answer)
        if path is not None:
            write_file(path, written, picture)
        if page is not None:
            write_page(page, answer, _heading(context), written, picture)

    own = [option_of(each) for each in parameters.values()]
    shared = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )
        for name, (annotation, default) in shown_by.items()
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


_FACES = ("output", "html", "as_json", "as_csv", "wide")


Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, with units in the heads.")]


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
    html = typer.Option(
        "--html",
        metavar="FILE",
        help="Write the answer as a page too. Default: write no page.",
    )
    return {
        "output": (Annotated[Path | None, output], None),
        "html": (Annotated[Path | None, html], None),
        "as_json": (Json, False),
        "as_csv": (Csv, False),
        "wide": (Wide, False),
    }


def _heading(context: typer.Context) -> Heading:
    """Return what stands above a command's page: its name, and what its help says."""
    told = (context.command.help or "").split("\n\n")[0]
    return Heading(context.command_path, " ".join(told.split()))


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


def _written(answer: Iterable[Any]) -> Written:
    """Return what is written into a file: by default, what tables show."""
    for each in answer:
        if isinstance(each, Written):
            return each
    shown = [each for each in answer if isinstance(each, Record) and is_shown(each)]
    return Written([row for each in shown for row in each.rows()], shown)


def _show(
    answer: Iterator[Any], *, as_json: bool, wide: bool, has_page: bool
) -> list[Any]:
    """Show an answer while it comes; return all of it but its progress.

    Of a digest its parts are returned, if they are shown.
    """
    kept: list[Any] = []
    with progress("computing") as tell:

        def kept_of(answer: Iterator[Any]) -> Iterator[Any]:
            for each in answer:
                if isinstance(each, Progress):
                    tell(each.share, each.doing)
                    continue
                if isinstance(each, Digest):
                    parts = list(each.parts) if has_page or not as_json else []
                    kept.extend(parts)
                    yield from each.records if as_json else parts
                    continue
                kept.append(each)
                if isinstance(each, Notice):
                    (warn if each.warns else note)(each.text)
                else:
                    yield each

        if as_json:
            _print_lines(kept_of(answer))
            return kept
        shown = list(composed(kept_of(answer)))
    print_parts(shown, wide=wide)
    return kept


def _print_lines(answer: Iterator[Any]) -> None:
    """Print records as they come."""
    for each in answer:
        if isinstance(each, Record):
            print_record(each)


def print_parts(parts: Iterable[Any], *, wide: bool) -> None:
    """Print what `samara.records.composing` has made of an answer."""
    screen = console()
    for part in parts:
        if isinstance(part, Table):
            print_figures(part, screen, wide=wide)
        elif isinstance(part, Remark):
            print_text(screen, escape(part.text), wraps=not part.is_line)
