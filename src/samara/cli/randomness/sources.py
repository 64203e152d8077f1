# SPDX-License-Identifier: Apache-2.0
"""`samara randomness sources`: what can be tested, and how it is named."""

from __future__ import annotations

from typing import NamedTuple

from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, Wide, console, print_table, print_text
from samara.randomness.sources.given import PATTERNS
from samara.randomness.sources.kinds import BAD, KINDS, SUITE

_COLUMNS = (Column("source"), Column("what it is", wraps=True))


class _Row(NamedTuple):
    pattern: str
    what: str
    names: list[str]
    bad: bool = False


def _rows() -> list[_Row]:
    kinds = [SUITE, *(kind for name, kind in KINDS.items() if name != "bad")]
    rows = [_Row(kind.pattern, kind.what, list(kind.names())) for kind in kinds]
    rows += [_Row(pattern, what, []) for pattern, what in PATTERNS.items()]
    rows += [_Row(f"bad:{name}", bad.what, [], bad=True) for name, bad in BAD.items()]
    return rows


def sources_(*, as_json: Json = False, wide: Wide = False) -> None:
    """List the sources of bits that samara randomness run tests.

    Sources whose names begin with bad: are bad on purpose: a battery that misses one
    shows nothing.

    \b
    Examples:
      samara randomness sources
      samara randomness sources --json
    """
    rows = _rows()
    if as_json:
        for row in rows:
            print_json("randomness_source", row._asdict())
        return
    screen = console()
    cells = [(row.pattern.replace("[", r"\["), row.what) for row in rows]
    print_table(screen, _COLUMNS, cells, empty="there are none", wide=wide)
    print_text(
        screen,
        "CIPHER is a block cipher and SUITE a suite with a keystream, as samara suites"
        " lists them; --json has all names.",
    )
