# SPDX-License-Identifier: Apache-2.0
"""The stage of linters: the hooks of .pre-commit-config.yaml on every file.

A hook that passed with the same files, tools and machine is taken from the record
(`testing.lint_record`).
"""

import re

from testing import files
from testing.changed import c_is_unchanged
from testing.green_record import record_of
from testing.lint_record import TIDY, LintRecord
from testing.session import ROOT, VENV, Options, Session, Stage
from testing.shared_caches import MYPY

_HOOK = re.compile(r"^ *- id: (\S+)$((?:\n(?! *- id: ).*)*)", re.MULTILINE)
# Of hooks that only --all runs, or a -k that names them.
_ONLY_ALL = "stages: [manual]"
# Makes what clang-tidy reads: it has to come first.
_FIRST = "compile-commands"
_MYPY = {"mypy", "mypy-scripts"}
_OPTIONS = ("--color=never", "--hook-stage=manual")
_NOTHING = "(no files to check)"


def lint(session: Session) -> None:
    """Run the hooks, a few at a time; each is one check."""
    chosen = _chosen(session.options)
    if session.options.quick and c_is_unchanged() and TIDY & {*chosen}:
        session.report.line("  left out clang-tidy  (no C changed since main)")
        chosen = [hook for hook in chosen if hook not in {_FIRST, *TIDY}]
    record = LintRecord(record_of("lint"))
    hooks = [hook for hook in chosen if hook != _FIRST]
    left = [hook for hook in hooks if not _take(session, record, hook)]
    if _FIRST in chosen or TIDY & {*left}:
        _run(session, _FIRST)
    if _MYPY & {*left}:
        MYPY.bring(ROOT)
    passed: list[str] = []
    # The longest are the last of the list.
    session.in_parallel(
        lambda hook: passed.extend([hook] if _run(session, hook) else []),
        reversed(left),
    )
    if {*passed} >= _MYPY:
        MYPY.keep(ROOT)
    record.put(passed)


def _take(session: Session, record: LintRecord, hook: str) -> bool:
    """Report a hook as on record, and tell whether it is."""
    options = session.options
    found = record.note(hook)
    if not found or options.again or options.only or options.thorough:
        return False
    day = found.partition(" on ")[2]
    session.on_record(hook, f"as on record: it passed on {day}; --again runs it")
    return True


def _chosen(options: Options) -> list[str]:
    """Return the hooks to run, in the order of their file."""
    hooks = _HOOK.findall((ROOT / ".pre-commit-config.yaml").read_text())
    return [
        hook
        for hook, settings in hooks
        if options.only in hook
        and (options.thorough or options.only == hook or _ONLY_ALL not in settings)
    ]


def _run(session: Session, hook: str) -> bool:
    """Run a hook, and tell whether it passed; one without a file to look at failed."""
    paths = [path.relative_to(ROOT) for path in files.all_files()]
    result = session.command(
        hook,
        [VENV / "pre-commit", "run", *_OPTIONS, hook, "--files", *paths],
        extra=_environment(session),
    )
    if not result.ok:
        session.fail_with(hook, result)
    elif _NOTHING in result.output:
        session.failed(hook, "no file to look at", result.output)
    else:
        session.passed(hook, f"{result.seconds:.1f} s")
        return True
    return False


def _environment(session: Session) -> dict[str, str]:
    """Set where pre-commit keeps its data, and a repository where there is none."""
    home = {"PRE_COMMIT_HOME": str(session.build / "pre-commit")}
    if (ROOT / ".git").exists():
        return home
    # pre-commit needs one. An empty one does, as every file is named.
    place = {
        "GIT_DIR": str(session.build / "lint.git"),
        "GIT_WORK_TREE": str(ROOT),
    }
    session.command("git init", ["git", "init", "--quiet"], extra=place)
    return {**home, **place}


STAGE = Stage(
    "lint",
    "linters and type checks, as pre-commit runs them on every file",
    lint,
    selects="HOOK of .pre-commit-config.yaml: 'ruff-format'",
    quick=True,
)
