# SPDX-License-Identifier: Apache-2.0
"""Templates of parts, which an engineer fills in from a data sheet."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Annotated

from samara.energy import mac as medium_accesses
from samara.energy.part_entries import KINDS, OwnMac, check_name
from samara.energy.part_values import USUAL_TOLERANCE, spellings, written
from samara.energy.part_writing import text_of_number
from samara.records import Parameter, Request, request_class

if TYPE_CHECKING:
    from collections.abc import Iterator

# What each field is, and the unit of its blank. A field that is not here is optional
# in its row, and is written as a comment.
_MEANINGS = {
    "title": ("What it is, in a few words", '"?"'),
    "power": ("Transmit power for which `transmit` is stated", '"? dBm"'),
    "from_mhz": ("Where it can be tuned to: from", '"? MHz"'),
    "to_mhz": ("... and to", '"? MHz"'),
    "bit_rate": ("Bit rate on the air", '"? kbit/s"'),
    "overhead_bytes": (
        "Bytes in front of each frame: preamble, sync word, length",
        '"?"',
    ),
    "turnaround_s": ("From receiving to sending, and back", "us"),
    "supply_v": ("Voltage for which the currents are stated", '"? V"'),
    "transmit_a": ("Sending, at `power`", "mA"),
    "receive_a": ("Receiving", "mA"),
    "idle_a": ("Awake, while it waits: neither sends, receives nor computes", "mA"),
    "sleep_a": ("Asleep, until a timer wakes it; of the board, if it is known", "uA"),
    "start_s": ("From sleep until it can receive, at `idle`", "ms"),
    "capacity_ah": ("Capacity at a small load, at 20 degrees Celsius", "mAh"),
    "voltage_v": ("Mean voltage while it is emptied", "V"),
    "cutoff_v": ("Voltage at which the capacity ends", '"? V"'),
    "pulse_a": ("Most current for some milliseconds", "mA"),
    "shelf_years": ("Years for which its maker vouches for it", '"?"'),
    "self_discharge_per_year": ("Share of what is left that it loses in a year", "%"),
    "usable_by_load": (
        "Share of the capacity at a mean current; add points as the sheet has them",
        'points = [["? mA", "100 %"], ["? mA", "? %"]]',
    ),
    "usable_by_temperature": (
        "Share of the capacity at a temperature",
        'points = [["? C", "? %"], ["20 C", "100 %"]]',
    ),
    "voltage_by_use": (
        "Voltage at rest by the share of the capacity that is used",
        'points = [["0 %", "? V"], ["100 %", "? V"]]',
    ),
    "resistance_by_use": (
        "Internal resistance by the same, to a pulse of some seconds",
        'points = [["0 %", "? ohm"], ["100 %", "? ohm"]]',
    ),
    "resistance_by_pulse": (
        "Share of it that a shorter pulse meets, by its length",
        'points = [["1 ms", "? %"], ["1 s", "100 %"]]',
    ),
    "capacitance_f": ("Capacitance", "F"),
    "full_v": ("Voltage that the harvester fills it to", '"? V"'),
    "empty_v": ("Voltage down to which it is used", '"? V"'),
    "resistance_ohm": ("Resistance in series (ESR)", "ohm"),
    "leakage_a": ("Leakage, days after it was filled", "uA"),
    "harvest_by_hour": (
        "Power after the converter by the hour of a usual day",
        'points = [["6 h", "? mW"], ["12 h", "? mW"], ["18 h", "? mW"]]',
    ),
    "minimum_v": ("Least voltage that it runs at", '"? V"'),
    "measured_as": (
        "Device with the same processor: `samara bench devices` lists them",
        '"?"',
    ),
    "clock_hz": ("Clock of the processor", '"? MHz"'),
    "active_a": ("Computing, at this clock and voltage", "mA"),
    "wake_s": ("From sleep until it computes", "us"),
    "write_s": ("One durable write: of a counter, or of `write_bytes`", "ms"),
    "size_bytes": ("Size of the memory", '"? B"'),
    "unit_bytes": ("What a write is a multiple of", '"? B"'),
    "endurance_cycles": ("How often a byte can be written, or a page erased", '"?"'),
    "write_bytes": ("What is written at once, in `write_s`", '"? B"'),
    "write_a": ("Current while it is written", "mA"),
    "on_chip_with": ("Radio on the same chip, whose sleep is in `sleep` here", '"?"'),
    "page_bytes": ("Bytes that are erased at once, if it has pages", '"? B"'),
    "erase_s": ("Time of one erase", "ms"),
    "erase_a": ("Current meanwhile", "mA"),
    "event_c": ("Charge of one start besides the radio's: processor, software", "uC"),
    "send_c": ("Charge of a start that sends, besides that of `event`", "uC"),
    "sense_c": ("Charge of sensing the medium, if it is not in `send`", "uC"),
    "connection_c": ("Charge of a connection's event, in place of `event`", "uC"),
    "software": ("Software that `event` was measured with", '"?"'),
    "processor": (
        "Device of the bench on the same chip, whose sleep is in `sleep` here",
        '"?"',
    ),
    "links": ("Kinds of link that it is usual for: ieee802154, rf-serial", '"?"'),
    "waveforms": ("`lora` or `ble`, if the radio sends it", '"?"'),
    "like": ("A built-in radio whose fields this one has, if not given here", '"?"'),
}
_HEAD = """\
# A part for samara: fill in each question mark from the data sheet.
# Use: samara energy life --parts FILE --{option} {name}
#
# typ: the typical value. min, max: what 1 % and 99 % of the chips are below; delete
# those that the sheet does not state. With typ alone, the tolerance is {usual:g} %;
# tolerance = "30 %" in place of min and max says another. source: where you read it,
# such as "DS1234, page 12"; "assumed: why" if you did not read it.
"""


@request_class
class TemplateRequest(Request):
    """Which part is to be described."""

    kind: Annotated[
        str,
        Parameter(
            is_argument=True, metavar="KIND", help="What it is.", values=tuple(KINDS)
        ),
    ]
    name: Annotated[
        str, Parameter(is_argument=True, metavar="NAME", help="Its name for options.")
    ]


def template(request: TemplateRequest) -> str:
    """Return a file with a part that is to be filled in.

    Raises
    ------
    MisuseError
        When the name cannot be one of a part.
    """
    kind, name = request.kind, request.name
    check_name(kind, name, "--parts FILE")
    head = _HEAD.format(option=kind, name=name, usual=100 * USUAL_TOLERANCE)
    lines = _of_mac() if kind == OwnMac.kind else _of_row(kind)
    table = f"[{kind}.{name}]" if "." not in name else f'[{kind}."{name}"]'
    return "\n".join([head, table, *lines]) + "\n"


def _of_row(kind: str) -> Iterator[str]:
    """Yield the lines of the fields of a row: optional ones as comments."""
    own = [each for each in fields(KINDS[kind]) if each.name != "name"]
    spelled = spellings(each.name for each in own)
    for needed in (True, False):
        for each in own:
            if (each.default is MISSING) == needed:
                yield from _lines(each.name, spelled[each.name], needed=needed)


def _lines(field: str, spelling: str, *, needed: bool) -> Iterator[str]:
    meaning, blank = _MEANINGS.get(field, ("", written(field).example.split()[-1]))
    yield f"# {meaning or f'Optional: {spelling}'}"
    yield f"{'' if needed else '# '}{spelling} = {_blank(field, blank)}"


def _blank(field: str, blank: str) -> str:
    """Return what is to be filled in: a text, a curve, or a value with its range."""
    if blank.startswith('"'):
        return blank
    if blank.startswith("points"):
        return f'{{ {blank}, tolerance = "15 %", source = "?" }}'
    if field == "sleep_a":
        return f'{{ typ = "? {blank}", tolerance = "50 %", source = "?, page ?" }}'
    return f'{{ typ = "? {blank}", max = "? {blank}", source = "?, page ?" }}'


def _of_mac() -> Iterator[str]:
    """Yield the lines of a medium access: all settings of all, as comments."""
    yield "# Medium access whose settings these are, and the settings that differ"
    yield 'medium_access = "?"'
    for access in medium_accesses.names():
        defaults = medium_accesses.settings(access)
        if defaults:
            yield f"# {access}:"
        for name, spelling in spellings(defaults).items():
            yield f"#   {spelling} = {text_of_number(written(name), defaults[name])}"
