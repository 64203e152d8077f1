# SPDX-License-Identifier: Apache-2.0
"""Options and markers of all tests: which run, and which have to wait.

A test marked `slow` takes a second of CPU time or more. With --slow-in such tests run
only in the files that are listed. A test marked `thorough` runs only with --all, or
when -k has the whole name of its function; of one that is thorough with some parameters
only, a part of these. Tests that share a fixture of their module run in one process:
what it provides, such as a site or a browser, is made once.

Temporary files of the tests, and of the programs that they start and kill, are in one
directory (TMPDIR), which is removed at the end; that of a run that was killed, when
the next one begins.

What a test takes, and the directories of data that it reads, go into its properties.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import os
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ROOT = f"{Path(__file__).resolve().parents[1]}/"
# What is made, and what belongs to tools.
_NO_DATA = ("build/", ".")
_OF_PYTHON = (".py", ".pyc")
_TOGETHER = "samara-pytest-"
"""Beginning of the name of the directory for temporary files."""
_NEW_S = 60.0
# Of an expression of -k, whose words may have more signs than those of Python.
_WORD = re.compile(r"[^\s()]+")
# Directories of the project from which this process has opened a file.
_read: set[str] = set()


def _keep_temporary_files_together() -> None:
    """Make a directory for all processes of a run; those of xdist are told of it."""
    # Pytest keeps what its last runs made where it was: to look at it.
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
    _remove_what_killed_runs_left(Path(tempfile.gettempdir()))
    made = Path(tempfile.mkdtemp(prefix=_TOGETHER))
    # Until this process ends, however it does.
    fcntl.flock(os.open(made, os.O_RDONLY), fcntl.LOCK_EX)
    # As the system's: some tests are another user.
    made.chmod(0o1777)
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    os.environ["TMPDIR"] = tempfile.tempdir = str(made)


def _remove_what_killed_runs_left(folder: Path) -> None:
    for each in folder.glob(f"{_TOGETHER}*"):
        with contextlib.suppress(OSError):
            # One that was made just now is not locked yet.
            if time.time() - each.stat().st_mtime > _NEW_S and not _is_locked(each):
                shutil.rmtree(each)


def _is_locked(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


if "PYTEST_XDIST_WORKER" not in os.environ:
    _keep_temporary_files_together()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("samara")
    group.addoption(
        "--slow-in",
        type=Path,
        metavar="FILE",
        help="run tests marked slow only of the files of tests that FILE lists, one a "
        "line; write FILE.left with the tests that are left out by that",
    )
    group.addoption(
        "--all", action="store_true", help="run the tests marked thorough, too"
    )


def pytest_configure(config: pytest.Config) -> None:
    # Modules and tests are a million objects that stay, in each process of a run: to
    # look through all of them for circles takes half a second, again and again.
    gc.disable()
    sys.addaudithook(_note_read)
    # On a busy machine commands would say how far they are, beside what is expected.
    os.environ["SAMARA_PROGRESS"] = "off"
    if config.getoption("--all"):
        # Every program starts from nothing: tests/python/forks.py.
        os.environ["SAMARA_TEST_FORKS"] = "no"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> None:
    left = {id(item) for item in _slow_left(config, items)}
    if not config.getoption("--all"):
        left |= {
            id(item)
            for item in items
            if item.get_closest_marker("thorough")
            and not _is_named(item, config.option.keyword)
        }
    kept = [item for item in items if id(item) not in left]
    if left:
        dropped = [item for item in items if id(item) in left]
        config.hook.pytest_deselected(items=dropped)
    items[:] = kept
    for item in kept:
        if _shared(item) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    _refuse_to_share_between_processes(kept)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Put down what a test reads, and the CPU time of one that is not marked slow."""
    before = _busy_s()
    _read.clear()
    yield
    item.user_properties.append(("reads", " ".join(sorted(_read))))
    if not any(map(item.get_closest_marker, ("slow", "thorough"))):
        item.user_properties.append(("busy_s", f"{_busy_s() - before:.2f}"))


def _note_read(event: str, arguments: tuple[object, ...]) -> None:
    """Note the directory of a file that is opened, as an audit hook of Python."""
    path = arguments[0] if event == "open" else None
    if isinstance(path, str):
        folder, name = os.path.split(os.path.abspath(path))  # noqa: PTH100 - quick
        place = folder.removeprefix(_ROOT)
        is_ours = place != folder and not f"{place}/".startswith(_NO_DATA)
        if is_ours and not name.endswith(_OF_PYTHON) and "__pycache__" not in place:
            _read.add(place)


def _busy_s() -> float:
    """Return the CPU time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def _slow_left(config: pytest.Config, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the slow tests that --slow-in leaves out, and write them down."""
    path = config.getoption("--slow-in")
    if path is None:
        return []
    whole = {*path.read_text().splitlines()}
    left = [
        item
        for item in items
        if item.get_closest_marker("slow")
        and not item.get_closest_marker("thorough")
        and item.nodeid.partition("::")[0] not in whole
    ]
    # Each process of a run finds the same, and writes it.
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text("".join(f"{item.nodeid}\n" for item in left))
    temporary.replace(f"{path}.left")
    return left


def _is_named(item: pytest.Item, keyword: str) -> bool:
    """Tell whether an expression of -k is meant for a test that it is true of.

    A word of other tests may be in the name of a thorough one by chance.
    """
    words = {*_WORD.findall(keyword)} - {"and", "or", "not"}
    case = getattr(item, "callspec", None)
    if case is not None and any(mark.name == "thorough" for mark in case.marks):
        return any(word in case.id for word in words)
    return item.name.partition("[")[0] in words


def _shared(item: pytest.Item) -> list[str]:
    """Return the fixtures of a test that are made once for its module."""
    # Of pytest's own objects, which have no public way to ask for this.
    found = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    return [
        name
        for name, definitions in found.items()
        if any(each.scope == "module" for each in definitions)
    ]


def _refuse_to_share_between_processes(items: Sequence[pytest.Item]) -> None:
    """Raise if what is made once for a module would be made in several processes."""
    groups: dict[tuple[str, str], set[str]] = {}
    for item in items:
        for name in _shared(item):
            place = item.nodeid.partition("::")[0], name
            groups.setdefault(place, set()).add(_group(item))
    for (file, name), found in groups.items():
        if len(found) > 1:
            message = f"{file}: tests with the fixture {name} are in {len(found)} "
            message += f"groups, each of which makes it: {', '.join(sorted(found))}"
            raise pytest.UsageError(message)


def _group(item: pytest.Item) -> str:
    marker = item.get_closest_marker("xdist_group")
    return str(marker and (marker.args or (*marker.kwargs.values(),))[0])
