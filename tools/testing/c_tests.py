# SPDX-License-Identifier: Apache-2.0
"""Stages of C programs: builds of CMakePresets.json, tested by ctest."""

import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from testing.compiler_cache import same_in_all_clones
from testing.counts import report_case
from testing.green_record import GreenRecord, record_of
from testing.junit import read_cases
from testing.processor import sets_missing
from testing.program_record import LeftOut, Program, ProgramRecord, programs_of
from testing.session import ROOT, Command, Session, Stage
from testing.tally import Tally

# ctest cuts longer outputs, and with them the line that counts.
_OUTPUT_LIMIT = 100_000_000
# What CMake says where a build by hand had the compiler without its cache: it begins
# anew then, without the settings of the preset.
_FORGOT = "require your cache to be deleted"
# Longest that one program may take, in seconds, beside the time to fuzz.
_TIMEOUT_S = 1500


@dataclass(frozen=True)
class Programs:
    """The builds of one stage, and what is built and run of them."""

    #: Pattern of the presets that the stage can build.
    every: str
    #: Pattern of those among them that it builds without --all.
    usual: str = "."
    #: Those of --quick.
    quick: tuple[str, ...] = ()
    #: The tests to run, as a pattern for ctest.
    tests: str = "."
    #: Those among them without --all, if fewer.
    usual_tests: str = ""
    #: What to build; everything when empty.
    targets: tuple[str, ...] = ()
    #: Whether programs do something new each time.
    varies: bool = False
    #: Whether they are to run the code for all sets of instructions of x86-64.
    sets: bool = False


@dataclass(frozen=True)
class _Build:
    """A configured build and the part of it that is wanted."""

    name: str
    tests: str
    targets: tuple[str, ...]
    jobs: int

    @property
    def folder(self) -> Path:
        """Directory of the preset."""
        return ROOT / "build" / "test" / self.name


def c_stage(
    name: str, summary: str, programs: Programs, reads: tuple[str, ...] = ()
) -> Stage:
    """Make a stage that builds presets and runs their tests.

    Its -k takes the name of a build, of a program, or both: 'gcc-O2 test_aead'.
    """
    return Stage(
        name,
        summary,
        lambda session: _run(session, programs),
        selects="BUILD, PROGRAM or both: 'gcc-O2 test_aead'",
        quick=bool(programs.quick),
        reads=reads,
    )


def presets() -> list[str]:
    """Return the names of all presets that can be built."""
    described = json.loads((ROOT / "CMakePresets.json").read_text())
    return [
        preset["name"]
        for preset in described["configurePresets"]
        if not preset.get("hidden")
    ]


def make(session: Session, name: str, *targets: str, jobs: int | None = None) -> bool:
    """Configure and build a preset; a failure is reported with its output."""
    configure: Command = ["cmake", "--preset", name]
    shared = same_in_all_clones(ROOT)
    result = session.command(f"configure {name}", configure, extra=shared)
    if not result.ok or _FORGOT in result.output:
        # The directory may be of an interrupted run or of another place.
        configure = [*configure, "--fresh"]
        result = session.command(f"configure {name}", configure, extra=shared)
    if not result.ok:
        session.fail_with(f"configure {name}", result)
        return False
    build: Command = [
        *("cmake", "--build", ROOT / "build" / "test" / name),
        *("--parallel", str(jobs or session.options.jobs)),
        *(("--target", *targets) if targets else ()),
    ]
    result = session.command(f"build {name}", build, extra=shared)
    if not result.ok:
        session.fail_with(f"build {name}", result)
    return result.ok


def _run(session: Session, programs: Programs) -> None:
    """Build and test a few builds at a time: linking leaves processors idle."""
    names, tests = _selected(session, programs)
    for name in sets_missing() if programs.sets else ():
        session.skipped(f"code for {name}", "this processor has no such instructions")
    jobs = max(1, session.options.jobs // max(1, len(names)))
    targets = _targets(tests) or programs.targets
    usual = "" if session.options.thorough else programs.usual_tests
    tests = tests or usual or programs.tests
    builds = [_Build(name, tests, targets, jobs) for name in names]
    record = _record(session, programs)
    session.in_parallel(lambda build: _build_and_test(session, build, record), builds)


def _record(session: Session, programs: Programs) -> ProgramRecord | None:
    """Return the record of programs; None if all that is asked for has to run."""
    options = session.options
    if programs.varies or options.only:
        return None
    is_anew = options.again or options.thorough
    return ProgramRecord(GreenRecord(None) if is_anew else record_of("c-programs"))


def _selected(session: Session, programs: Programs) -> tuple[list[str], str]:
    """Return the builds to run and the one program that -k names, if any."""
    every = [name for name in presets() if re.match(programs.every, name)]
    words = session.options.only.split()
    named = [word for word in words if word in every]
    others = [word for word in words if word not in every]
    if named:
        chosen = named
    elif session.options.quick and programs.quick:
        chosen = list(programs.quick)
    elif session.options.thorough:
        chosen = every
    else:
        chosen = [name for name in every if re.match(programs.usual, name)]
    return chosen, f"^({'|'.join(others)})$" if others else ""


def _targets(tests: str) -> tuple[str, ...]:
    """Return the target of a single program that -k names."""
    name = tests[2:-2]
    is_program = bool(name) and any(ROOT.glob(f"tests/*/{name}.c"))
    return (name,) if is_program else ()


def _build_and_test(
    session: Session, build: _Build, record: ProgramRecord | None
) -> None:
    """Build what is wanted, and run the programs that did not run already."""
    start = time.monotonic()
    if not make(session, build.name, *build.targets, jobs=build.jobs):
        return
    built_s = time.monotonic() - start
    programs = _listed(session, build) if record else []
    left_out = record.left_out(build.name, programs) if record else LeftOut()
    _tell(session, build, left_out)
    if programs and left_out.names == {program.name for program in programs}:
        return
    tallies = _run_programs(session, build, left_out, built_s)
    if record:
        record.put(programs, tallies)


def _run_programs(
    session: Session, build: _Build, left_out: LeftOut, built_s: float
) -> dict[str, Tally]:
    """Report a build as one line, and each program of it that failed."""
    results = build.folder / "ctest.xml"
    results.unlink(missing_ok=True)
    fuzz_s = session.options.fuzz_seconds
    result = session.command(
        f"ctest {build.name}",
        _ctest(build, results, _TIMEOUT_S + fuzz_s, left_out.names),
        extra={"SAMARA_FUZZ_SECONDS": str(fuzz_s)},
        timeout_s=_TIMEOUT_S + 20 * fuzz_s,
    )
    if not results.exists():
        session.fail_with(f"ctest {build.name}", result)
        return {}
    cases = read_cases(results)
    tallies = {case.name: report_case(session, case, build.name) for case in cases}
    total = sum(tallies.values(), Tally())
    if not result.ok and not total.failed:
        session.fail_with(f"ctest {build.name}", result)
    if total.passed:
        detail = (
            f"{total.passed} checks of {len(tallies)} programs, "
            f"built in {built_s:.1f} s, ran in {result.seconds:.1f} s"
        )
        session.passed(build.name, detail, count=total.passed)
    return tallies


def _listed(session: Session, build: _Build) -> list[Program]:
    """Return the programs of a build that are to run."""
    result = session.command(
        f"list {build.name}",
        [
            *("ctest", "--test-dir", build.folder),
            *("--tests-regex", build.tests, "--show-only=json-v1"),
        ],
    )
    return programs_of(result.output, build.folder) if result.ok else []


def _tell(session: Session, build: _Build, left_out: LeftOut) -> None:
    """Report the programs of a build that do not run, and why."""
    if recorded := left_out.on_record:
        detail = f"{len(recorded)} programs, the same bytes; --again runs them"
        count = sum(recorded.values())
        session.on_record(f"{build.name}, as on record", detail, count)
    if same := left_out.same:
        others = ", ".join(sorted(set(same.values())))
        names = ", ".join(sorted(same))
        session.report.line(
            f"  same     {build.name}: the programs of {others}, byte for byte, "
            f"which run there: {names}"
        )


def _ctest(
    build: _Build, results: Path, timeout_s: int, left_out: Iterable[str] = ()
) -> Command:
    names = "|".join(map(re.escape, sorted(left_out)))
    return [
        *("ctest", "--test-dir", build.folder),
        *("--parallel", str(build.jobs)),
        "--no-tests=error",
        *("--tests-regex", build.tests),
        *(("--exclude-regex", f"^({names})$") if names else ()),
        *("--timeout", str(timeout_s)),
        "--output-on-failure",
        *("--output-junit", results),
        *("--test-output-size-passed", str(_OUTPUT_LIMIT)),
        *("--test-output-size-failed", str(_OUTPUT_LIMIT)),
    ]
