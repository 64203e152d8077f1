# SPDX-License-Identifier: Apache-2.0
"""The stage of linters: the hooks of .pre-commit-config.yaml on every file."""

import re

from testing import files
from testing.changed import c_is_unchanged
from testing.session import ROOT, VENV, Session, Stage

_HOOK = re.compile(r"^ *- id: (\S+)$", re.MULTILINE)
# Makes what clang-tidy reads: it has to come first.
_FIRST = "compile-commands"
_NOTHING = "(no files to check)"


def lint(session: Session) -> None:
    """Run the hooks, a few at a time; each is one check."""
    hooks = _HOOK.findall((ROOT / ".pre-commit-config.yaml").read_text())
    chosen = [hook for hook in hooks if session.options.only in hook]
    if session.options.quick and c_is_unchanged() and "clang-tidy" in chosen:
        session.report.line("  left out clang-tidy  (no C changed since main)")
        chosen = [hook for hook in chosen if hook not in {_FIRST, "clang-tidy"}]
    if _FIRST in chosen or "clang-tidy" in chosen:
        _run(session, _FIRST)
    rest = [hook for hook in chosen if hook != _FIRST]
    # The longest are the last of the list.
    session.in_parallel(lambda hook: _run(session, hook), reversed(rest))


def _run(session: Session, hook: str) -> None:
    """Run a hook; one that has no file to look at has failed."""
    paths = [path.relative_to(ROOT) for path in files.all_files()]
    outcome = session.command(
        hook,
        [VENV / "pre-commit", "run", "--color=never", hook, "--files", *paths],
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
