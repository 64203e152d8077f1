# SPDX-License-Identifier: Apache-2.0
"""How a command ends when something is wrong: with which status, saying what."""

from __future__ import annotations

import errno
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shell import PROGRAM, TIMEOUT_S, assert_done, assert_misuse, samara

from samara.cli.running import run
from samara.cli.shared.diagnostics import warn
from samara.crypto import UnknownNameError, listing
from samara.crypto.names import find
from samara.energy import catalogue
from samara.errors import ArgumentError, MisuseError, RefusedError


def raising(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command `suites` raise this."""

    def suites() -> None:
        raise error

    monkeypatch.setattr(listing, "suites", suites)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("not a value"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        KeyError("absent"),
        TypeError("of no use"),
        AssertionError(),
        RuntimeError("a driver's"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_defect_is_reported_with_its_place_and_is_no_misuse(
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    raising(error, monkeypatch)
    assert run(["suites"]) == 1
    captured = capsys.readouterr()
    first, *_, kind, sentence = captured.err.splitlines()
    assert first == "Traceback (most recent call last):"
    assert __file__ in captured.err
    assert kind.startswith(type(error).__name__)
    assert sentence == (
        "samara: this is a defect of samara: please report it with the lines above."
    )


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MisuseError("a sentence"), 2),
        (ArgumentError("a sentence"), 2),
        (FileNotFoundError(2, "a sentence"), 2),
        (RefusedError("a sentence"), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_user_can_mend_is_one_sentence(
    error: Exception,
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    raising(error, monkeypatch)
    assert run(["suites"]) == status
    assert capsys.readouterr().err == "samara: a sentence.\n"


def test_a_warning_of_a_command_that_failed_is_not_of_the_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def suites() -> None:
        warn("the first one's")
        message = "a sentence"
        raise MisuseError(message)

    with monkeypatch.context() as patched:
        patched.setattr(listing, "suites", suites)
        assert run(["suites"]) == 2
    assert run(["suites"]) == 0
    assert capsys.readouterr().err == "samara: a sentence.\n"


def test_a_file_without_room_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_room(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fsync", no_room)
        patched.chdir(tmp_path)
        assert run(["keygen", "aes128-ccm-8", "-o", "key"]) == 2
        assert run(["keygen", "aes128-ccm-8", "-o", "no/key"]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == "samara: key: No space left on device."
    assert second == "samara: -o no/key: there is no directory no; make it first."
    assert not (tmp_path / "key").exists()


# What a limit on files refuses, a full disk refuses, too.
LIMITED = """
import resource, sys
from samara.cli.running import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(run(sys.argv[2:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "line", "named"),
    [
        (300, "phy record x --message hello", "x.sigmf-meta"),
        (5000, "phy record x --message hello", "x.sigmf-data"),
        (5000, "phy packets x --message hello", "x.sigmf-data"),
        (1000, "firmware new x", "x"),
    ],
)
def test_a_full_disk_is_named_and_nothing_is_left(
    limit: int, line: str, named: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(limit), *line.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    (only,) = done.stderr.splitlines()
    assert only.startswith(f"samara: {named}")
    assert only.endswith(": File too large.")
    assert list(tmp_path.iterdir()) == []


def test_stdout_without_room_is_named() -> None:
    for line, name in (("suites", "stdout"), ("keygen aes128-ccm-8", "stdout")):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [PROGRAM, *line.split()],
                stdout=full,
                stderr=subprocess.PIPE,
                timeout=TIMEOUT_S,
                check=False,
            )
        assert done.returncode == 2
        messages = done.stderr.decode()
        assert messages.startswith(f"samara: {name}"), messages
        assert messages.endswith(": No space left on device.\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_output_is_written_in_any_encoding(encoding: str) -> None:
    line = "receipt explain --link ieee802154 --bytes 20 --device atmega128rfa1"
    done = subprocess.run(
        [PROGRAM, *line.split()],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done
    output = done.stdout.decode(encoding)
    micro = "u" if encoding == "ascii" else "\N{MICRO SIGN}"
    assert re.search(f"cryptography, energy: [0-9.]+ {micro}J", output)
    assert "\\x" not in output


def test_a_program_that_runs_a_command_keeps_its_streams() -> None:
    before = sys.stdout.errors, sys.stderr.errors
    assert run(["suites"]) == 0
    assert (sys.stdout.errors, sys.stderr.errors) == before


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "phy inspect x.cu8",
            (
                "there is no file x.cu8, and no x.cu8.sigmf-meta: a SigMF recording "
                "is two files, "
                "NAME.sigmf-data with the samples and NAME.sigmf-meta, which says "
                "what they are; give NAME"
            ),
        ),
        (
            "receipt show empty.json",
            (
                "FILE is no receipt (it has no field 'link', which a receipt "
                "has): give what `samara node send --json` or `samara receipt "
                "explain --json` printed"
            ),
        ),
        (
            "receipt show bytes",
            (
                "Invalid value for 'FILE': expected text, not '\ufffd\ufffd\\x00'; see "
                "samara receipt show --help"
            ),
        ),
        (
            "chip report --store nothing -o page",
            (
                "nothing has no results of a chip: run samara chip synth and samara"
                " chip power, which store them, or give another --store"
            ),
        ),
        (
            "energy network --topology grid --sink cornr --nodes 9",
            "unknown place of the sink 'cornr': did you mean corner or centre?",
        ),
        (
            "energy network --topology gird --nodes 9",
            "unknown --topology 'gird': did you mean grid?",
        ),
        (
            "seal speck32-64 --key @key --nonce random",
            (
                "speck32-64 is a block cipher, of which there is no suite with this"
                " tag: `samara suites` lists all suites"
            ),
        ),
        (
            "receipt show ''",
            (
                "Invalid value for 'FILE': an empty text names no file and no "
                "directory; see samara receipt show --help"
            ),
        ),
    ],
    ids=lambda text: text.partition(" --")[0],
)
def test_a_sentence_says_what_was_wrong_and_what_to_do(
    line: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.json").write_text("{}")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "nothing").mkdir()
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path)
        assert run(shlex.split(line)) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.rstrip(".?\n") == f"samara: {sentence}".rstrip(".?")
    assert not (tmp_path / "page").exists()


def test_a_node_has_a_name_and_a_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["node", "init", "", "--link", "ieee802154"]) == 2
    assert "an empty text names no file and no directory" in capsys.readouterr().err
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert run(["node", "init", "alice", "--link", "ieee802154"]) == 2
    messages = capsys.readouterr().err
    assert (
        "which tells a restored backup, cannot be written (Not a directory)" in messages
    )
    assert messages.endswith(
        "let XDG_STATE_HOME name a directory that can be, before the node is made.\n"
    )
    assert not (tmp_path / "alice").exists()


def test_a_frame_is_taken_as_programs_print_bytes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    plain = "41882a2143020001003231"
    outputs = []
    for between in ("", ":", "-", " "):
        text = between.join(plain[i : i + 2] for i in range(0, len(plain), 2))
        assert run(["frame", "inspect", text]) == 0
        outputs.append(capsys.readouterr().out)
    assert len(set(outputs)) == 1


def test_keys_of_block_ciphers_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    for name, size in (("speck32-64", 8), ("aes256", 32), ("aes128-ccm-8", 16)):
        assert run(["keygen", name]) == 0
        assert len(bytes.fromhex(capsys.readouterr().out)) == size


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"supply_v": None},
            "the radio cc of samara/energy/data/radios.toml lacks sup",
        ),
        ({"colour": "red"}, "radios.toml has an unknown colour"),
        (
            {"supply_v": {"value": 3.0}},
            "supply_v of the radio cc of samara/energy/data/radios.toml lacks tol",
        ),
    ],
)
def test_a_row_of_a_radio_that_is_wrong(
    change: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = catalogue.read("radios.toml")["cc2420"] | change
    row = {name: value for name, value in row.items() if value is not None}
    monkeypatch.setattr(catalogue, "read", lambda _: {"cc": row})
    catalogue._rows.cache_clear()  # noqa: SLF001 - no row stays
    try:
        with pytest.raises(MisuseError, match=re.escape(words)):
            catalogue.radio("cc")
    finally:
        catalogue._rows.cache_clear()  # noqa: SLF001 - no row stays


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("advise --radio q", "unknown radio 'q': samara energy parts lists all"),
        ("advise --mac q", "unknown medium access 'q': samara energy parts lists all"),
        ("energy parts show q", "unknown part 'q': samara energy parts lists all"),
        ("radio modules q", "unknown module 'q': samara radio modules lists all"),
        ("randomness show q", "unknown source 'q': samara randomness show lists all"),
    ],
)
def test_of_many_names_the_command_that_lists_them_is_reported(
    words: str, answer: str, tmp_path: Path
) -> None:
    assert_misuse(samara(*words.split(), folder=tmp_path), answer)
    listing = answer.rpartition(": samara ")[2].removesuffix(" lists all")
    assert_done(samara(*listing.split(), folder=tmp_path))


def test_few_names_are_told_themselves() -> None:
    with pytest.raises(UnknownNameError, match=r"'q': give one or two$"):
        find("radio", "q", {"one": 1, "two": 2})
