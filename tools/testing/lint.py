# SPDX-License-Identifier: Apache-2.0
"""The stage of linters: the hooks of .pre-commit-config.yaml on every file."""

import re

from testing import files
from testing.changed import c_is_unchanged
from testing.session import ROOT, VENV, Options, Session, Stage

_HOOK = re.compile(r"^ *- id: (\S+)$((?:\n(?! *- id: ).*)*)", re.MULTILINE)
# Of hooks that only --all runs, or a -k that names them.
_ONLY_ALL = "stages: [manual]"
# Makes what clang-tidy reads: it has to come first.
_FIRST = "compile-commands"
_TIDY = {"clang-tidy", "clang-tidy-tests", "clang-analyzer-tests"}
_OPTIONS = ("--color=never", "--hook-stage=manual")
_NOTHING = "(no files to check)"


def lint(session: Session) -> None:
    """Run the hooks, a few at a time; each is one check."""
    chosen = _chosen(session.options)
    if session.options.quick and c_is_unchanged() and _TIDY & {*chosen}:
        session.report.line("  left out clang-tidy  (no C changed since main)")
        chosen = [hook for hook in chosen if hook not in {_FIRST, *_TIDY}]
    if {_FIRST, *_TIDY} & {*chosen}:
        _run(session, _FIRST)
    rest = [hook for hook in chosen if hook != _FIRST]
    # The longest are the last of the list.
    session.in_parallel(lambda hook: _run(session, hook), reversed(rest))


def _chosen(options: Options) -> list[str]:
    """Return the hooks to run, in the order of their file."""
    hooks = _HOOK.findall((ROOT / ".pre-commit-config.yaml").read_text())
    return [
        hook
        for hook, settings in hooks
        if options.only in hook
        and (options.thorough or options.only == hook or _ONLY_ALL not in settings)
    ]


def _run(session: Session, hook: str) -> None:
    """Run a hook; one that has no file to look at has failed."""
    paths = [path.relative_to(ROOT) for path in files.all_files()]
    outcome = session.command(
        hook,
        [VENV / "pre-commit", "run", *_OPTIONS, hook, "--files", *paths],
        extra=_environment(session),
    )
    if not outcome.ok:
        session.fail_with(hook, outcome)
    elif _NOTHING in outcome.output:
        session.failed(hook, "no file to look at", outcome.output)
    else:
        session.passed(hook, f"{outcome.seconds:.1f} s")


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
