# SPDX-License-Identifier: Apache-2.0
"""Quantities: every command reads them in one way, in the unit that its help names."""

from __future__ import annotations

import re
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from samara import units
from samara.cli.commands import COMMANDS
from samara.cli.running import load, run
from samara.cli.shared.quantities import UNITS, number_type, unit_of
from samara.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator

# How many of a unit one of another is, by hand.
FACTORS = {
    (units.SECONDS, "ms"): "0.001",
    (units.SECONDS, "us"): "0.000001",
    (units.SECONDS, "\N{MICRO SIGN}s"): "0.000001",
    (units.SECONDS, "s"): "1",
    (units.SECONDS, "min"): "60",
    (units.SECONDS, "h"): "3600",
    (units.SECONDS, "d"): "86400",
    (units.SECONDS, "a"): "31557600",
    (units.MILLISECONDS, "s"): "1000",
    (units.MILLISECONDS, "ms"): "1",
    (units.MILLISECONDS, "min"): "60000",
    (units.HOURS, "d"): "24",
    (units.HOURS, "h"): "1",
    (units.YEARS, "a"): "1",
    (units.HERTZ, "Hz"): "1",
    (units.HERTZ, "kHz"): "1000",
    (units.HERTZ, "MHz"): "1000000",
    (units.HERTZ, "GHz"): "1000000000",
    (units.BYTES, "B"): "1",
    (units.BYTES, "k"): "1000",
    (units.BYTES, "kB"): "1000",
    (units.BYTES, "Ki"): "1024",
    (units.BYTES, "KiB"): "1024",
    (units.BYTES, "M"): "1000000",
    (units.BYTES, "MiB"): "1048576",
    (units.BIT_RATE, "kbit/s"): "1000",
    (units.BIT_RATE, "k"): "1000",
    (units.SHARE, "%"): "0.01",
    (units.DECIBEL, "dB"): "1",
    (units.PPM, "ppm"): "1",
    (units.PPM, "%"): "10000",
    (units.RADIANS, "rad"): "1",
    (units.CELSIUS, "C"): "1",
    (units.COUNT, "k"): "1000",
    (units.COUNT, "M"): "1000000",
}
ALL = sorted({unit for unit, _ in FACTORS} | {units.NUMBER}, key=lambda unit: unit.name)
NUMBERS = st.decimals(
    min_value=-(10**9), max_value=10**9, allow_nan=False, places=6
) | st.integers(-(10**12), 10**12).map(Decimal)


@given(NUMBERS, st.sampled_from(sorted(FACTORS, key=repr)), st.sampled_from(["", " "]))
def test_a_quantity_is_its_number_times_its_unit(
    number: Decimal, written: tuple[units.Unit, str], between: str
) -> None:
    unit, suffix = written
    with localcontext(prec=60):
        wanted = number * Decimal(FACTORS[written])
    for cased in (suffix, suffix.upper(), suffix.lower()):
        text = f"{number}{between}{cased}"
        assert unit.parse(text) == float(wanted)
        if wanted == wanted.to_integral_value():
            assert unit.whole(text) == int(wanted)
        else:
            with pytest.raises(ArgumentError, match="whole number"):
                unit.whole(text)


@given(st.sampled_from(ALL), st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_alone_is_in_the_unit(unit: units.Unit, number: float) -> None:
    assert unit.parse(repr(number)) == number
    assert not unit.has_unit(repr(number))


@given(st.sampled_from(ALL), st.text(max_size=60))
def test_a_text_is_a_finite_quantity_or_refused(unit: units.Unit, text: str) -> None:
    try:
        found = unit.parse(text)
    except ArgumentError:
        return
    assert abs(found) < float("inf")
    assert re.match(r"\s*[+-]?[0-9.]", text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "s", "5 apples", "5 s s", "5s5", "1_000", "1,000", "0x10", "nan",
        "inf", "-inf", "1e999", "1e9999", "1" * 41, "--5", "5.5.5", "5e",
        "\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT FIVE}", "5\0", "5 MHz",
    ],
)  # fmt: skip
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(ArgumentError, match="expected a number of seconds, alone or"):
        units.SECONDS.parse(text)


def test_the_longest_number_is_read() -> None:
    assert units.COUNT.whole("1" * 40) == int("1" * 40)
    assert units.COUNT.parse("1e308") == 1e308
    with pytest.raises(ArgumentError):
        units.COUNT.parse("1e309")


# The options of all commands


def leaves(command: Any, path: str) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - of Typer
    inner = getattr(command, "commands", {})
    for name, each in inner.items():
        yield from leaves(each, f"{path} {name}")
    if not inner:
        yield path, command


def numbers() -> list[tuple[str, Any, type]]:
    """Return all options that are numbers: command, option, and type."""
    return [
        (path, option, kind)
        for row in COMMANDS
        for path, command in leaves(load(row), row.name)
        for option in command.params
        if (kind := number_type(option.type_descriptor.annotation)) is not None
    ]


# What the help calls a unit, where it does not only stand for the number.
WORDS = {
    "SECONDS": "second|time|delay|duration|latency|wait|long",
    "BYTES": "byte|size|payload|flash|ram|tag|packet",
    "P": "probab|chance|share|rate",
}


def test_each_number_has_a_unit_that_its_help_names() -> None:
    found = numbers()
    assert len(found) > 150
    for path, option, kind in found:
        unit = unit_of(option, kind)
        if unit not in (units.COUNT, units.NUMBER):
            assert UNITS[option.metavar] is unit, (path, option.opts)
            words = WORDS.get(option.metavar)
            if words is not None:
                assert re.search(words, option.help.lower()), (path, option.opts)


def units_named(text: str) -> set[str]:
    return {
        name
        for name, words in (
            ("SECONDS", r"\bseconds?\b|\bhow long\b"),
            ("HOURS", r"\bhours\b"),
            ("BYTES", r"\bin bytes\b|\bsize of the (message|associated)"),
            ("P", r"\bprobability\b"),
            ("HZ", r"\bin hz\b"),
            ("DB", r"\bin db\b"),
            ("PPM", r"\bin ppm\b"),
            ("MS", r"\bmilliseconds\b"),
        )
        if re.search(words, text.lower())
    }


def test_no_help_names_another_unit() -> None:
    for path, option, _ in numbers():
        named = units_named(option.help.partition("Default")[0])
        assert named <= {option.metavar}, (path, option.opts, named)


@pytest.mark.parametrize(
    ("line", "written", "plain"),
    [
        ("energy life --json --interval", "5min", "300"),
        ("energy life --json --interval", "0.5h", "1800"),
        ("energy life --json --interval", "700ms", "0.7"),
        ("receipt explain --link rf-serial --json --bytes", "1k", "1000"),
        ("receipt explain --link rf-serial --json --bytes", "1Ki", "1024"),
        ("energy network --json --draws 10 --topology chain --interval",
         "1min:3min:1min", "60:180:60"),
    ],
)  # fmt: skip
def test_commands_take_quantities(
    line: str, written: str, plain: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*line.split(), written]) == run([*line.split(), plain]) == 0
    output = capsys.readouterr().out.splitlines()
    half = len(output) // 2
    assert half
    assert output[:half] == output[half:]


@pytest.mark.parametrize(
    ("line", "option", "words"),
    [
        ("medium --loss 5apples", "--loss", "a number, alone or followed by %"),
        ("energy life --interval 0.5ms", "--interval", "at least 0.001 seconds"),
        ("channel --loss 100.1%", "--loss", "0 to 1"),
        (
            "channel --ebn0 nan",
            "--ebn0",
            "a number of dB, alone or followed by dB",
        ),
        (
            "receipt explain --link rf-serial --bytes 1.5",
            "--bytes",
            "a whole number of bytes, alone or followed by B, k, kB, M, MB, Ki, KiB",
        ),
    ],
)
def test_a_wrong_quantity_is_one_sentence(
    line: str, option: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == 2
    (sentence,) = capsys.readouterr().err.splitlines()
    assert sentence.startswith(f"samara: Invalid value for '{option}': ")
    command = line.partition(" --")[0]
    assert f"expected {words}" in sentence
    assert sentence.endswith(f"; see samara {command} --help.")
