# SPDX-License-Identifier: Apache-2.0
"""./test: which stages to run, and what came of them."""

import argparse
import fcntl
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from testing import slow_stages, times
from testing.changed import c_is_unchanged
from testing.compiler_cache import use_compiler_cache
from testing.green_record import record_of
from testing.report import Report
from testing.run import run_stages
from testing.session import ROOT, Options, Stage
from testing.stages import STAGES

_INTERRUPTED = 130
_NAMES = tuple(stage.name for stage in STAGES)


def main(arguments: Sequence[str]) -> int:
    """Run what the arguments ask for; the result is the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.list or options.times:
        print(*(_described() if options.list else times.lines(_NAMES)), sep="\n")
        return 0
    if options.write_times:
        return _write_times()
    _refuse_misuse(parser, options)
    stages = [stage for stage in STAGES if _is_wanted(stage, options)]
    if options.quick and not options.stage and c_is_unchanged():
        print("stage c is left out: nothing that it reads changed since main")
        stages = [stage for stage in stages if stage.name != "c"]
    forget_python_settings()
    use_compiler_cache()
    interrupt_on_signals()
    with _only_one():
        return _run(stages, options)


def _run(stages: Sequence[Stage], options: argparse.Namespace) -> int:
    report = Report()
    leaves_slow = _leaves_slow(options)
    left = slow_stages.left(stages) if leaves_slow else []
    given = Options(
        thorough=options.all,
        again=options.again,
        made=tuple(options.made or ()),
        quick=options.quick,
        leaves_slow=leaves_slow,
        fuzz_seconds=options.seconds or (600 if options.all else 2),
        jobs=options.jobs,
        only=options.only,
    )
    _tell_left(left, report)
    chosen = [stage for stage in stages if stage not in left]
    exit_code = run_stages(chosen, given, report, record_of("stages"))
    if not (options.only or options.made or options.quick):
        times.keep((name, spent) for name, _, spent in report.stages)
    return exit_code


def _leaves_slow(options: argparse.Namespace) -> bool:
    """Tell whether slow checks of what did not change are left to .ci/run."""
    is_builder = bool(os.environ.get("CI"))
    return not (is_builder or options.all or options.quick or options.stage)


def _tell_left(stages: Sequence[Stage], report: Report) -> None:
    if stages:
        names = ", ".join(stage.name for stage in stages)
        report.left(
            f"{len(stages)} slow stages",
            f"{names}: nothing that they read differs from main; "
            ".ci/run runs them, or ./test STAGE",
        )


def _write_times() -> int:
    missing = times.write(_NAMES)
    print(f"{times.DOCUMENT.name}: the table of CPU times is written")
    if missing:
        print(f"not run yet as a whole in this clone: {', '.join(missing)}")
    return 0


def _described() -> Iterator[str]:
    for stage in STAGES:
        yield f"{stage.name:15} {stage.summary}"
        yield f"{'':15}   -k {stage.selects}"


def _refuse_misuse(
    parser: argparse.ArgumentParser, options: argparse.Namespace
) -> None:
    if unknown := set(options.stage) - set(_NAMES):
        parser.error(f"no such stage: {', '.join(sorted(unknown))} (see --list)")
    if options.made and options.stage != ["mutations"]:
        parser.error("--made is for one stage: ./test mutations --made FILE")
    if options.only and not options.stage:
        parser.error("-k NAME needs the stage of NAME: ./test STAGE -k NAME")


def _is_wanted(stage: Stage, options: argparse.Namespace) -> bool:
    if options.stage:
        return stage.name in options.stage
    return stage.quick or not options.quick


_DESCRIPTION = """
Set up what is missing, then run the stages named. Default: all stages.

By default slow checks run only where something that they read differs from
main: slow stages, and Python tests marked slow. What is left out is told.
.ci/run runs everything, and a stage that is named runs as a whole.

The last line is 'N passed, M failed'. A stage that runs no check has failed.
Failed and skipped checks are repeated before the last line, after a table of
the times. Exit status: 0 if nothing failed, 1 if something failed, 2 for wrong
arguments, 130 when interrupted.
"""

_EXAMPLES = """
One test of each kind of stage:
  ./test c -k 'gcc-O2 test_aead'            one build and one program
  ./test c -k test_aead                     one program in every build
  ./test fuzz -k fuzz_open --seconds 5      one target
  ./test python -k test_readme              one module of tests, or one test
  ./test residue -k cortex-m3-Os            one device and level
  ./test lint -k ruff                       some hooks
  ./test mutations -k energy                some planted faults
  ./test mutations --made src/samara/units.py   what no test there finds

CONTRIBUTING.md says how to run one test under a debugger.
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./test",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("stage", nargs="*", metavar="STAGE", help=", ".join(_NAMES))
    parser.add_argument(
        "--list", action="store_true", help="list the stages and what -k takes there"
    )
    parser.add_argument(
        "--times",
        action="store_true",
        help="print how long each stage took when it ran last here as a whole",
    )
    parser.add_argument(
        "--write-times",
        action="store_true",
        help="write the CPU times of --times into CONTRIBUTING.md",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--quick",
        action="store_true",
        help="what to run before each commit: linters, C tests of one build, the "
        "Python tests that are not marked slow; of these only the files that need "
        "something that differs from main, and C and clang-tidy only where something "
        "that they read differs",
    )
    length.add_argument(
        "--all",
        action="store_true",
        help="the long form: fuzzing for 10 minutes a target, constant time in every "
        "build, every device, every planted fault",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="run stages and plant faults that are on record as passed, too: with the "
        "same files, tools and machine",
    )
    parser.add_argument(
        "--made",
        nargs="+",
        metavar="FILE",
        help="with the stage mutations: plant faults that are made by rule in these "
        "files, for 10 minutes or, with --all, until all were planted",
    )
    parser.add_argument(
        "-k",
        dest="only",
        default="",
        metavar="NAME",
        help="only these checks of the stages named (see --list)",
    )
    parser.add_argument(
        "--seconds",
        type=_positive,
        metavar="N",
        help="seconds to fuzz each target. Default: 2, with --all 600",
    )
    parser.add_argument(
        "--jobs",
        type=_positive,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of parallel processes. Default: %(default)s, one a processor",
    )
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        message = f"{number} is not 1 or more"
        raise argparse.ArgumentTypeError(message)
    return number


def forget_python_settings() -> None:
    """Let no setting of this machine change how what is started here behaves.

    PYTHONPATH is for this process alone; with PYTHONUNBUFFERED a program never
    has the errors of writing at its end that it has everywhere else.
    """
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]


def interrupt_on_signals() -> None:
    """Let every usual way to end a program end its children, too.

    SIGINT as well, which a shell lets its background jobs ignore, and with them
    all that they start: the tests interrupt programs.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _only_one() -> Iterator[None]:
    """Wait until no other ./test works in the same build folder."""
    folder = ROOT / "build" / "test"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("waiting for another ./test to end", file=sys.stderr)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX)
            except KeyboardInterrupt:
                print("0 passed, 1 failed")
                sys.exit(_INTERRUPTED)
        yield
