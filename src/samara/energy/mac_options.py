# SPDX-License-Identifier: Apache-2.0
"""The settings of all ways of medium access, as options of commands.

They are made from the fields of the modules in `samara.energy.mac`: a new field is an
option. Fields of several ways with one name are one option. A field whose metadata has
`LEAST` may be as small as that; others are more than zero, unless their default is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from samara.energy import mac as medium_accesses
from samara.energy.medium_access import HELP, LEAST
from samara.energy.part_values import written
from samara.energy.part_writing import text_of_number
from samara.errors import MisuseError
from samara.link.node.kinds import kinds
from samara.records import Between, Parameter
from samara.records.parameters import spelled
from samara.units import COUNT, NUMBER, SECONDS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from dataclasses import Field

_SHORTEST_S = 1e-6


@dataclass(frozen=True, slots=True)
class MacOptions:
    """Settings of medium access in a request; its field maps those given to values."""

    def parameters(self) -> Sequence[Parameter]:
        """Return them, those of several ways of medium access once."""
        found: dict[str, dict[str, Field[Any]]] = defaultdict(dict)
        for access in medium_accesses.names():
            for each in fields(medium_accesses.kind(access)):
                if (access, each.name) not in _of_links():
                    found[each.name][access] = each
        return [_parameter(name, by_access) for name, by_access in found.items()]


def _of_links() -> set[tuple[str, str]]:
    """Return the settings that options of a kind of link set, and their ways."""
    return {
        (access, option.of_mac[0])
        for kind in kinds().values()
        for option in kind.options
        if option.of_mac is not None and option.changes_receipt
        for access in kind.macs
    }


def _parameter(name: str, by_access: Mapping[str, Field[Any]]) -> Parameter:
    how, one = written(name), next(iter(by_access.values()))
    unit = NUMBER if how.unit is COUNT else how.unit
    is_whole = all(type(each.default) is int for each in by_access.values())
    defaults = (f"{access}: {_shown(each)}" for access, each in by_access.items())
    return Parameter(
        name=how.name,
        type=int if is_whole else float,
        unit=unit,
        help=one.metadata.get(HELP, f"{how.name.replace('_', ' ').capitalize()}."),
        values=Between(_least(one, is_whole=is_whole, unit_is_s=unit is SECONDS)),
        default_text="; ".join(defaults),
        group="Options of the medium access",
    )


def _least(one: Field[Any], *, is_whole: bool, unit_is_s: bool) -> float:
    if LEAST in one.metadata or not one.default:
        return int(one.metadata.get(LEAST, 0))
    if is_whole:
        return 1
    return _SHORTEST_S if unit_is_s else 1e-9


def _shown(one: Field[Any]) -> str:
    default: Any = one.default
    return text_of_number(written(one.name), float(default)).strip('"')


# Advice asks it of each medium access and radio.
@cache
def _option_names(_of: tuple[str, ...]) -> frozenset[str]:
    """Return the names of all options, while there are these medium accesses."""
    return frozenset(each.name for each in MacOptions().parameters())


def settings_of(access: str, given: Mapping[str, Any]) -> dict[str, float]:
    """Return options that were given as settings of a medium access.

    Raises
    ------
    MisuseError
        When it has no such setting.
    """
    by_name = {written(name).name: name for name in medium_accesses.settings(access)}
    known = _option_names(tuple(medium_accesses.names())) if given else frozenset()
    for name in given:
        if name not in by_name or name not in known:
            has = ", ".join(spelled(each) for each in by_name if each in known)
            message = (
                f"{spelled(name)} does not apply to --mac {access}: its settings are "
                f"{has or 'none'}"
            )
            raise MisuseError(message)
    return {by_name[name]: value for name, value in given.items()}


def in_words(access: str, settings: Mapping[str, Any]) -> str:
    """Return all settings of a medium access; empty if it has none.

    Parameters
    ----------
    settings
        Those that do not have their defaults.

    >>> in_words("polling", {"poll_interval_s": 30.0})
    'polling: poll interval 30 s, request bytes 12, response 2 ms.'
    """
    used = {**medium_accesses.settings(access), **settings}
    texts = (
        f"{written(name).name.replace('_', ' ')} "
        + text_of_number(written(name), float(value)).strip('"')
        for name, value in used.items()
    )
    listed = ", ".join(texts)
    return f"{access}: {listed}." if listed else ""
