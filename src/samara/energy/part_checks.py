# SPDX-License-Identifier: Apache-2.0
"""A table of a file of parts: the part that it describes, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from samara import units
from samara.bench import devices
from samara.energy import catalogue
from samara.energy import mac as medium_accesses
from samara.energy.catalogue import WAVEFORMS, Radio
from samara.energy.link_macs import assumed_macs
from samara.energy.part_entries import KINDS, OwnDevice, OwnMac, names_of
from samara.energy.part_values import in_si, quantity_table, spellings, unknown_field
from samara.energy.quantity import Quantity
from samara.errors import MisuseError
from samara.toml_rows import needed, row_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from samara.energy.part_entries import Entry

_POWERS = (units.DECIBEL_MILLIWATTS, units.MILLIWATTS)
"""Units of a transmit power."""
_ABOVE_ZERO = frozenset(
    {"bit_rate", "supply_v", "capacity_ah", "voltage_v", "clock_hz", "active_a"}
    | {"write_bytes", "unit_bytes", "size_bytes", "shelf_years"}
)
"""Quantities that the energy model divides by."""
_AT_MOST = {"from_mhz": "to_mhz", "minimum_v": "supply_v", "cutoff_v": "voltage_v"}
"""Fields that are at most as large as another one of the same part."""
_AT_MOST_ALL = ("self_discharge_per_year",)
"""Shares of a whole, which are at most 100 %."""


def part_of(entry: Entry) -> Any:  # noqa: ANN401 - a row of its kind
    """Return the part that a table describes.

    Raises
    ------
    MisuseError
        When it is not filled in, a field is missing or not known, or a value is wrong.
    """
    kind, what = KINDS[entry.kind], entry.name_in_errors
    _refuse_unprintable(what, entry.table)
    _refuse_unfilled(what, entry.table)
    if kind is OwnMac:
        return _mac_of(entry)
    table = _with_like(kind, in_si(kind, what, entry.table))
    names = names_of(entry.kind)
    _check_fields(what, entry.table, table, names, needed(kind)[2:])
    named = {"name": entry.name, "title": entry.name}
    row = row_of(kind, what, table, named)
    if isinstance(row, Radio):
        _check_radio(what, row)
        row = catalogue.with_estimate(row)
    for name in _ABOVE_ZERO & set(names):
        if not getattr(row, name).value > 0:
            message = f"{spellings(names)[name]} of {what} is 0: expected more than 0"
            raise MisuseError(message)
    _check_order(what, row, names)
    for name in _AT_MOST_ALL:
        if name in names and getattr(row, name).value > 1:
            message = (
                f"{name} of {what} is above 100 %: expected a share of what is left"
            )
            raise MisuseError(message)
    if isinstance(row, OwnDevice):
        devices.device(row.measured_as)
    return row


def _check_radio(what: str, row: Radio) -> None:
    """Refuse a power in other units, and words that no medium access or link has."""
    power, _, _ = row.power.partition(",")
    if not any(unit.has_unit(power) for unit in _POWERS):
        message = (
            f"power of {what} is {row.power!r:.60}: expected such as "
            '"+14 dBm", "25 mW" or "+14 dBm, PA_BOOST"'
        )
        raise MisuseError(message)
    for name, known in (("waveforms", WAVEFORMS), ("links", tuple(assumed_macs()))):
        for word in getattr(row, name).split():
            if word not in known:
                message = (
                    f"{name} of {what} has {word!r:.60}: expected "
                    f"{' or '.join(known)}, with a space between two"
                )
                raise MisuseError(message)


def _check_order(what: str, row: object, names: Sequence[str]) -> None:
    """Refuse a field that is larger than the one that it is at most."""
    spelled = spellings(names)
    for low, high in _AT_MOST.items():
        if low in spelled and _number(row, low) > _number(row, high):
            message = (
                f"{spelled[low]} of {what} is above its {spelled[high]}: expected at "
                "most as much"
            )
            raise MisuseError(message)


def _number(row: object, name: str) -> float:
    value = getattr(row, name)
    return value.value if isinstance(value, Quantity) else value


def _with_like(kind: type[Any], table: dict[str, Any]) -> dict[str, Any]:
    """Return a table with the fields of the built-in radio that it says to be like."""
    name = table.get("like")
    if kind is not Radio or not isinstance(name, str) or not name:
        return table
    one = catalogue.radio(name)
    same = asdict(one)
    charges = ("event_c", "send_c", "sense_c", "connection_c")
    own_names = ("name", "title", *charges, "software")
    kept = {n: each for n, each in same.items() if n not in own_names}
    return {**kept, **table, "like": one.chip}


def _check_fields(
    what: str,
    given: Mapping[str, Any],
    table: Mapping[str, Any],
    names: Sequence[str],
    wanted: Sequence[str],
) -> None:
    """Refuse fields that are not known, and those that are missing."""
    spelled = spellings(names)
    for name in given:
        if name not in spelled and name not in spelled.values():
            raise MisuseError(unknown_field(what, name, spelled.values()))
    missing = [spelled[each] for each in wanted if each not in table]
    if missing:
        message = f"{what} lacks {', '.join(missing)}"
        raise MisuseError(message)


def _mac_of(entry: Entry) -> OwnMac:
    what, table = entry.name_in_errors, dict(entry.table)
    title = table.pop("title", entry.name)
    access = table.pop("medium_access", None)
    if not isinstance(access, str) or not isinstance(title, str):
        message = (
            f"{what} lacks medium_access or has a title that is no text: expected such "
            'as medium_access = "polling"'
        )
        raise MisuseError(message)
    spelled = spellings(medium_accesses.settings(access))
    by_name = {short: name for name, short in spelled.items()}
    settings: dict[str, Quantity] = {}
    for name, value in table.items():
        setting = name if name in by_name.values() else by_name.get(name)
        if setting is None:
            raise MisuseError(unknown_field(f"{what}, {access},", name, by_name))
        place = f"{name} of {what}"
        given = quantity_table(setting, place, value)
        settings[setting] = row_of(Quantity, place, given)
    # Refuses settings that cannot be together.
    medium_accesses.mac(access, **{name: q.value for name, q in settings.items()})
    return OwnMac(entry.name, title, access, settings)


def _texts(where: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield all texts of a table with the field that each is in."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield "the name of a field", name
            yield from _texts(f"{name} of {where}" if where else name, each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(where, each)


def _refuse_unprintable(what: str, table: Mapping[str, Any]) -> None:
    for where, text in _texts("", table):
        if not text.isprintable():
            message = f"{where} of {what} is {text!r:.60}: expected printable text"
            raise MisuseError(message)


def _refuse_unfilled(what: str, table: Mapping[str, Any]) -> None:
    """Refuse what the template leaves to be filled in: a question mark."""
    for where, text in _texts("", table):
        if text.startswith("?"):
            message = (
                f"{where} of {what} is not filled in: expected a value in place of "
                f"{text!r}"
            )
            raise MisuseError(message)
