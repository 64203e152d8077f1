# SPDX-License-Identifier: Apache-2.0
"""What nodes tell a person: warnings, messages of others, and a medium that left."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from links import Cable, Running, listening, medium
from node_numbers import SENT
from shell import TIMEOUT_S, Done, assert_done, assert_misuse, said, samara

from samara.cli.shared.printable import printable, printable_text
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.node import folder as folders
from samara.link.node.link import LinkError
from samara.link.node.messages import Part, build
from samara.link.node.node import Node, Notice, Received
from samara.link.node.state import State

if TYPE_CHECKING:
    from pathlib import Path

# Clears the screen, sets the title of the window, goes back in the line, turns
# the order of writing around, ends the line.
_HOSTILE = (
    b"\x1b[2J \x1b]0;root\x07 \r\x9b31m \x7f \xe2\x80\xae \xc2\x9b1A"
    b" \xe2\x80\xa8 \n\t\0"
)
_ESCAPED = r"\x1b[2J \x1b]0;root\x07 \r\x9b31m \x7f \u202e \x9b1A \u2028 \n\t\x00"


# What does not authenticate


UNAUTHENTICATED = [
    *(("ieee802154", "--level", level) for level in ("0", "4")),
    *(
        ("rf-serial", "--framing", each)
        for each in ("plain", "cbc-hex", "cbc-hex-padded")
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("link", "option", "value"), UNAUTHENTICATED)
def test_what_does_not_authenticate_has_to_be_asked_for(
    link: str, option: str, value: str, tmp_path: Path
) -> None:
    arguments = ("init", "a", "--link", link, option, value)
    refused = node(tmp_path, *arguments)
    assert_misuse(refused, "does not authenticate", "--allow-unauthenticated", value)
    assert not (tmp_path / "a").exists()
    done = node(tmp_path, *arguments, "--allow-unauthenticated")
    assert_done(done, "does not authenticate")
    warnings = [done, node(tmp_path, "init", "b", "--pair-with", "a")]
    warnings += [node(tmp_path, "status", each) for each in ("a", "b")]
    warnings.append(node(tmp_path, "rekey", "a", "--offline"))
    for each in warnings:
        assert_done(each, "forged messages")
        assert "replay" in said(each)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        *(("ieee802154", "--level", level) for level in ("1", "2", "3", "5", "6", "7")),
        ("ieee802154", "--level", "6", "--suite", "ascon-aead128"),
        ("rf-serial",),
        ("rf-serial", "--suite", "ascon-aead128"),
    ],
)
def test_what_authenticates_is_not_warned_of(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    assert_done(node(tmp_path, "init", "a", "--link", *arguments))
    assert (
        json.loads(assert_done(node(tmp_path, "status", "a", "--json")))["warning"]
        is None
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("ieee802154", "--suite", "speck128-128"),
        ("rf-serial", "--suite", "modspeck128-128-ccm-8"),
        ("sdr",),
    ],
)
def test_ciphers_for_research_are_warned_of(
    arguments: tuple[str, ...], tmp_path: Path
) -> None:
    assert_done(node(tmp_path, "init", "a", "--link", *arguments), "a research cipher")
    assert_done(node(tmp_path, "init", "b", "--pair-with", "a"), "a research cipher")


@pytest.mark.slow
def test_a_listener_warns_before_it_listens(tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, other = stack.enter_context(Cable()).ports
        options = ("--framing", "plain", "--allow-unauthenticated", "--port", one)
        node(tmp_path, "init", "a", "--link", "rf-serial", *options)
        node(tmp_path, "init", "b", "--pair-with", "a", "--port", other)
        listener = stack.enter_context(Running(tmp_path, "node", "listen", "b"))
        assert (
            "warning: the framing plain does not authenticate"
            in listener.next_message()
        )
        assert "listens" in listener.next_message()


def node(folder: Path, *arguments: str) -> Done:
    return samara("node", *arguments, folder=folder)


# What others send


@pytest.mark.slow
def test_messages_do_not_drive_the_terminal(tmp_path: Path) -> None:
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        node(tmp_path, "init", "a", "--link", "ieee802154", *where)
        node(tmp_path, "init", "b", "--pair-with", "a")
        with Running(tmp_path, "node", "listen", "b", "--count", "1") as listener:
            listener.next_message()
            samara("node", "send", "a", "-", given=_HOSTILE, folder=tmp_path)
            output, _ = listener.ended()
    assert output.decode() == _ESCAPED + "\n"


@pytest.mark.slow
def test_losses_and_refusals_are_reported(tmp_path: Path) -> None:
    with medium(tmp_path) as port:
        where = ("--medium", f"127.0.0.1:{port}")
        node(tmp_path, "init", "a", "--link", "ieee802154", *where)
        node(tmp_path, "init", "b", "--pair-with", "a")
        with Running(tmp_path, "node", "listen", "b", "--count", "2") as listener:
            listener.next_message()
            sent = json.loads(node(tmp_path, "send", "a", "one", "--json").stdout)
            wait_for(listener, 1)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as attacker:
                frame = bytes.fromhex(sent["air"][0])
                again = zep.build(zep.data_now(frame, 0))
                attacker.sendto(again, ("127.0.0.1", port))
            with State(tmp_path / "a") as state:
                for _ in range(2):
                    state.counter(SENT).take()
            node(tmp_path, "send", "a", "two")
            output, messages = listener.ended()
    assert output == b"one\ntwo\n"
    refused, lost = messages.decode().splitlines()
    assert refused.startswith("samara: refused, replay: ")
    assert lost == "samara: lost: 2 transmissions did not arrive."


@pytest.mark.slow
def test_a_chat_does_not_drive_the_terminal(tmp_path: Path) -> None:
    done = samara(
        *("demo", "--chat", "--link", "ieee802154"),
        given=b"\x1b[2J\xe2\x80\xae\xff\n",
        folder=tmp_path,
    )
    assert done.returncode == 0, done
    assert r"\x1b[2J\u202e\xff" in done.stdout.decode()
    assert b"\x1b" not in done.stdout


@pytest.mark.slow
def test_what_files_of_others_say_does_not_drive_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "x.sigmf-data").write_bytes(bytes(8 * 1000))
    meta = {
        "global": {
            "core:datatype": "cf32_le",
            "core:version": "1.0.0",
            "core:sample_rate": 1e6,
            "core:description": "a\x1b[2Jb",
        },
        "captures": [{"core:sample_start": 0}],
        "annotations": [],
    }
    (tmp_path / "x.sigmf-meta").write_text(json.dumps(meta))
    done = samara("phy", "inspect", "x.sigmf-meta", folder=tmp_path)
    assert done.returncode == 0, done
    assert r"a\x1b[2Jb" in done.stdout.decode()
    assert b"\x1b[2J" not in done.stdout
    done = node(tmp_path, "status", "no\x1b[2Jnode")
    assert b"\x1b" not in done.stderr
    assert rb"no directory no\x1b[2Jnode" in done.stderr


def test_what_prints_is_left_alone() -> None:
    for text in ("21.5 °C", "naïve", "日本語", "a\\x1b", "", "👍"):
        assert printable(text.encode()) == text


@given(st.binary(max_size=60))
def test_only_printing_characters_are_printed(content: bytes) -> None:
    shown = printable(content)
    assert prints(shown)
    assert printable_text(shown) == shown


@given(st.text(max_size=40))
def test_text_that_prints_comes_through(text: str) -> None:
    shown = printable(text.encode(errors="surrogatepass"))
    assert prints(shown)
    if prints(text):
        assert shown == text


def prints(text: str) -> bool:
    """Tell whether text only has characters that print, and spaces."""
    spaces = {" ", "\u3000", "\xa0", "\u1680", "\u202f", "\u205f"}
    spaces |= set(map(chr, range(0x2000, 0x200B)))
    return all(each in spaces or each.isprintable() for each in text)


# A medium that leaves


@pytest.mark.slow
def test_a_listener_hears_after_its_medium_was_started_again(tmp_path: Path) -> None:
    with ExitStack() as stack:
        first = stack.enter_context(Running(tmp_path, "medium", "--port", "0"))
        port = first.next_message().split("port ")[1].split(";")[0]
        where = ("--medium", f"127.0.0.1:{port}")
        node(tmp_path, "init", "a", "--link", "ieee802154", *where)
        node(tmp_path, "init", "b", "--pair-with", "a")
        listener = stack.enter_context(listening(tmp_path, "b"))
        assert_done(node(tmp_path, "send", "a", "before"))
        wait_for(listener, 1)
        first.kill()
        first.wait(TIMEOUT_S)
        wait_for(listener, 2)
        assert_misuse(node(tmp_path, "send", "a", "meanwhile"), "samara medium")
        second = stack.enter_context(Running(tmp_path, "medium", "--port", port))
        assert f"port {port}" in second.next_message()
        wait_for(listener, 3)
        # Acknowledged: what the listener says arrives, too.
        assert_done(node(tmp_path, "send", "a", "after", "--ack"))
        events = listener.interrupted_after(4)
    assert [each["type"] for each in events] == [
        *("received", "notice", "notice"),
        # What was sent in between has a counter.
        *(["lost"] if len(events) > 4 else []),
        "received",
    ]
    assert "is away" in events[1]["text"]
    assert "is back" in events[2]["text"]
    assert events[-1]["text"] == "after"


def wait_for(listener: Running, lines: int) -> None:
    """Wait until a listener has told so many events."""
    end_s = time.monotonic() + TIMEOUT_S
    while listener.lines_so_far() < lines:
        assert time.monotonic() < end_s, "nothing was told"
        time.sleep(0.05)


@pytest.mark.slow
def test_a_medium_that_nobody_refuses_is_told_hello_again(tmp_path: Path) -> None:
    """As where it is on another machine, or back before anybody noticed."""
    folders.make_pair(tmp_path / "a", "ieee802154", {})
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        silent.settimeout(TIMEOUT_S)
        where = {"medium": f"127.0.0.1:{silent.getsockname()[1]}"}
        with Node(tmp_path / "a", where) as a:
            for _ in range(3):
                assert a.receive(0.6) == []
        hellos = [zep.parse(silent.recv(2048)) for _ in range(4)]
    own = folders.read(tmp_path / "a").end.settings["own"]
    who = zep.Hello(
        int(own["short"], 16),
        bytes.fromhex(own["extended"]),
        wants_unanswered=True,
        filters=True,
    )
    assert hellos == [who] * 4


def test_an_answer_that_cannot_be_sent_ends_no_listener(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(*_: object) -> None:
        message = "there is no medium"
        raise LinkError(message)

    folders.make_pair(tmp_path / "a", "ieee802154", {})
    folders.make_second(tmp_path / "b", tmp_path / "a", {})
    wanted = Part(0, 0, b"x", is_last=True, wants_ack=True, is_acknowledged=True)
    with Medium("127.0.0.1", 0, Conditions(paced=False)) as medium:
        where = {"medium": f"127.0.0.1:{medium.port}", "paced": False}
        with Node(tmp_path / "a", where) as a, Node(tmp_path / "b", where) as b:
            a.link.send(build(wanted))
            ends = iter([False] * 3)
            medium.run(lambda: next(ends, True))
            assert [type(each) for each in b.receive(1)] == [Received]
            monkeypatch.setattr(type(b.link), "send", unreachable)
            assert b.receive(0) == [
                Notice("a message was not acknowledged: there is no medium")
            ]
            assert b.receive(0) == []


def test_status_shows_the_kind_and_the_number_of_a_serial_link(tmp_path: Path) -> None:
    arguments = ("init", "a", "--link", "rf-serial", "--port", "/dev/null")
    assert_done(node(tmp_path, *arguments))
    lines = assert_done(node(tmp_path, "status", "a")).decode().splitlines()
    rows = [" ".join(line.split()) for line in lines]
    assert "kind of link rf-serial" in rows
    assert any(row.startswith("link ") and row[5:].isdigit() for row in rows)
