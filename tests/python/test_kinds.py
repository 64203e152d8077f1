# SPDX-License-Identifier: Apache-2.0
"""A kind of link is one folder: commands are made from what it declares."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from added_link import WITH_TOY
from shell import TIMEOUT_S, Done, assert_done, assert_misuse, environment

from samara.errors import MisuseError
from samara.link.ieee802154.networks import Ieee802154Networks
from samara.link.ieee802154.sniffing.hearing import Ieee802154Sniffing
from samara.link.node.kind_networks import Networks
from samara.link.node.kinds import kinds
from samara.link.node.options import HexDigits, Option, check_settings, settings_from
from samara.link.node.sniffing import Sniffing
from samara.records.parameters import Between

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MODULES_AFTER = """
import sys
from samara.cli.running import run
run(sys.argv[1:])
print(*sorted({name.split(".")[0] for name in sys.modules}), file=sys.stderr)
"""


ONE_KIND = """
import sys
from samara.link.node.kinds import kind
kind("rf-serial")
print(*sorted(name for name in sys.modules if name.endswith(".kind")))
"""


def done(folder: Path, *command: str) -> Done:
    return subprocess.run(
        command,
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )


@pytest.fixture
def samara(tmp_path: Path) -> Callable[..., Done]:
    """Return what runs `samara` with one more folder among the links."""

    def run(*arguments: str) -> Done:
        return done(tmp_path, *WITH_TOY, *arguments)

    return run


def in_one_line(done: Done) -> str:
    """Return a help text without the lines of its boxes."""
    return " ".join(assert_done(done).decode().replace("│", " ").split())


@pytest.mark.slow
def test_help_has_the_options_of_an_added_link(samara: Callable[..., Done]) -> None:
    shown = in_one_line(samara("node", "init", "--help"))
    assert "this kind of link. Values: ieee802154, rf-serial, sdr, toy." in shown
    assert "Bytes in front of each payload. Values: 0 to 9. Default: 3." in shown
    for command in ("send", "listen"):
        shown = in_one_line(samara("node", command, "--help"))
        assert "Directory of the payloads. Default: as the node was made." in shown
        assert "--header-bytes" not in shown
    shown = in_one_line(samara("receipt", "explain", "--help"))
    assert "--header-bytes" in shown
    assert "--mailbox" not in shown


@pytest.mark.slow
def test_nodes_of_an_added_link_talk(samara: Callable[..., Done]) -> None:
    made = samara("node", "init", "a", "--link", "toy", "--header-bytes", "5")
    assert_done(made)
    assert_done(samara("node", "init", "b", "--pair-with", "a"))
    where = ("--mailbox", "elsewhere")
    sent = samara("node", "send", "a", "hello", "--json", *where)
    listened = samara("node", "listen", "b", "--count", "1", "--json", *where)
    assert listened.returncode == 0, listened
    (event,) = map(json.loads, listened.stdout.splitlines())
    assert event["text"] == "hello"
    assert event["receipt"]["parts"]["framing"] == 5
    assert json.loads(assert_done(sent))["receipt"]["link_bytes"] == 10
    status = json.loads(assert_done(samara("node", "status", "b", "--json")))
    assert status["link"] == "toy"
    assert status["totals"]["received"] == 1
    assert "mailbox" in assert_done(samara("node", "status", "b")).decode()


def test_receipts_of_an_added_link_are_explained(samara: Callable[..., Done]) -> None:
    options = ("--link", "toy", "--header-bytes", "2", "--bytes", "7", "--json")
    receipt = json.loads(assert_done(samara("receipt", "explain", *options)))
    receipt = receipt.get("receipt", receipt)
    assert receipt["link"] == "toy"
    assert receipt["parts"]["framing"] == 2


@pytest.mark.slow
def test_an_added_link_has_the_energy_model_that_it_names(
    samara: Callable[..., Done],
) -> None:
    asked = ("energy", "message", "--link", "toy", "--radio", "cc2420", "--json")
    (few, many) = (
        json.loads(assert_done(samara(*asked, "--header-bytes", size)))
        for size in ("1", "9")
    )
    assert few["scenario"]["mac"] == "always-listening"
    assert many["parts"]["data"]["value"] > few["parts"]["data"]["value"]
    assert_misuse(samara("energy", "message", "--link", "toy"), "give --radio")
    refused = samara("energy", "life", "--link", "sdr", "--mac", "lpl")
    assert_misuse(refused, "give ieee802154 or rf-serial or toy")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("--link", "toy", "--header-bytes", "10"),
            "--header-bytes must be 0 to 9, not 10",
        ),
        (
            ("--link", "toy", "--level", "5"),
            "toy takes no --level; it takes --header-bytes",
        ),
        (("--link", "none"), "ieee802154, rf-serial, sdr or toy"),
    ],
)
def test_what_an_added_link_does_not_take_is_refused(
    samara: Callable[..., Done], arguments: tuple[str, ...], words: str
) -> None:
    assert_misuse(samara("node", "init", "a", *arguments), words)


def test_each_folder_with_a_kind_is_found() -> None:
    assert list(kinds()) == ["ieee802154", "rf-serial", "sdr"]
    assert all(kind.name == name for name, kind in kinds().items())


@pytest.mark.slow
@pytest.mark.parametrize("command", ["node init", "node send", "receipt explain"])
def test_help_imports_no_radio(command: str, tmp_path: Path) -> None:
    program = (sys.executable, "-c", MODULES_AFTER)
    ended = done(tmp_path, *program, *command.split(), "--help")
    assert ended.returncode == 0, ended
    imported = set(ended.stderr.decode().split())
    assert "samara" in imported
    assert not imported & {"gnuradio", "serial", "zmq", "scipy", "matplotlib"}


# Suites


@pytest.mark.parametrize(
    ("link", "given", "expected"),
    [
        ("ieee802154", {"suite": "aes128"}, ("aes128", 5)),
        ("ieee802154", {"suite": "aes128-ccm-8"}, ("aes128", 6)),
        ("ieee802154", {"suite": "aes128-ccm-0"}, ("aes128", 4)),
        ("ieee802154", {"suite": "aes128-ccm-16", "level": 3}, ("aes128", 3)),
        ("ieee802154", {"suite": "grain128aead"}, ("grain128aead", 5)),
        ("rf-serial", {"suite": "aes128"}, ("aes128-ccm-8", None)),
        ("rf-serial", {"suite": "aes128", "tag_size": 4}, ("aes128-ccm-4", None)),
        ("rf-serial", {"suite": "aes256-ccm-16"}, ("aes256-ccm-16", None)),
        ("rf-serial", {"suite": "ascon-aead128"}, ("ascon-aead128", None)),
    ],
)
def test_a_suite_or_a_cipher_is_taken(
    link: str, given: dict[str, Any], expected: tuple[str, int | None]
) -> None:
    settings = kinds()[link].new_pair(given)[0].settings
    assert (settings["suite"], settings.get("level")) == expected


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"suite": "aes128-ccm-8", "level": 5},
            "tag of 8 bytes, but the MIC of security level 5 has 4",
        ),
        ({"suite": "aes128-ccm-10"}, "4, 8 or 16 bytes"),
        ({"suite": "aes-ccm-8"}, "aes-ccm-8"),
    ],
)
def test_a_suite_that_does_not_fit_frames_is_refused(
    given: dict[str, Any], words: str
) -> None:
    with pytest.raises(MisuseError, match=words):
        kinds()["ieee802154"].new_pair(given)


def test_status_names_the_suite_by_its_slug() -> None:
    for link, suite in (("ieee802154", "aes128-ccm-8"), ("rf-serial", "aes128-ccm-8")):
        kind = kinds()[link]
        first, _ = kind.new_pair({"suite": suite})
        shown = kind.described(first.settings)
        assert shown["suite"] == suite
        assert not any("{" in text for text in shown.values())


# Options

LEVEL = Option(name="level", type=int, help="Level.", values=range(8), default=5)
GAIN = Option(name="gain", type=float, help="Gain.", values=Between(0, 1e3), default=1)
PAN = Option(
    name="pan", type=str, help="PAN.", values=HexDigits(1, 4), default=lambda: "1"
)
PORT = Option(name="port", type=str, help="Port.")
FORM = Option(name="form", type=str, help="Form.", values=("a", "b", "c"), default="a")
FAST = Option(name="fast", type=bool, help="Fast.", default=True, on_command_line=False)
OPTIONS = (LEVEL, GAIN, PAN, PORT, FORM, FAST)


@pytest.mark.parametrize(
    ("option", "good", "bad", "expected"),
    [
        (LEVEL, [0, 7], [8, -1, True, 1.0, "1", None], "0 to 7"),
        (GAIN, [0, 1000.0, 0.5], [1000.5, float("nan"), "1", True], "0 to 1,000"),
        (PAN, ["1", "ffFF"], ["", "12345", "g", 1, "1\n"], "1 to 4 hex digits"),
        (PORT, [None, "x"], [1, "a\0b", "\ud800", "x" * 5000], "text"),
        (FORM, ["a", "c"], ["d", "", None], "a, b or c"),
        (FAST, [True, False], [0, None], "true or false"),
    ],
    ids=lambda value: value.name if isinstance(value, Option) else None,
)
def test_values_are_checked(
    option: Option, good: list[Any], bad: list[Any], expected: str
) -> None:
    assert [option.problem(value) for value in good] == [None] * len(good)
    for value in bad:
        assert f"must be {expected}, not " in str(option.problem(value)), value


def test_a_new_node_has_the_defaults() -> None:
    stored = {"level": 5, "gain": 1, "pan": "1", "port": None, "form": "a"}
    assert settings_from("toy", OPTIONS, {}) == stored
    assert settings_from("toy", OPTIONS, {"level": 7}) == {**stored, "level": 7}
    check_settings({**stored, "end": 1}, OPTIONS, {"end": lambda value: value == 1})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"level": 9}, "the setting 'level' must be 0 to 7, not 9"),
        ({"end": 2}, "the setting 'end' cannot be 2"),
        ({"other": 2}, "there is no setting 'other'"),
        ({"form": ...}, "the setting 'form' is missing"),
    ],
)
def test_stored_settings_are_checked(change: dict[str, Any], words: str) -> None:
    settings = settings_from("toy", OPTIONS, {}) | {"end": 1} | change
    kept = {name: value for name, value in settings.items() if value is not ...}
    with pytest.raises(MisuseError, match=words):
        check_settings(kept, OPTIONS, {"end": lambda value: value == 1})


def test_one_kind_is_imported_without_the_others(tmp_path: Path) -> None:
    ended = done(tmp_path, sys.executable, "-c", ONE_KIND)
    assert assert_done(ended).decode().split() == ["samara.link.rfserial.kind"]


def test_what_a_kind_can_do_is_found_when_it_is_made() -> None:
    """A flag without its methods cannot be: an object lacks none of them."""

    class NoInvitations(Ieee802154Networks):
        invite = Networks.invite

    with pytest.raises(TypeError, match=r"abstract method '?invite"):
        NoInvitations("ieee802154")

    class NoTables(Ieee802154Sniffing):
        writer = Sniffing.writer

    with pytest.raises(TypeError, match=r"abstract method '?writer"):
        NoTables()
