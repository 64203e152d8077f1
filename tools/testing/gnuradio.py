# SPDX-License-Identifier: Apache-2.0
"""The GNU Radio blocks: their C++ and Python tests, and their examples."""

from pathlib import Path

from testing import files
from testing.python_tests import pytest
from testing.session import ROOT, VENV, Command, Session, Stage

_MODULE = ROOT / "gr-samara"
# What tools/setup built; here it gets its tests too.
_BUILD = ROOT / "build" / "gr-samara"


def gnuradio(session: Session) -> None:
    """Test the blocks that are installed in .venv."""
    only = session.options.only
    if only in ("", "C++"):
        _cxx_tests(session, "C++ tests", _BUILD)
    if only != "C++":
        _python_tests(session)
    if only:
        return
    if session.options.thorough:
        _sanitized(session)
    _examples(session)


def _python_tests(session: Session) -> None:
    folder = _MODULE / "python" / "qa"
    options: Command = ["-o", "python_files=qa_*.py"]
    if session.options.only:
        options = [*options, "-k", session.options.only]
    pytest(session, "python tests", folder, *options, search=str(folder))


def _cxx_tests(
    session: Session, what: str, build: Path, options: tuple[str, ...] = ()
) -> None:
    configure: Command = [
        *("cmake", "-S", _MODULE, "-B", build, "-G", "Ninja"),
        f"-DCMAKE_PREFIX_PATH={VENV.parent}",
        "-DGR_SAMARA_TESTS=ON",
        *options,
    ]
    jobs = str(session.options.jobs)
    make: Command = [
        *("cmake", "--build", build, "--parallel", jobs),
        *("--target", "qa_gr_samara"),
    ]
    for step, command in (("configure", configure), ("build", make)):
        outcome = session.command(f"{what}, {step}", command)
        if not outcome.ok:
            session.fail_with(what, outcome)
            return
    session.check(what, [build / "lib" / "qa_gr_samara"])


def _sanitized(session: Session) -> None:
    options = (
        "-DCMAKE_BUILD_TYPE=Debug",
        "-DGR_SAMARA_SANITIZE=ON",
        "-DGR_SAMARA_WERROR=ON",
    )
    _cxx_tests(session, "C++ tests, sanitized", session.build / "gr-samara", options)


def _examples(session: Session) -> None:
    """Compile every flowgraph of GNU Radio Companion."""
    flowgraphs = files.with_suffix(".grc", under=("gr-samara/examples",))
    if not flowgraphs:
        session.failed("examples", "no flowgraph to compile")
    output = session.build / "grc"
    output.mkdir(parents=True, exist_ok=True)
    blocks = {"GRC_BLOCKS_PATH": str(VENV.parent / "share/gnuradio/grc/blocks")}
    for flowgraph in flowgraphs:
        command: Command = ["grcc", "-o", output, flowgraph]
        session.check(f"grcc {flowgraph.name}", command, extra=blocks)


STAGE = Stage(
    "gnuradio",
    "the GNU Radio blocks: C++ and Python tests, examples through grcc",
    gnuradio,
    selects="'C++' for the C++ tests, or an expression for pytest -k",
)
