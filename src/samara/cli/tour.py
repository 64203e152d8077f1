# SPDX-License-Identifier: Apache-2.0
"""`samara tour`: every suite at work."""

import secrets

import typer
from rich.table import Table

from samara import crypto
from samara.cli.ciphers import STANDING_STYLES, console
from samara.cli.outcome import ExitCode
from samara.crypto import AuthenticationError, Suite

_MESSAGE = b"field 7: 21.5 C, 48 % humidity, battery 2.91 V"


def tour() -> None:
    """Seal and open a message with every suite, and try to forge it.

    \b
    Examples:
      samara tour
    """
    columns = ("suite", "standing", "key", "nonce", "tag", "added", "opened", "forgery")
    table = Table(
        *columns, caption=f"one message of {len(_MESSAGE)} bytes; all sizes so"
    )
    all_well = True
    for suite in crypto.suites():
        sealed_size, opened, forgery = _try(suite)
        well = opened and forgery != "accepted"
        all_well = all_well and well
        table.add_row(
            suite.slug,
            f"[{STANDING_STYLES[suite.standing]}]{suite.standing}",
            str(suite.key_size),
            str(suite.nonce_size),
            str(suite.tag_size or "none"),
            str(sealed_size - len(_MESSAGE)),
            "[green]yes" if opened else "[red]NO",
            forgery if well else f"[red]{forgery}",
        )
    screen = console()
    screen.print(table)
    if not all_well:
        raise typer.Exit(ExitCode.REFUSED)


def _try(suite: Suite) -> tuple[int, bool, str]:
    key = secrets.token_bytes(suite.key_size)
    nonce = secrets.token_bytes(suite.nonce_size)
    sealed = suite.seal(key, nonce, _MESSAGE)
    opened = suite.open(key, nonce, sealed) == _MESSAGE
    if not suite.authenticates:
        return len(sealed), opened, "not noticed"
    forged = bytes([sealed[0] ^ 1]) + sealed[1:]
    try:
        suite.open(key, nonce, forged)
    except AuthenticationError:
        return len(sealed), opened, "refused"
    return len(sealed), opened, "accepted"
