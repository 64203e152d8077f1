# SPDX-License-Identifier: Apache-2.0
"""What commands import before they begin: counted, since a time depends on others."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from samara.cli.commands import COMMANDS, commands_in

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """
import sys
there = set(sys.modules)
from samara.cli import main
try:
    main()
finally:
    print(*set(sys.modules) - there, file=sys.stderr)
"""
SLOW = {
    *("numpy", "scipy", "matplotlib", "pandas", "dask", "jinja2", "pydantic"),
    *("asyncio", "multiprocessing", "markdown_it", "pygments", "email", "unittest"),
    *("importlib.metadata", "importlib.resources", "http.client", "ssl", "tomllib"),
}


def imported(folder: Path, *words: str) -> set[str]:
    """Return the modules that a command has imported when it ends.

    Those that Python itself imports as it starts are not among them: they depend on
    what else is installed.
    """
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stderr.splitlines()[-1].split())


def test_the_list_of_commands_imports_none_of_them(tmp_path: Path) -> None:
    found = imported(tmp_path, "--help")
    assert not found & SLOW
    assert len(found) < 280
    rooms = {name.split(".")[1] for name in found if name.startswith("samara.")}
    assert rooms == {
        *("atomic_files", "cli", "errors", "standard_streams", "units"),
    }


def test_a_folder_imports_none_of_its_commands(tmp_path: Path) -> None:
    found = imported(tmp_path, "energy", "--help")
    assert not found & SLOW
    assert not {
        name for name in found if name.startswith(("samara.energy", "samara.b"))
    }


@pytest.mark.parametrize("words", [("status",), ("status", "--json")])
def test_the_status_of_a_node_needs_no_model(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    imported(tmp_path, "node", "init", "one", "--link", "ieee802154")
    found = imported(tmp_path, "node", *words, "one")
    assert not found & SLOW
    assert len(found) < 420
    unneeded = ("samara.energy", "samara.phy", "samara.link.sdr", "samara.cli.energy")
    assert not {name for name in found if name.startswith(unneeded)}


@pytest.mark.parametrize(
    "words",
    [
        ("energy", "life", "--sealing", "once"),
        ("bench", "show", "--device", "atmega128", "--sort", "cycles"),
    ],
)
def test_an_answer_from_results_needs_no_tools(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    imported(tmp_path, *words)  # it looks at sources that nobody has looked at
    found = imported(tmp_path, *words)
    needed = {"numpy", "importlib.resources", "tomllib"}
    assert not found & (SLOW - needed)
    assert len(found) < 520
    unneeded = ("samara.link.sdr.", "samara.console", "samara.net", "scipy")
    assert {name for name in found if name.startswith(unneeded)} <= {
        "samara.link.sdr.kind"
    }


def test_nothing_is_searched_for_cycles_as_a_command_ends(tmp_path: Path) -> None:
    """That takes a sixth of `samara energy life`."""
    ended = "import gc, atexit; atexit.register(lambda: print(gc.get_freeze_count()))"
    done = subprocess.run(
        [sys.executable, "-c", f"{ended}\nfrom samara.cli import main\nmain()", "-V"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout.splitlines()[-1]) > 1000


def test_help_of_a_folder_is_that_of_its_modules() -> None:
    """The docstring alone is parsed, and not what follows it."""
    folders = [row.place for row in COMMANDS if ":" not in row.place]
    assert len(folders) > 3
    for folder in folders:
        for row in commands_in(folder):
            module = __import__(f"samara.cli.{folder}.{row.name}", fromlist=["command"])
            first = (module.__doc__ or "").split("\n\n")[0]
            assert row.help == " ".join(first.split()), row
            assert row.help.endswith("."), row
