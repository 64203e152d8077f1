# SPDX-License-Identifier: Apache-2.0
"""Every command where only what `pip install samara` brings is installed."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, NamedTuple

import pytest
import shell
import vectorfile

if TYPE_CHECKING:
    from pathlib import Path

# Runs calls of samara one after the other, with the packages of all extras and
# those of Debian hidden, and writes how each ended.
PROGRAM = """
import contextlib, io, json, sys, traceback

HIDDEN = {"Crypto", "capstone", "cryptography", "dask", "distributed", "elftools",
          "gnuradio", "hypothesis", "matplotlib", "pmt", "pyjls", "pytest", "scipy",
          "segno", "serial", "sigmf", "unicorn", "zmq"}

class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hide())
from samara.cli.running import run

def ended(words):
    out = io.TextIOWrapper(io.BytesIO())
    err = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run(words)
        except SystemExit as error:
            code = error.code
        except Exception:
            code, _ = "a traceback", err.write(traceback.format_exc())
        out.flush()
    return code, out.buffer.getvalue().decode(), err.getvalue()

print(json.dumps([ended(words) for words in json.load(sys.stdin)]))
"""


class Ended(NamedTuple):
    code: int | str
    output: str
    errors: str


def calls(words: list[list[str]], folder: Path) -> list[Ended]:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input=json.dumps(words),
        cwd=folder,
        env=shell.environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [Ended(*ended) for ended in json.loads(done.stdout)]


def subcommands(help_text: str) -> list[str]:
    """Return the names in the table of commands of a help text."""
    if "Commands" not in help_text:
        return []
    table = help_text[help_text.index("Commands") :].splitlines()[1:]
    names = [line.strip("│ ").split(" ")[0] for line in table if line[2:3].strip()]
    return [name for name in names if name.isidentifier() or "-" in name.strip("─╰╯-")]


@pytest.mark.slow
def test_every_command_shows_its_help(tmp_path: Path) -> None:
    (top,) = calls([["--help"]], tmp_path)
    names = subcommands(top.output)
    assert {"node", "phy", "bench", "suites"} <= set(names)
    shown = calls([[name, "--help"] for name in names], tmp_path)
    deeper = [
        [name, below, "--help"]
        for name, help_text in zip(names, shown, strict=True)
        for below in subcommands(help_text.output)
    ]
    assert ["node", "send", "--help"] in deeper
    assert ["phy", "ber", "--help"] in deeper
    wrong = [
        (words, ended)
        for words, ended in zip(
            [*([name] for name in names), *deeper],
            [*shown, *calls(deeper, tmp_path)],
            strict=True,
        )
        if ended.code != 0 or "Usage" not in ended.output
    ]
    assert wrong == []


@pytest.mark.slow
def test_what_needs_no_extra_works(tmp_path: Path) -> None:
    words = [
        ["--version"],
        ["suites"],
        ["keygen", "aes128-ccm-8"],
        ["tour"],
        ["frame", "inspect", "41882a2143020001003231"],
        ["node", "init", "a", "--link", "ieee802154"],
        ["node", "status", "a"],
        ["receipt", "explain", "--link", "ieee802154", "--bytes", "20"],
        # The script that draws charts of pages is in samara itself.
        ["chip", "report", "-o", "report"],
        ["energy", "life", "--html", "life.html"],
    ]
    wrong = [
        (call, ended)
        for call, ended in zip(words, calls(words, tmp_path), strict=True)
        if ended.code != 0 or not ended.output
    ]
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("extra", "words"),
    [
        ("phy", ["channel"]),
        ("randomness", ["randomness", "run", "aes128-ctr", "--sequences", "2"]),
        ("phy", ["phy", "ber", "--ebn0", "2", "--errors", "5"]),
        ("phy", ["phy", "inspect", "x.cu8", "--rate", "1e6", "-o", "p"]),
    ],
)
def test_a_missing_package_is_one_sentence(
    extra: str, words: list[str], tmp_path: Path
) -> None:
    (tmp_path / "x.cu8").write_bytes(bytes(10_000))
    (ended,) = calls([words], tmp_path)
    assert ended.code == 2, ended
    (sentence,) = ended.errors.splitlines()
    assert sentence.startswith("samara: the Python package ")
    assert f"pip install 'samara[{extra}]'" in sentence


def test_the_serial_link_names_its_extra(tmp_path: Path) -> None:
    init, send = calls(
        [
            ["node", "init", "a", "--link", "rf-serial"],
            ["node", "send", "a", "x", "--port", "/dev/null"],
        ],
        tmp_path,
    )
    assert init.code == 0, init
    assert send.code == 2, send
    assert "pip install 'samara[serial]'" in send.errors
    assert len(send.errors.splitlines()) == 1


def test_every_extra_that_is_named_exists() -> None:
    project = tomllib.loads((vectorfile.ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    assert {"bench", "phy", "serial", "speed"} <= set(extras)
