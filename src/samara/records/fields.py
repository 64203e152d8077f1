# SPDX-License-Identifier: Apache-2.0
"""Records: frozen dataclasses whose fields say what they are.

>>> from typing import Annotated
>>> @record_class
... class FrameSize(Record):
...     suite: Annotated[str, Field("Slug of the suite.", heading="suite")]
...     size: Annotated[int, Field("Its frame.", heading="frame", unit="byte")]
>>> FrameSize.type_name()
'frame_size'
>>> [(leaf.name, leaf.heading, leaf.field.unit) for leaf in leaves(FrameSize)]
[('suite', 'suite', ''), ('size', 'frame', 'byte')]
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import KW_ONLY, dataclass
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)
from weakref import WeakSet

from samara.figure import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Field:
    """Description of a field of a record: the second part of its ``Annotated`` type."""

    doc: str
    """One sentence for programmers and readers of a page."""
    _: KW_ONLY
    heading: str | None = None
    """Head of its column; None: tables do not show it. Of a field that is a group of
    fields it stands in front of theirs. A no-break space joins words on one line."""
    unit: str = ""
    """Of a number, or the one in which tables show a figure, such as ``%`` of ``1``."""
    own_unit: str = ""
    """Of a number that is no figure, where tables show it in another unit."""
    rank: int = 1
    """Columns of the highest rank are left out first on a narrow terminal; 0: never."""
    optional: bool = False
    """Whether programs get no key for it when it is None."""
    in_json: bool = True
    """Whether JSON has it; what pictures alone need, it need not have."""
    exact: bool = False
    """Whether tables show a number with all its digits, as a size that is stated."""
    digits: str = ""
    """Format of a number in tables, such as ``.3g``. Default: three digits."""
    wraps: bool = False
    """Whether it is text that may take several lines of a table."""


_T = TypeVar("_T")


@dataclass_transform(frozen_default=True)
def record_class(kind: type[_T]) -> type[_T]:
    """Make a class of records, or of a group of fields in one: a frozen dataclass."""
    made = dataclass(frozen=True, slots=True)(kind)
    _MADE.add(made)
    return made


_MADE: WeakSet[type] = WeakSet()


def is_record_class(kind: type) -> bool:
    """Tell whether `record_class` made a class."""
    return kind in _MADE


class Record:
    """Base of all records; they are made by `record_class`."""

    __slots__ = ()

    TYPE: ClassVar[str] = ""
    """Value of ``type`` in JSON. Default: made from the name of the class."""

    @classmethod
    def type_name(cls) -> str:
        """Return what programs read as its type: ``battery_life`` of `BatteryLife`."""
        return cls.TYPE or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def table_rows(self) -> Sequence[Any]:
        """Return what tables and CSV have a row for: by default, the record itself.

        A record that is more than one row returns objects of one class, which is made
        by `record_class`.
        """
        return [self]


def key_of(name: str) -> str:
    """Return what a field is called outside of Python, which reserves some names.

    >>> key_of("from_"), key_of("name")
    ('from', 'name')
    """
    return name.removesuffix("_")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field of a record that has no fields itself; of nested ones, with its path."""

    path: tuple[str, ...]
    kind: Any
    """Its type, such as ``int`` or ``Figure | None``."""
    field: Field
    heading: str | None
    """With those of the fields that it is in."""

    @property
    def name(self) -> str:
        """The path as one word, such as ``life_low``."""
        return key_of("_".join(self.path))

    def of(self, record: Any) -> Any:  # noqa: ANN401 - of the field's own type
        """Return the value in a record; None where a field around it is None."""
        value = record
        for name in self.path:
            value = None if value is None else getattr(value, name)
        return value


def fields_of(kind: type) -> dict[str, tuple[Any, Field]]:
    """Return the type and the `Field` of each field of a dataclass, by name.

    Raises
    ------
    TypeError
        When one has no `Field`.
    """
    return _fields_of(kind)


@cache
def _fields_of(kind: Any) -> dict[str, tuple[Any, Field]]:  # noqa: ANN401 - a class
    hints = get_type_hints(kind, include_extras=True)
    found = {}
    for each in dataclasses.fields(kind):
        hint = hints[each.name]
        about = [a for a in get_args(hint)[1:] if isinstance(a, Field)]
        if get_origin(hint) is not Annotated or not about:
            message = f"{kind.__name__}.{each.name} does not say what it is: no Field"
            raise TypeError(message)
        found[each.name] = (get_args(hint)[0], about[0])
    return found


def leaves(kind: type) -> tuple[Leaf, ...]:
    """Return the leaves of a record's class, in the order of its fields."""
    return _leaves_of(kind)


@cache
def _leaves_of(kind: Any) -> tuple[Leaf, ...]:  # noqa: ANN401 - a class
    return tuple(_leaves(kind, (), ""))


def _leaves(kind: type, above: tuple[str, ...], heading: str) -> Iterator[Leaf]:
    for name, (hint, field) in fields_of(kind).items():
        whole = None
        if field.heading is not None and heading is not None:
            whole = f"{heading} {field.heading}".strip()
        inner = group_of(hint)
        if inner is None:
            yield Leaf((*above, name), hint, field, whole)
        else:
            yield from _leaves(inner, (*above, name), whole)  # type: ignore[arg-type]


def group_of(hint: Any) -> type | None:  # noqa: ANN401 - a type
    """Return the dataclass with fields of its own that a field holds, or None.

    A list of such is a leaf, and so is a figure: tables show them in one cell.
    """
    for each in (hint, *get_args(hint)):
        if isinstance(each, type) and dataclasses.is_dataclass(each):
            is_list = get_origin(hint) in (list, tuple)
            return None if is_list or issubclass(each, Figure) else each
    return None
