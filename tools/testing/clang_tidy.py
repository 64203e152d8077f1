# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over the C sources, a file at a time on every processor.

As a program: `python -m testing.clang_tidy FILE...`, as pre-commit calls it.
"""

import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testing.builds import Build, configure
from testing.process import Children, Outcome
from testing.report import Report
from testing.session import ROOT, Command, Options, Session

# What clang-tidy is told of each file: flags and include folders.
_BUILD = Build("clang", "-O2", purpose="lint", options=("-DSAMARA_FUZZ=ON",))
_OBJECTION = re.compile(r": (error|warning): ")
_LINTED = (ROOT / "core", ROOT / "tests")


@dataclass
class _Findings:
    """The outcomes of all files, of which those that failed matter."""

    outcomes: list[Outcome] = field(default_factory=list)

    def objections(self) -> list[str]:
        """List what is wrong, a line each; the paths to it are in the logs."""
        lines = "\n".join(outcome.output for outcome in self.failed).splitlines()
        wrong = {line for line in lines if _OBJECTION.search(line)}
        return sorted(line.replace(f"{ROOT}/", "") for line in wrong) or lines

    @property
    def failed(self) -> list[Outcome]:
        """List the outcomes of the files with objections."""
        return [outcome for outcome in self.outcomes if not outcome.ok]


def clang_tidy(session: Session, only: Sequence[Path] = ()) -> None:
    """Lint every compiled C file, or those of `only` that are compiled."""
    if not configure(session, _BUILD):
        return
    folder = _BUILD.folder(session)
    sources = [path for path in _compiled(folder) if not only or path in only]
    if not sources:
        if not only:
            session.failed("clang-tidy", "no source file to look at")
        return
    findings = _Findings()

    def lint(path: Path) -> None:
        what = f"clang-tidy {path.relative_to(ROOT)}"
        command: Command = ["clang-tidy", "--quiet", f"-p={folder}", path]
        findings.outcomes.append(session.command(what, command))

    start = time.monotonic()
    session.in_parallel(lint, sources)
    _report(session, findings, time.monotonic() - start)


def _report(session: Session, findings: _Findings, seconds: float) -> None:
    count = len(findings.outcomes)
    if findings.failed:
        reason = f"it objects to {len(findings.failed)} of {count} files"
        where = findings.failed[0].log.parent.relative_to(ROOT)
        objections = "\n".join(findings.objections())
        session.failed("clang-tidy", f"{reason}; {where}", objections)
    else:
        session.passed("clang-tidy", f"{count} files, {seconds:.1f} s")


def _compiled(folder: Path) -> list[Path]:
    """List our C files that the build compiles, without repetition."""
    entries = json.loads((folder / "compile_commands.json").read_text())
    paths = {Path(entry["file"]).resolve() for entry in entries}
    return sorted(
        path
        for path in paths
        if path.suffix == ".c" and any(path.is_relative_to(top) for top in _LINTED)
    )


def main(arguments: Sequence[str]) -> int:
    """Lint the files named, as far as they are compiled."""
    session = Session("lint", Options(), Children(), Report())
    only = [Path(argument).resolve() for argument in arguments]
    sources = [path for path in only if path.suffix == ".c"]
    if sources:
        clang_tidy(session, sources)
    return int(session.tally.failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
