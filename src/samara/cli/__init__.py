# SPDX-License-Identifier: Apache-2.0
"""The command line: `samara`."""

import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer

import samara
from samara.bench import NoSourcesError, NotACipherError, ToolMissingError
from samara.cli import bench
from samara.cli.ciphers import block, keygen, keystream, suites
from samara.cli.outcome import ExitCode, MisuseError, say, say_warnings
from samara.cli.sealing import open_, seal
from samara.cli.speed import speed_
from samara.cli.tour import tour
from samara.crypto import AuthenticationError, UnknownNameError

app = typer.Typer(
    add_completion=False,
    # A traceback with the values of variables would show keys.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command()(suites)
app.command()(seal)
app.command("open")(open_)
app.command()(keygen)
app.command()(keystream)
app.command()(block)
app.command("speed")(speed_)
app.command()(tour)
app.add_typer(bench.app, name="bench")


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
    """Seal and open messages with ciphers for constrained radio devices.

    Exit codes: 0 done; 1 refused by the cipher, because the message is not
    genuine; 2 misuse, with one sentence on stderr.

    \b
    Examples:
      samara suites
      samara keygen aes128-ccm-8 -o key
      samara seal aes128-ccm-8 --key @key --nonce random -i reading -o sealed
      samara open aes128-ccm-8 --key @key --nonce prefixed -i sealed
    """
    if context.invoked_subcommand is None:
        message = "name a command; samara --help lists them"
        raise MisuseError(message)


def main() -> NoReturn:
    """Run the command line of this process."""
    # A reader that has seen enough (head) ends this process without a word, and
    # a request to end lets it take half-written files away first.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    sys.exit(run(sys.argv[1:]))


def _forget_output() -> None:
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


_MISUSE = (
    *(MisuseError, UnknownNameError, ValueError),
    *(NoSourcesError, NotACipherError, ToolMissingError),
    *(typer.TyperException, MemoryError, OSError),
)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    try:
        code = app(arguments, prog_name="samara", standalone_mode=False)
        if sys.stdout is not None:
            # Now, so that a full disk is noticed here.
            sys.stdout.flush()
    except AuthenticationError as error:
        say_warnings()
        say(str(error))
        return ExitCode.REFUSED
    except _MISUSE as error:
        if isinstance(error, OSError):
            _forget_output()
        say(_explain(error))
        return ExitCode.MISUSE
    say_warnings()
    return int(code or ExitCode.DONE)
