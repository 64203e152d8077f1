# SPDX-License-Identifier: Apache-2.0
"""Requests: what a function of a room is asked, with units, bounds and help.

The options of a command, their help and the check of their values are all made from
these declarations.

    @request_class
    class Wait(Request):
        wait_s: Annotated[
            float,
            Parameter(
                name="wait", help="Time to wait.", unit=SECONDS, values=Between(0, 60)
            ),
        ] = 1.5

Its help is "Time to wait. Values: 0 to 60. Default: 1.5.", and `Wait(wait_s=61)` is
refused: "--wait must be 0 to 60 seconds, not 61".
"""

from __future__ import annotations

import dataclasses
import math
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import PurePath
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Protocol,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from samara.units import Unit


class ParameterError(ArgumentError):
    """A value that a parameter does not take."""

    def __init__(self, parameter: Parameter, problem: str) -> None:
        super().__init__(f"{parameter.spelled} {problem}")
        self.parameter = parameter
        self.problem = problem


_TEXT_MAX = 4096
_LARGEST = sys.float_info.max


@dataclass(frozen=True, slots=True)
class Between:
    """All numbers from one to another, both included; infinite ends are no bounds."""

    low: float = -math.inf
    high: float = math.inf

    def __contains__(self, value: object) -> bool:
        return is_real(value) and self.low <= cast("float", value) <= self.high

    def __str__(self) -> str:
        if self.high == math.inf:
            return f"at least {_bound(self.low)}"
        if self.low == -math.inf:
            return f"at most {_bound(self.high)}"
        return f"{_bound(self.low)} to {_bound(self.high)}"


def _bound(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.10g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One field of a request, or one option of a kind of link."""

    help: str
    """One sentence or more. Accepted values and default are added to it."""
    name: str = ""
    """As a Python name: `key_id_mode` is `--key-id-mode` on the command line. Default:
    the name of the field of the request."""
    type: type = str
    """Of a value. In a request, taken from the type of the field."""
    unit: Unit | None = None
    """Unit of a number without a unit."""
    metavar: str | None = None
    """Name of the value in the help text. Default: made from type and unit."""
    default: Any = None
    """The value when none is given, or a function that draws it; None: not set. In a
    request, the default of the field."""
    default_text: str = ""
    """Text of the help for a default that is drawn or not set."""
    values: Container[Any] | None = None
    """The values that are accepted: their text says which. Default: all of the type."""
    names: Callable[[], Iterable[str]] | None = None
    """Returns the names that exist, where the function of the room looks a name up: the
    help lists them, a shell completes them."""
    names_in_words: str | Callable[[], str] | None = None
    """Text of the help in place of the list of names; empty: no text."""
    repeatable: bool = False
    """Whether several values are taken. In a request, whether the field is a tuple."""
    short: str = ""
    """One letter that stands for the option."""
    synonym: str = ""
    """Another name of it, as a Python name."""
    opposite: str = ""
    """Of a parameter that is true, false or not given: the option that says false."""
    is_argument: bool = False
    """Whether a command line gives it by its place, not by a name."""
    is_secret: bool = False
    """Whether no error and no `repr` of a request repeats its value."""
    is_content: bool = False
    """Whether it is text of any length and of any characters, such as a message."""
    longest: int = _TEXT_MAX
    """The most characters of a text."""
    of_machine: bool = False
    """Whether it says which processors or machines compute: a page does not ask it."""
    terminal_only: Sequence[Any] = ()
    """Values with which other programs are started: a page does not offer them."""
    from_stdin: bool = False
    """Whether a command line may have - in its place, or nothing: the text is then read
    from stdin."""
    from_file: bool = False
    """Whether a command line names the file that has the text; - is stdin."""
    group: str = ""
    """Heading of the options in the help that this one belongs to."""
    field: str = ""
    """The field of the request; set by `parameters_of`."""
    is_required: bool = False
    """Whether there is no request without it; set by `parameters_of`."""

    @property
    def spelled(self) -> str:
        """The name as it is given on a command line, or stands for an argument."""
        if self.is_argument:
            return self.metavar or self.name.upper()
        return spelled(self.name)

    @property
    def is_flag(self) -> bool:
        """Whether it is an option without a value, which is off unless it is given."""
        return self.type is bool and self.default is False

    def initial(self) -> Any:  # noqa: ANN401 - of the parameter's own type
        """Return the value when none is given."""
        return self.default() if callable(self.default) else self.default

    def problem(self, value: object) -> str | None:
        """Return what is wrong with a value, such as "must be 0 to 7, not 9".

        None means that the value is accepted.
        """
        if value is None and self.default is None and not self.is_required:
            return None
        if self._is_of_type(value) and (self.values is None or value in self.values):
            return None
        unit = f" {self.unit.name}".rstrip() if self.unit else ""
        found = "what was given" if self.is_secret else _shortened(value)
        return f"must be {self.expected}{unit}, not {found}"

    def check(self, value: object) -> None:
        """Check a value; of a repeatable parameter all, which are a tuple or list.

        Raises
        ------
        ParameterError
            When it is not accepted.
        """
        if self.repeatable and not isinstance(value, (tuple, list)):
            found = "what was given" if self.is_secret else _shortened(value)
            raise ParameterError(self, f"must be a tuple of values, not {found}")
        for each in cast("Sequence[object]", value) if self.repeatable else [value]:
            if problem := self.problem(each):
                raise ParameterError(self, problem)

    def _is_of_type(self, value: object) -> bool:
        # True is an int to Python, and 1 is a good frequency.
        if self.type is float:
            return is_real(value)
        if self.type is str:
            if self.is_content:
                return isinstance(value, str)
            return is_text(value, self.longest)
        if self.type in (int, bool):
            return type(value) is self.type
        return isinstance(value, self.type)

    @property
    def expected(self) -> str:
        """The accepted values in words, such as "0 to 7"."""
        values = self.values
        if values is None:
            return _TYPES.get(self.type, f"a {self.type.__name__}")
        if isinstance(values, range):
            return f"{values[0]} to {values[-1]}"
        if isinstance(values, Sequence):
            *others, last = map(str, values)
            return f"{', '.join(others)} or {last}" if others else last
        return str(values)

    def help_text(self, default: str | None = None) -> str:
        """Return the help text with the accepted values and the default.

        Parameters
        ----------
        default
            What is said of the default. Default: its own.
        """
        values = f" Values: {self.expected}." if self.values is not None else ""
        if self.names is not None:
            values = self._names_in_words()
        if self.is_flag:
            return self.help
        if self.is_required:
            return f"{self.help}{values}"
        return f"{self.help}{values} Default: {default or self._default_in_words()}."

    def _names_in_words(self) -> str:
        words = self.names_in_words
        if callable(words):
            words = words()
        if words is None and self.names is not None:
            words = ", ".join(self.names())
        return f" Values: {words}." if words else ""

    def _default_in_words(self) -> str:
        default = self.default
        if self.default_text and (default in (None, (), "") or callable(default)):
            return self.default_text
        if isinstance(default, (tuple, list)):
            return ", ".join(map(str, default)) or "none"
        if default is None:
            return "none"
        if isinstance(default, bool):
            return spelled(self.name if default else self.opposite)
        if isinstance(default, Enum):
            return str(default.value)
        return f"{default:.10g}" if self.type is float else str(default)


_TYPES = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def _shortened(value: object) -> str:
    shown = str(value) if isinstance(value, PurePath) else value
    return f"{shown!r:.60}"


def is_text(value: object, longest: int = _TEXT_MAX) -> bool:
    """Tell whether a value is text that can be passed to other programs."""
    return (
        isinstance(value, str)
        and len(value) <= longest
        and "\0" not in value
        and not any("\ud800" <= each <= "\udfff" for each in value)
    )


def is_real(value: object) -> bool:
    """Tell whether a value is a finite number, such as a calculation takes."""
    return type(value) in (int, float) and abs(cast("float", value)) <= _LARGEST


def spelled(name: str) -> str:
    """Return the name of an option as it is given on a command line.

    >>> spelled("key_id_mode")
    '--key-id-mode'

    An underscore at the end is that of a word which Python has for itself.

    >>> spelled("with_")
    '--with'
    """
    return f"--{name.rstrip('_').replace('_', '-')}"


@runtime_checkable
class Parameters(Protocol):
    """What a field of a request is that holds several parameters, by their names.

    It is for parameters that are declared elsewhere, such as by the kinds of link; the
    field is a mapping with those that were given, and no others.
    """

    def parameters(self) -> Sequence[Parameter]:
        """Return the parameters."""
        ...


_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def request_class(kind: type[_T]) -> type[_T]:
    """Make a class of requests: a frozen dataclass whose arguments are named."""
    return dataclass(frozen=True, slots=True, kw_only=True, repr=False)(kind)


class Request:
    """Base of all requests; they are made by `request_class`."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]

    CHANGES: ClassVar[str] = ""
    """What the answer changes besides itself, such as files or devices; empty: nothing.
    The console's page asks only what changes nothing."""

    def __repr__(self) -> str:
        """Return the values by the names of their fields, but those of secrets."""
        secret = {each.field for each in parameters_of(type(self)) if each.is_secret}
        values = (
            f"{name}={'...' if name in secret else repr(getattr(self, name))}"
            for name in self.__dataclass_fields__
        )
        return f"{type(self).__name__}({', '.join(values)})"

    def __post_init__(self) -> None:
        """Check all values.

        Raises
        ------
        ParameterError
            When a parameter does not take its value.
        """
        held = {name: self._values_in(name) for name in _held_fields(type(self))}
        for parameter in parameters_of(type(self)):
            if parameter.field not in held:
                parameter.check(getattr(self, parameter.field))
            elif parameter.name in held[parameter.field]:
                parameter.check(held[parameter.field][parameter.name])

    def _values_in(self, field: str) -> Mapping[str, Any]:
        """Return the values of the parameters that a field holds, by their names."""
        value = getattr(self, field)
        if isinstance(value, Mapping) and all(map(is_text, value)):
            return value
        message = f"{field} must be values by their names, not {value!r:.60}"
        raise ArgumentError(message)


def parameters_of(kind: type) -> tuple[Parameter, ...]:
    """Return the parameters of a class of requests, in the order of its fields.

    Raises
    ------
    TypeError
        When a field does not say what it is.
    """
    return _parameters_of(kind)


@cache
def _parameters_of(kind: Any) -> tuple[Parameter, ...]:  # noqa: ANN401 - a class
    hints = get_type_hints(kind, include_extras=True)
    found: list[Parameter] = []
    for each in dataclasses.fields(kind):
        about = get_args(hints[each.name])[1:]
        for said in about:
            if isinstance(said, Parameter):
                found.append(_completed(said, each, get_args(hints[each.name])[0]))
            elif isinstance(said, Parameters):
                found += [
                    dataclasses.replace(one, field=each.name)
                    for one in said.parameters()
                ]
        if not any(isinstance(said, (Parameter, Parameters)) for said in about):
            message = f"{kind.__name__}.{each.name} does not say what it is"
            raise TypeError(message)
    return tuple(found)


def _completed(
    parameter: Parameter,
    field: dataclasses.Field[Any],
    hint: Any,  # noqa: ANN401 - a type
) -> Parameter:
    """Return a parameter with what its field says: name, type, default."""
    default = None if field.default is dataclasses.MISSING else field.default
    has_default = not (field.default is field.default_factory is dataclasses.MISSING)
    inner, repeatable = hint, False
    if get_origin(inner) in (types.UnionType, Union):
        inner = next(each for each in get_args(inner) if each is not types.NoneType)
    if get_origin(inner) in (tuple, list):
        inner, repeatable = get_args(inner)[0], True
    return dataclasses.replace(
        parameter,
        name=parameter.name or field.name,
        type=inner,
        default=default,
        repeatable=repeatable,
        field=field.name,
        is_required=not has_default,
    )


_Q = TypeVar("_Q", bound=Request)


def from_values(kind: type[_Q], given: Mapping[str, Any]) -> _Q:
    """Return a request of what was given, by the names of parameters.

    Parameters
    ----------
    kind
        Class of the request.
    given
        Parameters that are missing, or None, have their defaults.

    Raises
    ------
    ParameterError
        When a parameter does not take its value.
    """
    held = _held_fields(kind)
    values: dict[str, Any] = {field: {} for field in held}
    for parameter in parameters_of(kind):
        value = given.get(parameter.name)
        if value is None:
            continue
        if parameter.field in held:
            values[parameter.field][parameter.name] = value
        else:
            values[parameter.field] = tuple(value) if parameter.repeatable else value
    return kind(**values)


def _held_fields(kind: type) -> frozenset[str]:
    """Return the fields that hold several parameters."""
    return _held_by(kind)


@cache
def _held_by(kind: Any) -> frozenset[str]:  # noqa: ANN401 - a class
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(
        name
        for name, hint in hints.items()
        if any(isinstance(said, Parameters) for said in get_args(hint)[1:])
    )
