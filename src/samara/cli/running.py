# SPDX-License-Identifier: Apache-2.0
"""Running one command of the table, and telling how it ended."""

import contextlib
import importlib
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

import samara
from samara.cli import COMMANDS, Command
from samara.cli.outcome import ExitCode, MisuseError, say, say_warnings, warn
from samara.errors import DamagedWarning, RefusedError

# A traceback with the values of variables would show keys.
_PLAIN: Any = {"add_completion": False, "pretty_exceptions_enable": False}

app = typer.Typer(context_settings={"help_option_names": ["-h", "--help"]}, **_PLAIN)


class _Unloaded(TyperCommand):
    """Stands for a command, and becomes it when it is called."""

    def __init__(self, row: Command) -> None:
        super().__init__(row.name, help=row.help)
        self._row = row

    def make_context(self, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - Typer's own signature
        return load(self._row).make_context(*arguments, **options)


def load(row: Command) -> Any:  # noqa: ANN401 - Typer does not name the type
    """Import a command of the table and return it."""
    module, name = row.place.split(":")
    found = getattr(importlib.import_module(f"samara.cli.{module}"), name)
    if isinstance(found, typer.Typer):
        return typer.main.get_group(found)
    alone = typer.Typer(**_PLAIN)
    alone.command(row.name)(found)
    return typer.main.get_command(alone)


def _say_version(wanted: bool) -> None:  # noqa: FBT001 - Typer's signature
    if wanted:
        print(f"samara {samara.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    *,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_say_version, is_eager=True, help="Say which it is."
        ),
    ] = False,
) -> None:
    """Secure the radio links of constrained devices, and tell what that costs.

    Exit codes: 0 done; 1 refused, because the message is not genuine or did not
    arrive; 2 misuse, with one sentence on stderr.

    \b
    Examples:
      samara demo
      samara node init alice --link ieee802154
      samara receipt explain --link ieee802154 --bytes 95 --device atmega128rfa1
      samara bench show --device atmega128 --message 64 --sort cycles
      samara keygen aes128-ccm-8 -o key
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
    """
    if context.invoked_subcommand is None:
        message = "name a command; samara --help lists them"
        raise MisuseError(message)


def forget_output() -> None:
    """Let Python's last flush go nowhere: one failure to write is told once."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _explain(error: Exception) -> str:
    """Say what was wrong with a call."""
    if isinstance(error, typer.TyperException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "there is not enough memory for this message"
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename is not None else ""
        return f"{place}{error.strerror or error}"
    return str(error)


_MISUSE = (MisuseError, ValueError, typer.TyperException, MemoryError, OSError)


def _tell_damage(
    message: Warning | str,
    category: type[Warning],
    *others: Any,  # noqa: ANN401 - what Python's own takes
    **named: Any,  # noqa: ANN401
) -> None:
    """Say what a package warns its caller of, as a command's own warnings."""
    if issubclass(category, DamagedWarning):
        warn(str(message))
    else:
        _show_warning(message, category, *others, **named)


_show_warning = warnings.showwarning


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    warnings.showwarning = _tell_damage
    group = typer.main.get_group(app)
    for row in COMMANDS:
        group.add_command(_Unloaded(row))
    try:
        code = group.main(arguments, prog_name="samara", standalone_mode=False)
        if sys.stdout is not None:
            # Now, so that a full disk is noticed here.
            sys.stdout.flush()
    except RefusedError as error:
        say_warnings()
        say(str(error))
        return ExitCode.REFUSED
    except _MISUSE as error:
        if isinstance(error, OSError):
            forget_output()
        say(_explain(error))
        return ExitCode.MISUSE
    say_warnings()
    return int(code or ExitCode.DONE)
