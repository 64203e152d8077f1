# SPDX-License-Identifier: Apache-2.0
"""Pages for man and completion of shells, read by the programs that they are for."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, TIMEOUT_S, environment

from samara.cli.commands import COMMANDS
from samara.cli.manual import roff
from samara.cli.manual.described import Described, Option, Verbatim, Words
from samara.cli.manual.files import write_manual
from samara.cli.running import load

if TYPE_CHECKING:
    from pathlib import Path

    from samara.cli.commands import Command

PROMPT = b"ready> "
BASH_START = "PS1='ready> '; . /usr/share/bash-completion/bash_completion\n"
ZSH_START = """\
PS1='ready> '
fpath=({share}/zsh/site-functions $fpath)
autoload -Uz compinit
compinit -u -d {share}/compinit
"""


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("manual") / "share"
    write_manual(folder, "1.2.3")
    return folder


def program(name: str) -> str:
    """Return the path of a program, which tools/setup has installed."""
    path = shutil.which(name)
    assert path, f"{name} is not installed: run tools/setup"
    return path


def shown(page: Path) -> str:
    """Return what man shows of a page; a warning of groff is an error."""
    done = subprocess.run(
        [program("man"), "--warnings=w", "-E", "UTF-8", "-l", page],
        env={**os.environ, "MANWIDTH": "1000", "MAN_KEEP_FORMATTING": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr, done.stderr
    return done.stdout


def test_each_command_has_a_page(share: Path) -> None:
    names = {path.stem for path in (share / "man" / "man1").iterdir()}
    assert names == {"samara", *(f"samara-{row.name}" for row in COMMANDS)}


def test_mandoc_has_nothing_against_the_pages(share: Path) -> None:
    """A date is left out, so that the same sources give the same page on every day."""
    pages = sorted((share / "man" / "man1").iterdir())
    done = subprocess.run(
        [program("mandoc"), "-T", "lint", "-W", "warning", *pages],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in done.stdout.splitlines() if "missing date" not in line]
    assert not said
    assert not done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_man_shows_all_that_the_help_says(share: Path, row: Command) -> None:
    text = squeezed(shown(share / "man" / "man1" / f"samara-{row.name}.1"))
    command = load(row)
    for each in [command, *getattr(command, "commands", {}).values()]:
        for parameter in each.params:
            help_text = parameter.help.replace("\\[", "[").replace("`", "")
            assert squeezed(help_text) in text
            assert all(name in text for name in parameter.opts if name[0] == "-")
        for part in (each.help or "").split("\n\n"):
            plain = part.replace("\b", "").replace("\\[", "[").replace("`", "")
            if "Examples:" not in plain:
                assert squeezed(plain) in text
            for line in re.findall(r"^ +(samara .*)$", part, re.MULTILINE):
                assert squeezed(line) in text


def squeezed(text: str) -> str:
    """Return text without spaces and breaks, at which man fills its lines."""
    return re.sub(r"\s", "", text)


def test_no_character_means_more_than_itself(tmp_path: Path) -> None:
    odd = r""".TH 'x' \fB "q" ~ ^ -- `"""
    toy = Described(
        path="samara toy",
        usage="samara toy [OPTIONS]",
        parts=[Words("Do nothing."), Words(odd[:-1]), Verbatim("", odd + "\n'y'")],
        options=[Option(["--odd"], "V", odd[:-1])],
        commands=[],
    )
    (tmp_path / "toy.1").write_text(roff.page(toy, "1", {}), encoding="utf-8")
    text = shown(tmp_path / "toy.1")
    assert text.count(odd[:-1].strip()) == 3
    assert "'y'" in text


def test_the_page_of_samara_has_its_options_and_commands(share: Path) -> None:
    text = shown(share / "man" / "man1" / "samara.1")
    assert "--version, -V" in text
    for row in COMMANDS:
        assert f"samara-{row.name}(1)" in text
        assert squeezed(row.help.replace("`", "")) in squeezed(text)
    assert "samara 1.2.3" in text


def typed(shell: list[str], line: bytes, variables: dict[str, str]) -> str:
    """Type a line into a shell on a terminal and return what it shows."""
    control, terminal = pty.openpty()
    with subprocess.Popen(
        shell,
        env={**environment(), **variables},
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
    ) as process:
        os.close(terminal)
        screen = b""
        while PROMPT not in screen:
            screen += os.read(control, 4096)
        os.write(control, line + b"\nexit\n")
        screen = b""
        try:
            while more := os.read(control, 4096):
                screen += more
        except OSError:
            pass  # the shell has ended, and its terminal with it
        process.wait(timeout=TIMEOUT_S)
    os.close(control)
    return screen.decode(errors="replace")


@pytest.mark.slow
def test_bash_completes_by_the_file_that_was_installed(
    share: Path, tmp_path: Path
) -> None:
    start = tmp_path / "bashrc"
    start.write_text(BASH_START, encoding="utf-8")
    said = typed(
        [program("bash"), "--rcfile", str(start), "-i"],
        b"samara ene\tlif\t--help",
        {"XDG_DATA_DIRS": f"{share}:/usr/share", "HOME": str(tmp_path)},
    )
    assert "Usage: samara energy life" in said


@pytest.mark.slow
def test_zsh_completes_by_the_file_that_was_installed(
    share: Path, tmp_path: Path
) -> None:
    start = tmp_path / ".zshrc"
    start.write_text(ZSH_START.format(share=share), encoding="utf-8")
    said = typed(
        [program("zsh"), "-i"], b"samara ene\tlif\t--help", {"ZDOTDIR": str(tmp_path)}
    )
    assert "Usage: samara energy life" in said


@pytest.mark.slow
def test_fish_completes_by_the_file_that_was_installed(
    share: Path, tmp_path: Path
) -> None:
    done = subprocess.run(
        [program("fish"), "-c", 'complete -C "samara energy lif"'],
        env={
            **environment(),
            "XDG_DATA_DIRS": str(share),
            "HOME": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.stdout.split("\t")[0].strip() == "life", done


@pytest.mark.slow
def test_the_command_says_where_the_pages_are(tmp_path: Path) -> None:
    done = subprocess.run(
        [PROGRAM, "man", tmp_path / "s"], capture_output=True, text=True, check=True
    )
    assert str(tmp_path / "s" / "man" / "man1") in done.stderr
    assert (tmp_path / "s" / "man" / "man1" / "samara-man.1").is_file()
