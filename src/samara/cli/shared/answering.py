# SPDX-License-Identifier: Apache-2.0
"""Commands that ask a function of a room, and show its answer.

Options are made from the request, the output from the records: a table, with `--json`
JSON Lines, with `-o` a file, with `--html` a page. A module of a command has one
line that says so:

    command = answering(life, charts=charts_of_lifetimes)
"""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, get_type_hints

import typer

from samara.cli.shared.diagnostics import ExitCode
from samara.cli.shared.from_parameters import option_of
from samara.cli.shared.given_texts import texts_of
from samara.cli.shared.json_lines import Json
from samara.cli.shared.output_files import (
    Picture,
    charts_of,
    checked_output,
    write_directory,
    write_file,
    write_page,
)
from samara.cli.shared.showing import Showing, exit_status, written_of
from samara.cli.shared.tables import Wide
from samara.extras import need
from samara.records.answers import types_of
from samara.records.parameters import ParameterError, from_values, parameters_of
from samara.records.parts import Heading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from samara.cli.shared.output_files import Charts, Files, Paint
    from samara.records import Record, Written


def answering(  # noqa: PLR0913 - all but the function by name
    function: Callable[[Any], Iterator[Any]],
    *,
    paint: Paint | None = None,
    charts: Charts | None = None,
    size: tuple[float, float] | None = None,
    writes: bool = True,
    pages: bool = True,
    csv: Callable[[Any], str] | None = None,
    files: Files | None = None,
    keeps: str = "",
) -> Callable[..., int]:
    """Return a command that asks a function of a room.

    Parameters
    ----------
    function
        Takes a request, whose class is the type of its parameter, and yields an answer.
        The command's help is the docstring of the module that calls this.
    paint
        Draws the records into an empty figure with these colours, for `-o`. Default:
        the picture has the charts of the page; without such, `-o` writes tables alone.
    charts
        What the page of `--html` has beside its tables. Default: nothing.
    size
        Width and height of the picture in inches.
    writes
        Whether it has `-o`, for the records that tables show: not without such.
    pages
        Whether it has `--html` and `--wide`: not if the answer has no tables.
    csv
        Takes the request, and returns the answer as CSV: the command has `--csv`.
    files
        Makes several files of the records: `-o` of the command takes a directory.
    keeps
        What the records are, such as "points", if Ctrl-C ends the computation and
        those that are complete are shown. Default: Ctrl-C ends the command.
    """
    presentation = _Presentation(paint, charts, size, writes, pages, csv, files, keeps)

    def act(context: typer.Context, request: Any, **faces: Any) -> int:  # noqa: ANN401 - of many types
        return presentation.show(function, context, request, faces)

    command = asking(function, act, presentation.options())
    command.prints = types_of(function)  # type: ignore[attr-defined]
    command.asks = f"{function.__module__}.{function.__name__}"  # type: ignore[attr-defined]
    command.__doc__ = help_of_caller()
    return command


def help_of_caller() -> str:
    """Return the docstring of the module that calls the caller of this function."""
    return str(sys._getframe(2).f_globals["__doc__"])  # noqa: SLF001 - no other way


class _Presentation(NamedTuple):
    """How a command shows an answer, as `answering` takes it."""

    paint: Paint | None
    charts: Charts | None
    size: tuple[float, float] | None
    writes: bool
    pages: bool
    csv: Callable[[Any], str] | None
    files: Files | None
    keeps: str

    @property
    def picture(self) -> Picture:
        """How `-o` draws it."""
        return Picture(self.paint, self.charts, self.size)

    def options(self) -> list[inspect.Parameter]:
        """Return the options of the command beside those of its request."""
        shared = _faces(pictures=self.picture.is_there)
        if self.files is not None:
            shared["output"] = (Directory, None)
        elif not self.writes:
            del shared["output"]
        if not self.pages:
            del shared["html"], shared["wide"]
        if self.csv is None:
            del shared["as_csv"]
        return [keyword(name, *shared[name]) for name in _FACES if name in shared]

    def show(
        self,
        function: Callable[[Any], Iterator[Any]],
        context: typer.Context,
        request: Any,  # noqa: ANN401 - of many types
        faces: Mapping[str, Any],
    ) -> int:
        """Ask the function, show its answer, and return the exit status."""
        output = self._checked(faces.get("output"))
        page = faces.get("html")
        if self.csv is not None and faces["as_csv"]:
            print(self.csv(request), end="")
            return ExitCode.DONE
        as_json, wide = faces["as_json"], faces.get("wide", False)
        showing = Showing(
            as_json=as_json,
            makes_page=page is not None,
            reads_records=page is not None and isinstance(self.charts, str),
        )
        answer = showing.show(function(request), wide=wide, keeps=self.keeps)
        written = written_of(answer)
        if output is not None:
            self._write(output, written)
        if page is not None:
            drawn = charts_of(self.charts, written, showing.records)
            write_page(page, answer, _heading(context), drawn)
        return exit_status(answer)

    def _checked(self, output: Path | None) -> Path | None:
        if self.files is None:
            return checked_output(output, pictures=self.picture.is_there)
        if output is not None:
            need("matplotlib", "phy")
        return output

    def _write(self, output: Path, made: Written) -> None:
        if self.files is None:
            write_file(output, made, self.picture)
        else:
            write_directory(output, self.files, made)


def takes_request(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Return a command with the options of the request that it takes first.

    Its other parameters, which it takes by name, are options of its own; Typer reads
    their annotations and defaults. Its help is the docstring of its module.
    """
    hints = get_type_hints(command, include_extras=True)
    _, *others = inspect.signature(command).parameters.values()
    own = [keyword(each.name, hints[each.name], each.default) for each in others]

    def act(_: typer.Context, request: Any, **faces: Any) -> int | None:  # noqa: ANN401 - of many types
        return command(request, **faces)

    made = asking(command, act, own)
    made.prints = getattr(command, "prints", ())  # type: ignore[attr-defined]
    made.__doc__ = command.__globals__["__doc__"]
    return made


def asking(
    function: Callable[..., Any],
    act: Callable[..., Any],
    own: Sequence[inspect.Parameter],
) -> Callable[..., Any]:
    """Return a command with the options of a function's request, and its own.

    Parameters
    ----------
    function
        Its first parameter is the request.
    act
        What the command does with the context, the request, and its own options.
    own
        Keyword parameters with annotations and defaults that Typer reads.
    """
    hints = get_type_hints(function)
    kind = hints[next(iter(inspect.signature(function).parameters))]
    parameters = {each.name: each for each in parameters_of(kind)}
    options = [option_of(each) for each in parameters.values()]

    def run(context: typer.Context, **given: Any) -> Any:  # noqa: ANN401 - of many types
        faces = {each.name: given.pop(each.name) for each in own}
        given.update(texts_of(parameters.values(), given))
        try:
            request = from_values(kind, given)
        except ParameterError as error:
            raise bad_option(context, error) from None
        return act(context, request, **faces)

    context = inspect.Parameter(
        "context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context
    )
    # Options of groups stand below the others in the help.
    options.sort(key=lambda each: bool(parameters[each.name].group))
    signature = [context, *options, *own]
    run.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in signature}
    return run


def keyword(
    name: str,
    annotation: Any,  # noqa: ANN401 - a type
    default: Any,  # noqa: ANN401 - of many types
) -> inspect.Parameter:
    """Return an option of a command that is not of its request."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


_FACES = ("output", "html", "as_json", "as_csv", "wide")


Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, with units in the heads.")]
Directory = Annotated[
    Path | None,
    typer.Option(
        "-o",
        "--output",
        metavar="DIR",
        help="Directory for pictures. Default: write none.",
    ),
]


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
    purpose = (context.command.help or "").split("\n\n")[0]
    return Heading(context.command_path, " ".join(purpose.split()))


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
