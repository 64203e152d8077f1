# SPDX-License-Identifier: Apache-2.0
"""Reading of options and arguments: numbers with units, texts and paths.

Typer would read them too, but with pydantic, whose import takes a sixth of the time of
a short command such as `samara node status`. It reads the others that were given, says
what is wrong with a name that is none of several, and checks paths that must exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from samara.cli.shared.quantities import number_type, type_among, unit_of
from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.units import Unit


def read_values(parameter: Any) -> None:  # noqa: ANN401 - Typer does not name the type
    """Read the values of an option or an argument here, as far as that is possible."""
    reading = _Reading(_reader(parameter), _choices(parameter), _asks_typer(parameter))
    parameter.get_runtime_param = lambda: reading


def _reader(parameter: Any) -> Callable[[Any], Any] | None:  # noqa: ANN401 - as above
    annotation = parameter.type_descriptor.annotation
    about = parameter.type_descriptor.parameter_info
    if (kind := number_type(annotation)) is not None:
        return _number(kind, _Bounds(about.min, about.max, unit_of(parameter, kind)))
    if type_among((Path,), annotation):
        return _path
    return str if type_among((str,), annotation) else None


def _choices(parameter: Any) -> Mapping[Any, Any]:  # noqa: ANN401 - as above
    """Return the members of an enumeration, also by their texts."""
    choices = parameter.type_descriptor.choices or ()
    members = [each for each in choices if isinstance(each, Enum)]
    return {key: each for each in members for key in (each, str(each.value))}


def _asks_typer(parameter: Any) -> Callable[[], Any] | None:  # noqa: ANN401 - as above
    """Return what makes Typer's reader, for values that it must read or check."""
    about = parameter.type_descriptor.parameter_info
    is_checked = about.exists or not (about.file_okay and about.dir_okay)
    if is_checked or _reader(parameter) is None:
        make: Callable[[], Any] = parameter.get_runtime_param
        return make
    return None


@dataclass(frozen=True, slots=True)
class _Bounds:
    """What a number may be, both bounds included."""

    low: float | None
    high: float | None
    unit: Unit

    def check(self, value: float) -> None:
        if self.low is not None and not value >= self.low:
            self._refuse("at least", self.low)
        if self.high is not None and not value <= self.high:
            self._refuse("at most", self.high)

    def _refuse(self, said: str, bound: float) -> None:
        message = f"expected {said} {bound:.10g} {self.unit.name}".rstrip()
        raise ArgumentError(message)


def _number(kind: type[int | float], bounds: _Bounds) -> Callable[[Any], Any]:
    parse = bounds.unit.whole if kind is int else bounds.unit.parse

    def number(value: Any) -> int | float:  # noqa: ANN401 - text, or a default
        read = kind(parse(value) if isinstance(value, str) else value)
        bounds.check(read)
        return read

    return number


def _path(value: Any) -> Path:  # noqa: ANN401 - text, or a default
    # Python takes it for the current directory.
    if value == "":
        message = "an empty text names no file and no directory"
        raise ArgumentError(message)
    return Path(value)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads the values of one parameter, as Typer asks for it."""

    read: Callable[[Any], Any] | None
    choices: Mapping[Any, Any]
    """What each text stands for, where only some are taken."""
    then: Callable[[], Any] | None
    """Returns what Typer has for the values that were read, or are none of these."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - as above
        is_many = param.multiple or param.nargs == -1
        if value is None:
            return () if is_many else None
        if (read := self.read) is not None:
            try:
                value = [read(each) for each in value] if is_many else read(value)
            except ArgumentError as error:
                raise typer.BadParameter(str(error), ctx=ctx, param=param) from None
        if self.choices:
            chosen = [self.choices.get(one) for one in (value if is_many else [value])]
            if None not in chosen:
                return chosen if is_many else chosen[0]
        return value if self.then is None else self.then().coerce(value, param, ctx)
