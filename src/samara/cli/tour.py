# SPDX-License-Identifier: Apache-2.0
"""`samara tour`: seal, open and forge a message with every suite."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from samara import crypto
from samara.cli.ciphers import STANDING_STYLES
from samara.cli.shared.diagnostics import ExitCode
from samara.cli.shared.json_lines import print_json
from samara.cli.shared.tables import Column, Wide, console, print_table
from samara.crypto import AuthenticationError, Suite

if TYPE_CHECKING:
    from collections.abc import Sequence

_MESSAGE = b"field 7: 21.5 C, 48 % humidity, battery 2.91 V"
_COLUMNS = (
    Column("suite"),
    Column("standing", rank=2),
    Column("key", numeric=True),
    Column("nonce", numeric=True),
    Column("tag", numeric=True),
    Column("added", numeric=True),
    Column("opened", rank=0),
    Column("forgery", rank=0),
)


def tour(
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON Lines, one object a suite.")
    ] = False,
    wide: Wide = False,
) -> None:
    """Seal and open a message with every suite, and try to forge it.

    The forgery changes one bit of the sealed message. A suite that authenticates
    must refuse it; exit status 1 if one does not.

    \b
    Examples:
      samara tour
      samara tour --json
    """
    tries = [_try(suite) for suite in crypto.suites()]
    if as_json:
        for each in tries:
            print_json("forgery", each.as_json())
    else:
        _print(tries, wide=wide)
    if not all(each.well for each in tries):
        raise typer.Exit(ExitCode.REFUSED)


def _print(tries: Sequence[_Try], *, wide: bool) -> None:
    rows = [
        (
            each.suite.slug,
            f"[{STANDING_STYLES[each.suite.standing]}]{each.suite.standing}[/]",
            str(each.suite.key_size),
            str(each.suite.nonce_size),
            str(each.suite.tag_size or "none"),
            str(each.added_bytes),
            "[green]yes[/]" if each.opened else "[red]NO[/]",
            each.forgery if each.well else f"[red]{each.forgery}[/]",
        )
        for each in tries
    ]
    caption = f"Each suite sealed one message of {len(_MESSAGE)} bytes. Sizes in bytes."
    empty = "no suite was built in"
    print_table(console(), _COLUMNS, rows, empty=empty, caption=caption, wide=wide)


class _Try(NamedTuple):
    """What became of one message."""

    suite: Suite
    added_bytes: int
    opened: bool
    forgery: str
    """refused, accepted, or not noticed by a suite that does not authenticate."""

    @property
    def well(self) -> bool:
        return self.opened and self.forgery != "accepted"

    def as_json(self) -> dict[str, Any]:
        return {
            "suite": self.suite.slug,
            "message_bytes": len(_MESSAGE),
            "added_bytes": self.added_bytes,
            "opened": self.opened,
            "forgery": self.forgery,
        }


def _try(suite: Suite) -> _Try:
    key = secrets.token_bytes(suite.key_size)
    nonce = secrets.token_bytes(suite.nonce_size)
    sealed = suite.seal(key, nonce, _MESSAGE)
    opened = suite.open(key, nonce, sealed) == _MESSAGE
    added = len(sealed) - len(_MESSAGE)
    if not suite.authenticates:
        return _Try(suite, added, opened, "not noticed")
    forged = bytes([sealed[0] ^ 1]) + sealed[1:]
    try:
        suite.open(key, nonce, forged)
    except AuthenticationError:
        return _Try(suite, added, opened, "refused")
    return _Try(suite, added, opened, "accepted")
