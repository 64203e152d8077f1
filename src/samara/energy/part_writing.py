# SPDX-License-Identifier: Apache-2.0
"""Parts as text of a file that `samara.energy.own_parts` reads."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

from samara.energy.catalogue import Line
from samara.energy.part_entries import OwnMac, names_of
from samara.energy.part_values import SETTING, spellings, written
from samara.energy.quantity import Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import TypeAlias

    from samara.energy.part_values import Written

    Content: TypeAlias = Quantity | Line | str | float


def text_of_part(
    kind: str, name: str, content: Mapping[str, Content], comment: str = ""
) -> str:
    """Return a table of a file of parts.

    Parameters
    ----------
    kind, name
        Of the part, such as ``"radio"``.
    content
        By the names of the fields of its row, such as ``transmit_a``.
    comment
        Lines in front of it.

    >>> source = "measured, 3 boards"
    >>> print(text_of_part("radio", "mine", {
    ...     "title": "Mine", "transmit_a": Quantity(0.005, 0.2, source, checked=True)
    ... }), end="")
    [radio.mine]
    title = "Mine"
    transmit = { typ = "5 mA", tolerance = "20 %", source = "measured, 3 boards" }
    """
    lines = [f"# {line}".rstrip() for line in comment.splitlines()]
    lines.append(f"[{kind}.{name if '.' not in name else json.dumps(name)}]")
    spelled = spellings(content if kind == OwnMac.kind else names_of(kind))
    lines += [
        f"{spelled[name]} = {_text(name, each)}" for name, each in content.items()
    ]
    return "\n".join(lines) + "\n"


def _text(field: str, value: Content) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, Line):
        return _table({"points": _points(value), **_range(value)})
    how = written(field)
    if isinstance(value, Quantity):
        typ = text_of_number(how, value.value)
        if not value.tolerance and value.checked and value.source == SETTING:
            return typ
        return _table({"typ": typ, **_range(value)})
    return text_of_number(how, value)


def _range(value: Quantity | Line) -> dict[str, str]:
    stated = {
        "tolerance": _quoted(f"{_plain(Decimal(repr(value.tolerance)) * 100)} %"),
        "source": _quoted(value.source),
    }
    if value.checked == value.source.lower().startswith("assumed"):
        stated["checked"] = str(value.checked).lower()
    return stated


def _points(line: Line) -> str:
    pairs = (f"[{at!r}, {share!r}]" for at, share in line.points)
    return f"[{', '.join(pairs)}]"


def _table(items: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{name} = {text}" for name, text in items.items()) + " }"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def text_of_number(how: Written, value: float) -> str:
    """Return a value as it is written in a file, without rounding.

    >>> text_of_number(written("sleep_a"), 1.5e-6)
    '"1.5 uA"'
    """
    stated = Decimal(repr(float(value)))
    if not how.needs_unit:
        return _plain(stated)
    symbol, factor = _symbol(how, stated)
    return f'"{_plain(stated / factor)} {symbol}"'


def _symbol(how: Written, value: Decimal) -> tuple[str, Decimal]:
    """Return the largest unit that the value is not below, or the smallest unit."""
    found = sorted(_powers_of_ten(how), key=lambda one: one[1], reverse=True)
    fitting = [one for one in found if abs(value) >= one[1]]
    return fitting[0] if fitting else found[-1]


def _powers_of_ten(how: Written) -> Iterator[tuple[str, Decimal]]:
    for symbol, factor in how.unit.factors.items():
        exact = Decimal(factor.numerator) / Decimal(factor.denominator)
        if symbol.isascii() and set(exact.normalize().as_tuple().digits) == {1}:
            yield symbol, exact


def _plain(number: Decimal) -> str:
    """Return a number without an exponent where it is short."""
    short = f"{number.normalize():f}"
    return short if len(short) <= 12 else str(number.normalize())  # noqa: PLR2004 - digits
