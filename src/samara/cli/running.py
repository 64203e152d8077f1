# SPDX-License-Identifier: Apache-2.0
"""Running one command of the table, and turning errors into an exit status."""

import importlib
import re
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Annotated, Any

import typer
from rich.markup import escape
from typer.core import TyperCommand, TyperGroup

import samara
from samara.atomic_files import NO_ROOM, naming, system_refusal
from samara.cli.commands import COMMANDS, Command, commands_in, help_of
from samara.cli.cycles import searching
from samara.cli.deferring import defer_unused
from samara.cli.importing import raising_signals, restoring_signals
from samara.cli.outputs import checking_outputs
from samara.cli.shared.diagnostics import (
    ExitCode,
    MisuseError,
    forget_warnings,
    say,
    say_warnings,
    warn,
)
from samara.cli.shared.values import read_values
from samara.errors import DamagedWarning, RefusedError
from samara.standard_streams import forget_stdout

# A traceback with the values of variables would show keys.
_PLAIN: Any = {"pretty_exceptions_enable": False}


class _Root(TyperGroup):
    """The command `samara`: it says so when Ctrl-C ends a command."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - Typer's own signature
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(128 + signal.SIGINT) from None


_SETTINGS: Any = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(cls=_Root, context_settings=_SETTINGS, **_PLAIN)


class _Unloaded(TyperCommand):
    """Stands for a command; its module or folder is read when the command is called."""

    def __init__(self, row: Command) -> None:
        super().__init__(row.name, help=row.help)
        self._row = row

    def make_context(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - Typer's own signature
        is_folder = ":" not in self._row.place
        command = _group(self._row, _Unloaded) if is_folder else load(self._row)
        return command.make_context(*arguments, **options)


_LIST = "list"


class _Group(TyperGroup):
    """A command with commands of its own; without one of them it shows its help.

    If one of them is called list, that is done without any.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - Typer's own signature
        if not args and _LIST in self.commands:
            args = [_LIST]
        if not args and not ctx.resilient_parsing:
            print_help(ctx)
            raise typer.Exit
        return super().parse_args(ctx, args)


def load(row: Command) -> Any:  # noqa: ANN401 - Typer does not name the type
    """Import a command, with all commands under it, and return it."""
    module, _, name = row.place.partition(":")
    if not name:
        return _group(row, load)
    imported = _imported(f"samara.cli.{module}")
    found = getattr(imported, name)
    if found.__doc__ is None:
        found.__doc__ = imported.__doc__
    alone = typer.Typer(add_completion=False, **_PLAIN)
    alone.command(row.name)(found)
    return _prepared(typer.main.get_command(alone))


def _imported(module: str) -> ModuleType:
    """Import a module of a command; MisuseError when the C library is missing."""
    try:
        return importlib.import_module(module)
    except ImportError:
        from samara.doctor import REINSTALL, core_error  # noqa: PLC0415 - seldom needed

        if (reason := core_error()) is None:
            raise
        message = f"the C library cannot be loaded ({reason}): run {REINSTALL}"
        raise MisuseError(message) from None


def _group(row: Command, made: Callable[[Command], Any]) -> Any:  # noqa: ANN401 - below
    """Return a command with those of its folder, each made by a function."""
    commands = {each.name: made(each) for each in commands_in(row.place)}
    group = _Group(name=row.name, commands=commands, help=help_of(row.place))
    return _reading(_with_paragraphs(group))


def _reading(command: Any) -> Any:  # noqa: ANN401 - Typer does not name the type
    """Let a command read its values by `read_values`, those of --help included."""
    for parameter in command.get_params(typer.Context(command, **_SETTINGS)):
        read_values(parameter)
    return command


def _prepared(command: Any) -> Any:  # noqa: ANN401 - Typer does not name the type
    """Finish a command, which Typer has made."""
    _with_paragraphs(command)
    for parameter in command.params:
        # Brackets in a help text are what a user types, no markup of Rich's.
        parameter.help = escape(parameter.help or "")
        if "Default: " in parameter.help:
            # In words, which Typer's own would repeat.
            parameter.show_default = False
    command.callback = raising_signals(searching(checking_outputs(command)))
    return _reading(command)


def _with_paragraphs(command: Any) -> Any:  # noqa: ANN401 - Typer does not name the type
    """Join the lines of each paragraph of a help text: the terminal wraps them.

    Brackets in it are names such as samara[edhoc], no markup of Rich's.
    """
    command.help = "\n\n".join(
        part if part.startswith("\b") else part.replace("\n", " ")
        for part in escape(command.help or "").split("\n\n")
    )
    return command


def _print_version(*, as_json: bool) -> None:
    if not as_json:
        print(f"samara {samara.__version__}")
        return
    _imported("samara._core")
    from samara.cli.shared.json_lines import print_record  # noqa: PLC0415 - seldom
    from samara.doctor.versions import versions  # noqa: PLC0415

    print_record(versions())


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    *,
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Show the version and exit."),
    ] = False,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="With --version: print one JSON object with the versions of the"
            " package, the C library and Python, and the instructions that are used.",
        ),
    ] = False,
) -> None:
    """Secure the radio links of constrained devices, and measure what that costs.

    Exit status: 0 success; 1 refused, because a message is not genuine or did not
    arrive, or a check failed; 2 wrong usage, or a file could not be read or
    written. Errors and warnings go to stderr. A defect of samara ends with a
    traceback, a sentence that says so, and 1.

    With --json, commands print one JSON object a line (docs/json.md).

    \b
    Examples:
      samara demo
      samara node init alice --link ieee802154
      samara receipt explain --link ieee802154 --bytes 95 --device atmega128rfa1
      samara bench show --device atmega128 --message 64 --sort cycles
      samara keygen aes128-ccm-8 -o key
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
    """
    if version:
        _print_version(as_json=as_json)
        raise typer.Exit
    if as_json:
        message = "--json stands behind the command, or beside --version"
        raise MisuseError(message)
    if context.invoked_subcommand is None:
        print_help(context)


def print_help(context: typer.Context) -> None:
    """Print the help of a command."""
    # Typer may have printed it by itself; the text is then empty.
    print(context.get_help())


def _explain(error: Exception) -> str:
    """Return the sentence for an error."""
    if isinstance(error, typer.TyperException):
        return _explain_usage(error)
    if isinstance(error, MemoryError):
        return "there is not enough memory for this message"
    if isinstance(error, OSError):
        return _explain_system(error)
    return str(error)


def _explain_system(error: OSError) -> str:
    """Return what the operating system refused, and for which file."""
    text = system_refusal(error)
    if error.filename is None and error.errno in NO_ROOM:
        # Files are named where they are written, if only one is.
        return f"stdout or another output: {text}"
    return text


def _explain_usage(error: typer.TyperException) -> str:
    """Return what is wrong with options and arguments, and which help tells more."""
    text = error.format_message()
    text = text.replace(": Value error, ", ": ")
    text = re.sub(r"\.? Did you mean (.*)\?$", r"; did you mean \1?", text)
    text = re.sub(r" \(Possible options?: (.*)\)$", r"; did you mean \1?", text)
    context = getattr(error, "ctx", None)
    if context is None or text.endswith("?"):
        return text
    return f"{text.rstrip('.')}; see {context.command_path} --help"


_MISUSE = (MisuseError, typer.TyperException, MemoryError, OSError)


def _tell_damage(
    message: Warning | str,
    category: type[Warning],
    *others: Any,  # noqa: ANN401 - what Python's own takes
    **named: Any,  # noqa: ANN401
) -> None:
    """Print a DamagedWarning as a warning of the command, others as Python does."""
    if issubclass(category, DamagedWarning):
        warn(str(message))
    else:
        _show_warning(message, category, *others, **named)


_show_warning = warnings.showwarning


def root_command() -> Any:  # noqa: ANN401 - Typer does not name the type
    """Return the command `samara`; its commands are imported when they are called."""
    group = _reading(_with_paragraphs(typer.main.get_command(app)))
    for row in COMMANDS:
        group.add_command(_Unloaded(row))
    return group


@restoring_signals
def run(arguments: Sequence[str]) -> int:
    """Run one command and return the exit status.

    Handlers of signals are afterwards as before, for a program that calls this.
    """
    warnings.showwarning = _tell_damage
    # A command that ended with misuse has printed none of its own.
    forget_warnings()
    defer_unused()
    group = root_command()
    try:
        code = group.main(arguments, prog_name="samara", standalone_mode=False)
        # Now, so that an error of this flush, such as a full disk, is reported.
        if sys.stdout is not None:
            with naming("stdout"):
                sys.stdout.flush()
    except RefusedError as error:
        say_warnings()
        say(str(error))
        return ExitCode.REFUSED
    except _MISUSE as error:
        text = _explain(error)
        if isinstance(error, OSError):
            forget_stdout()
        say(text)
        return ExitCode.MISUSE
    except Exception:  # noqa: BLE001 - whatever it is, it is a defect
        # All of it: what happens once in a month cannot be asked for again.
        traceback.print_exc()
        say("this is a defect of samara: please report it with the lines above")
        return ExitCode.REFUSED
    say_warnings()
    return int(code or ExitCode.DONE)
