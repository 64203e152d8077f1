# SPDX-License-Identifier: Apache-2.0
"""The commands answer what they promise, and misuse with one sentence."""

from __future__ import annotations

import json
import platform
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from shell import (
    PROGRAM,
    TIMEOUT_S,
    assert_done,
    assert_misuse,
    environment,
    said,
    samara,
)

import samara as package
from samara import crypto
from samara.crypto import grain128ple
from samara.doctor.machine import CPU, sets_of
from samara.errors import RefusedError
from samara.speed_crate import CrateProgram

if TYPE_CHECKING:
    from pathlib import Path

    from samara.crypto import BlockCipher, Suite

KEY = "000102030405060708090a0b0c0d0e0f"
NONCE12 = "000102030405060708090a0b"
NONCE13 = "000102030405060708090a0b0c"
CCM = ("aes128-ccm-8", "--key", "@key", "--nonce")
TYPED = "a key on the command line"
CIPHERS = ["suites", "seal", "open", "keygen", "keystream", "block", "speed", "tour"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a key and a message."""
    (tmp_path / "key").write_text(KEY + "\n")
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "reading").write_bytes(b"21.5 C")
    return tmp_path


# Each command line of the help is run, in this order: some use what others made.
# But those that take long and have their own tests: test_demo runs the whole
# demonstration, once.
ELSEWHERE = {"samara demo"}


@pytest.mark.slow
def test_the_examples_of_the_help_run(tmp_path: Path) -> None:
    (tmp_path / "reading").write_bytes(b"21.5 C")
    (tmp_path / "backup.tar").write_bytes(bytes(100_000))
    for command in ["keygen", *(name for name in CIPHERS if name != "keygen"), None]:
        if command is None:
            (tmp_path / "key").unlink()
        shown = assert_done(samara(*filter(None, [command]), "--help", folder=tmp_path))
        examples = examples_of(shown.decode())
        assert examples, f"the help of {command} has no example"
        for example in examples:
            if example not in ELSEWHERE:
                run_example(example, tmp_path)
    assert (tmp_path / "opened").read_bytes() == b"21.5 C"
    assert (tmp_path / "opened.grain").read_bytes() == b"21.5 C"


def examples_of(shown: str) -> list[str]:
    stripped = "\n".join(line.strip() for line in shown.splitlines())
    _, _, rest = stripped.partition("\nExamples:\n")
    return rest.partition("\n\n")[0].replace("\\\n", " ").splitlines()


def run_example(example: str, folder: Path) -> None:
    assert example.startswith("samara ")
    command, _, expected = example.partition("  # ")
    done = subprocess.run(
        ["/bin/sh", "-euc", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, (example, done)
    if expected:
        assert done.stdout.decode().strip() == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nothing", "No such command 'nothing'; see samara --help"),
        ("sael", "did you mean 'seal'?"),
        ("frame opn", "did you mean 'open'?"),
        ("suites --jsn", "did you mean --json?"),
        ("--nothing", "No such option"),
        ("seal", "Missing"),
        ("seal aes128-ctr --key @key", "--nonce"),
        ("seal aes128-ccm8 --key @key --nonce 00", "did you mean aes128-ccm-8"),
        ("seal aes128-ccm-8 --key 00 --nonce random", "key of 16 bytes, not 1"),
        ("seal aes128-ccm-8 --key 0g --nonce random", "hex digits only."),
        ("seal aes128-ccm-8 --key 0x00 --nonce random", "leave out the 0x"),
        ("seal aes128-ccm-8 --key 00:01 --nonce random", "leave out the spaces"),
        ("seal aes128-ccm-8 --key key --nonce random", "key a file? Write --key @key"),
        ("seal aes128-ccm-8 --key 000 --nonce random", "two hex digits for each byte"),
        ("seal aes128-ccm-8 --key @none --nonce random", "no key file none"),
        ("seal aes128-ccm-8 --key @reading --nonce random", "neither 16 bytes nor"),
        ("seal aes128-ccm-8 --key @. --nonce random", "directory"),
        ("seal aes128-ccm-8 --key @key --nonce 00", "7 to 13 bytes, not 1"),
        ("seal aes128-ccm-8 --key @key --nonce prefixed", "hex digits only"),
        ("open aes128-ccm-8 --key @key --nonce random", "hex digits only"),
        ("seal aes128-ccm-8 --key @key --nonce random --ad x", "--ad takes hex"),
        ("seal aes128-ctr --key @key --nonce random --ad 00", "no associated data"),
        ("seal aes128-ccm-8 --key @key --nonce random -i none", "none: No such file"),
        ("seal aes128-ccm-8 --key @key --nonce random -i .", "directory"),
        ("seal aes128-ccm-8 --key @key --nonce random -o .", "directory"),
        (
            "seal aes128-ccm-8 --key @key --nonce random -o no/file",
            "there is no directory no",
        ),
        ("keystream ascon-aead128 --key @key --nonce 00 --bytes 8", "no keystream"),
        ("keystream aes128-cbc --key @key --nonce 00 --bytes 8", "no keystream"),
        ("keystream aes128-ctr --key @key --nonce 00 --bits 8", "takes --bytes"),
        ("keystream aes128-ctr --key @key --nonce 00 --bytes 8", "16 bytes, not 1"),
        ("keystream aes128-ctr --key @key --nonce 00 --bytes ten", "forever"),
        ("keystream aes128-ctr --key @key --nonce 00", "either --bytes or --bits"),
        ("keystream grain128ple --key @key --nonce 00 --bits 8", "12 bytes, not 1"),
        (f"keystream grain128ple --key @key --nonce {NONCE12} --bits -1", "--bits"),
        (f"keystream grain128ple --key @key --nonce {NONCE12} --bits x", "--bits"),
        (
            "block speck64 encrypt --key @key 00",
            "unknown block cipher 'speck64': did you mean speck64-",
        ),
        (f"block aes128 turn --key @key {KEY}", "'turn' is not one of"),
        ("block aes128 encrypt --key @key 00", "block of 16 bytes, not 1"),
        ("keygen nothing", "unknown suite 'nothing': samara suites"),
        ("speed nothing", "unknown suite 'nothing': samara suites"),
    ],
)
def test_misuse_is_one_sentence(line: str, words: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    assert_misuse(samara(*shlex.split(line), folder=folder), words)
    assert sorted(folder.iterdir()) == before


def test_a_typed_key_is_not_repeated(folder: Path) -> None:
    done = samara("seal", "aes128-gcm", "--key", "c0ffeeX", "--nonce", "random",
                  folder=folder)  # fmt: skip
    assert_misuse(done)
    assert b"c0ffee" not in done.stderr


def test_version(folder: Path) -> None:
    shown = assert_done(samara("--version", folder=folder))
    assert shown.decode() == f"samara {package.__version__}\n"


def test_versions_of_all_that_runs(folder: Path) -> None:
    """The C library says its own, which a stale build would get wrong."""
    for line in ("--version --json", "--json -V"):
        found = json.loads(assert_done(samara(*line.split(), folder=folder)))
        assert found["type"] == "version"
        assert found["package"] == found["c_library"] == package.__version__
        assert found["python"] == platform.python_version()
        assert found["machine"] == platform.machine()
        assert found["instructions"] == sets_of(CPU)


def test_json_without_a_command_is_refused(folder: Path) -> None:
    assert_misuse(samara("--json", folder=folder), "behind the command")
    assert_misuse(samara("--json", "suites", folder=folder), "behind the command")


@pytest.mark.parametrize("name", ["", "frame", "bench"])
def test_a_command_with_commands_shows_its_help(name: str, folder: Path) -> None:
    bare = assert_done(samara(*name.split(), folder=folder))
    assert b"Commands" in bare
    assert bare == assert_done(samara(*name.split(), "--help", folder=folder))


def test_lines_of_the_help_are_whole_paragraphs(folder: Path) -> None:
    shown = assert_done(samara("pcap", "protect", "--help", folder=folder)).decode()
    lines = [line.strip() for line in shown.splitlines()]
    start = lines.index("samara pcap protect clear.pcap secured.pcap --keys keys.toml"
                        " --level 5 \\")  # fmt: skip
    assert lines[start + 1] == "--frame-counter 0"
    wide = {**environment(), "COLUMNS": "200"}
    done = subprocess.run(
        [PROGRAM, "pcap", "protect", "--help"],
        env=wide,
        capture_output=True,
        check=True,
        timeout=TIMEOUT_S,
    )
    assert "their number and the reason. They are copied" in done.stdout.decode()


def test_a_cipher_alone_is_its_ccm_suite(folder: Path) -> None:
    options = ("--key", "@key", "--nonce", NONCE13, "-i", "reading")
    sealed = assert_done(samara("seal", "aes128", *options, folder=folder))
    assert sealed == assert_done(samara("seal", *CCM, NONCE13, "-i", "reading",
                                        folder=folder))  # fmt: skip
    key = assert_done(samara("keygen", "aes256", folder=folder))
    assert len(bytes.fromhex(key.decode())) == 32


def test_suites_as_json_is_the_registry(folder: Path) -> None:
    shown = assert_done(samara("suites", "--json", folder=folder))
    rows = [json.loads(line) for line in shown.splitlines()]
    suites = [row for row in rows if row["type"] == "suite"]
    assert [row["slug"] for row in suites] == [s.slug for s in crypto.suites()]
    for row in suites:
        suite = crypto.suite(row["slug"])
        for name in ("key_size", "nonce_size", "tag_size", "note", "source", "streams"):
            assert row[name] == getattr(suite, name)
        assert (row["nonce_size_min"], row["nonce_size_max"]) == suite.nonce_sizes
        assert row["authenticates"] == suite.authenticates
        assert row["standing"] == suite.standing
        assert row["padding_size"] == suite.padding_size
    ciphers = [row for row in rows if row["type"] == "block_cipher"]
    for row in ciphers:
        cipher = crypto.block_cipher(row["slug"])
        for name in ("key_size", "block_size", "note", "source", "standing"):
            assert row[name] == getattr(cipher, name)
    names = [row["slug"] for row in ciphers]
    assert names == [cipher.slug for cipher in crypto.block_ciphers()]


def test_suites_lists_everything(folder: Path) -> None:
    shown = assert_done(samara("suites", "--all", folder=folder)).decode()
    rows: list[Suite | BlockCipher] = [*crypto.suites(), *crypto.block_ciphers()]
    for row in rows:
        assert re.search(rf"^ {row.slug} +{row.standing} ", shown, re.MULTILINE)
    words = " ".join(shown.split())
    for note in {row.note for row in rows} - {""}:
        slugs = [row.slug for row in rows if row.note == note]
        assert f"{note}: {', '.join(slugs)}" in words


def test_suites_that_differ_in_the_tag_length_share_a_row(folder: Path) -> None:
    shown = assert_done(samara("suites", folder=folder)).decode()
    first = [cells[0] for line in shown.splitlines() if (cells := line.split())]
    assert re.search(
        r"^ aes128-ccm-4\.\.16 +standard +16 +13 +4\.\.16 ", shown, re.MULTILINE
    )
    assert re.search(r"^ aes128-ccm-0 +standard +16 +13 +none ", shown, re.MULTILINE)
    assert re.search(r"^ grain128aead +finalist +16 +12 +8 ", shown, re.MULTILINE)
    slugs = {suite.slug for suite in crypto.suites()}
    shared = {slug for slug in slugs if re.search(r"-ccm-[1-9]\d*$", slug)}
    assert slugs - shared <= set(first)
    assert not shared & set(first)


@pytest.mark.parametrize(
    ("line", "answer", "warnings"),
    [
        (
            f"aes128 encrypt --key {KEY} 00112233445566778899aabbccddeeff",
            "69c4e0d86a7b0430d8cdb78070b4c55a",
            [TYPED],
        ),
        (
            f"aes128 decrypt --key {KEY} 69c4e0d86a7b0430d8cdb78070b4c55a",
            "00112233445566778899aabbccddeeff",
            [TYPED],
        ),
        (
            "speck64-96 encrypt --key 0001020308090a0b10111213 65616e7320466174",
            "6c947541ec52799f",
            [TYPED, "research"],
        ),
        (
            "simon64-96 encrypt --key 0001020308090A0B10111213 636C696E6720726F",
            "c88f1a117fe2a25c",
            [TYPED, "research"],
        ),
    ],
)
def test_block(line: str, answer: str, warnings: list[str], folder: Path) -> None:
    done = samara("block", *line.split(), folder=folder)
    assert assert_done(done, *warnings).decode() == answer + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("bits", [0, 1, 13, 64, 8 * (1 << 20) + 5])
def test_keystream(bits: int, folder: Path) -> None:
    done = samara("keystream", "grain128ple", "--key", "@key", "--nonce", NONCE12,
                  "--bits", str(bits), folder=folder)  # fmt: skip
    shown = assert_done(done, "research", "does not authenticate")
    key, nonce = bytes.fromhex(KEY), bytes.fromhex(NONCE12)
    expected = grain128ple.keystream(key, nonce, bits).tobytes().hex()
    assert shown.decode() == expected + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("slug", ["aes256-gcm", "grain128aead"])
def test_keygen_makes_a_key_for_its_owner(slug: str, folder: Path) -> None:
    assert assert_done(samara("keygen", slug, "-o", "new", folder=folder)) == b""
    new = folder / "new"
    assert new.stat().st_mode & 0o777 == 0o600
    text = new.read_text()
    assert text.endswith("\n")
    assert len(bytes.fromhex(text)) == crypto.suite(slug).key_size
    assert_misuse(samara("keygen", slug, "-o", "new", folder=folder), "new exists")
    assert new.read_text() == text
    assert_done(samara("keygen", slug, "-o", "new", "--force", folder=folder))
    assert new.read_text() != text
    assert new.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["key", "new", "reading"]


def test_keygen_without_a_file(folder: Path) -> None:
    shown = assert_done(samara("keygen", "aes192-ctr", folder=folder))
    assert re.fullmatch(r"[0-9a-f]{48}\n", shown.decode())
    names = sorted(folder.iterdir())
    shown = assert_done(samara("keygen", "aes128", "-o", "-", folder=folder))
    assert re.fullmatch(r"[0-9a-f]{32}\n", shown.decode())
    assert sorted(folder.iterdir()) == names


@pytest.mark.slow
def test_a_key_in_a_file_is_hex_or_bytes(folder: Path) -> None:
    raw, spaced = folder / "raw", folder / "spaced"
    raw.write_bytes(bytes.fromhex(KEY))
    spaced.write_text(" ".join(KEY[i : i + 8].upper() for i in range(0, 32, 8)))
    answers = set()
    for name in ("key", "raw", "spaced"):
        (folder / name).chmod(0o600)
        done = samara("seal", "aes128-gcm", "--key", f"@{name}", "--nonce", NONCE12,
                      "-i", "reading", folder=folder)  # fmt: skip
        answers.add(assert_done(done))
    sealed = crypto.suite("aes128-gcm").seal(
        bytes.fromhex(KEY), bytes.fromhex(NONCE12), b"21.5 C"
    )
    assert answers == {sealed}


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_key_that_others_can_read_is_warned_about(mode: int, folder: Path) -> None:
    (folder / "key").chmod(mode)
    done = samara("seal", *CCM, "random", folder=folder)
    assert_done(done, "others than its owner can read key")


def test_what_a_suite_does_not_do_is_warned_about(folder: Path) -> None:
    for slug, warnings in (
        ("aes128-ctr", ["does not authenticate"]),
        ("speck128-128-ccm-8", ["research"]),
        ("speck128-128-ctr", ["research", "does not authenticate"]),
    ):
        done = samara("seal", slug, "--key", "@key", "--nonce", "random", folder=folder)
        assert_done(done, *warnings)


def test_a_typed_key_is_warned_about_once(folder: Path) -> None:
    done = samara("seal", "aes128-ccm-8", "--key", KEY, "--nonce", NONCE13,
                  folder=folder)  # fmt: skip
    assert_done(done, TYPED)


def test_a_refusal_is_reported_with_its_warnings(folder: Path) -> None:
    done = samara("open", "aes128-ccm-8", "--key", KEY, "--nonce", NONCE13,
                  given=bytes(20), folder=folder)  # fmt: skip
    assert done.returncode == 1
    assert done.stdout == b""
    warning, refusal = said(done)
    assert TYPED in warning
    assert "not genuine" in refusal


def test_speed_as_json(folder: Path) -> None:
    suites = ["aes128-gcm", "grain128ple"]  # one that seals in batches, and keystreams
    done = samara("speed", *suites, "--json", folder=folder)
    rows = [json.loads(line) for line in assert_done(done).splitlines()]
    names = [*suites, "OpenSSL AES-128-GCM", "OpenSSL AES-128-CCM"]
    batches = {row["name"]: row for row in rows if row["type"] == "speed_batch"}
    figures = {
        (row["name"], row["message_bytes"]): row
        for row in rows
        if row["type"] == "speed"
    }
    assert set(figures) == {(name, size) for name in names for size in (64, 16384)}
    for row in figures.values():
        time, cycles = row["time_per_byte"], row["cycles_per_byte"]
        assert time["value"] > 0
        assert (time["unit"], time["origin"]) == ("s", "host clock")
        assert time["source"]
        assert cycles is None or cycles["value"] > 0
        assert row["ratio_openssl_gcm"] > 0
    assert figures["OpenSSL AES-128-GCM", 64]["ratio_openssl_gcm"] == 1
    assert figures["OpenSSL AES-128-GCM", 64]["empty_call"]["value"] > 0
    assert figures["aes128-gcm", 64]["empty_call"] is None
    assert set(batches) == set(names)
    for row in batches.values():
        assert (row["frame_bytes"], row["frames"]) == (127, 1024)
        rate, time = row["frames_per_second"], row["time_per_frame"]
        assert rate["value"] == pytest.approx(1 / time["value"])
        assert rate["unit"] == "frame/s"
    assert batches["OpenSSL AES-128-CCM"]["ratio_openssl_ccm"] == 1


def test_speed_of_the_crate_needs_cargo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(RefusedError, match="cargo, which is not installed"):
        CrateProgram()


def test_tour_shows_every_suite(folder: Path) -> None:
    shown = assert_done(samara("tour", folder=folder)).decode()
    for suite in crypto.suites():
        row = next(
            line for line in shown.splitlines() if line.startswith(f" {suite.slug} ")
        )
        assert " yes " in row
        assert ("refused" if suite.authenticates else "not noticed") in row
