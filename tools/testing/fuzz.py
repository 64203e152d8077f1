# SPDX-License-Identifier: Apache-2.0
"""libFuzzer on everything that reads what a stranger may have written."""

import re
from pathlib import Path

from testing.builds import Build, make
from testing.process import Outcome
from testing.session import ROOT, Session, Stage

_CORPUS = ROOT / "tests" / "fuzz" / "corpus"
_RUNS = re.compile(r"^stat::number_of_executed_units:\s*(\d+)$", re.MULTILINE)
_ARTIFACT = re.compile(r"Test unit written to (\S+)")
# An input that takes longer, in seconds, has found something too.
_SLOW_S = 10


def fuzz(session: Session) -> None:
    """Fuzz every target, a few at a time."""
    build = Build(
        "clang",
        "-O1",
        purpose="fuzz",
        options=("-DSAMARA_FUZZ=ON", "-DSAMARA_SANITIZE=ON"),
    )
    if not make(session, build):
        return
    folder = build.folder(session) / "tests" / "fuzz"
    programs = sorted(path for path in folder.glob("fuzz_*") if path.is_file())
    session.in_parallel(lambda program: _fuzz(session, program), programs)


def _fuzz(session: Session, program: Path) -> None:
    name = program.name.removeprefix("fuzz_")
    stored = _CORPUS / name
    if not stored.is_dir() or not any(stored.iterdir()):
        session.failed(program.name, f"no corpus in {stored.relative_to(ROOT)}")
        return
    _report(session, program, _run(session, program, stored))


def _run(session: Session, program: Path, stored: Path) -> Outcome:
    """Run one target; what it finds goes to build/, never to the stored corpus."""
    grown = session.build / "fuzz" / program.name
    found = session.build / "fuzz" / "findings" / program.name
    grown.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    seconds = session.options.fuzz_seconds
    return session.command(
        program.name,
        [
            program,
            f"-max_total_time={seconds}",
            f"-timeout={_SLOW_S}",
            f"-artifact_prefix={found}/",
            "-print_final_stats=1",
            grown,
            stored,
        ],
        timeout_s=seconds + 300,
    )


def _report(session: Session, program: Path, outcome: Outcome) -> None:
    runs = _RUNS.search(outcome.output)
    if not outcome.ok:
        artifact = _ARTIFACT.search(outcome.output)
        if artifact:
            session.report.line(f"  reproduce with: {program} {artifact[1]}")
        session.fail_with(program.name, outcome)
    elif runs is None or int(runs[1]) == 0:
        session.failed(program.name, "no input was tried", outcome.output)
    else:
        session.passed(program.name, f"{runs[1]} inputs, {outcome.seconds:.0f} s")


STAGE = Stage(
    "fuzz",
    "libFuzzer on opening and parsing, from a stored corpus",
    fuzz,
)
