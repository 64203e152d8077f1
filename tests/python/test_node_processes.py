# SPDX-License-Identifier: Apache-2.0
"""Nodes as a person runs them: programs that talk, are refused, and end."""

from __future__ import annotations

import json
import os
import pty
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from links import Cable, Running, listening, medium
from shell import (
    PROGRAM,
    TIMEOUT_S,
    assert_done,
    assert_misuse,
    environment,
    said,
    samara,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINKS = ("ieee802154", "rf-serial")
MESSAGES = {
    "text": b"21.5 C",
    "empty": b"",
    "binary": bytes(range(256)),
    "begins as ours do": b"\xf5\x10",
    "lines": b"one\ntwo\n",
}


class Pair:
    """Two nodes, `a` and `b`, and what joins them."""

    def __init__(self, folder: Path, link: str, stack: ExitStack) -> None:
        self.folder = folder
        if link == "ieee802154":
            port = stack.enter_context(medium(folder))
            where = ("--medium", f"127.0.0.1:{port}")
            others: tuple[str, ...] = ()
        else:
            one, other = stack.enter_context(Cable()).ports
            where, others = ("--port", one), ("--port", other)
        assert_done(self.do("init", "a", "--link", link, *where))
        assert_done(self.do("init", "b", "--pair-with", "a", *others))

    def do(self, *arguments: str, given: bytes = b"") -> Any:  # noqa: ANN401 - as samara's
        return samara("node", *arguments, given=given, folder=self.folder)

    def exchange(self, *messages: bytes, options: tuple[str, ...] = ()) -> list[bytes]:
        """Send from `a`, and return what `b` hands on."""
        count = str(len(messages))
        with listening(self.folder, "b", "--count", count) as listener:
            for message in messages:
                assert_done(self.do("send", "a", "-", *options, given=message))
            heard = listener.events()
        assert listener.returncode == 0
        assert {event["type"] for event in heard} == {"received"}
        return [bytes.fromhex(event["hex"]) for event in heard]


@pytest.fixture(params=LINKS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(tmp_path, request.param, stack)


@pytest.fixture
def on_air(tmp_path: Path) -> Iterator[Pair]:
    with ExitStack() as stack:
        yield Pair(tmp_path, "ieee802154", stack)


@pytest.fixture(scope="module")
def unused(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Return nodes that nothing happens to."""
    with ExitStack() as stack:
        yield Pair(tmp_path_factory.mktemp("unused"), "ieee802154", stack)


@pytest.mark.slow
def test_messages_of_all_kinds_arrive(pair: Pair) -> None:
    messages = list(MESSAGES.values())
    assert pair.exchange(*messages) == messages


@pytest.mark.slow
def test_a_long_message_arrives_acknowledged_and_one_too_long_is_refused(
    pair: Pair,
) -> None:
    message = bytes(range(256)) * 256
    assert pair.exchange(message, options=("--ack",)) == [message]
    refused = pair.do("send", "a", "-", given=16 * message + b"x")
    assert_misuse(refused, "1048576 bytes")


@pytest.mark.slow
def test_both_directions(pair: Pair) -> None:
    assert pair.exchange(b"there") == [b"there"]
    with listening(pair.folder, "a", "--count", "1") as listener:
        sent = json.loads(assert_done(pair.do("send", "b", "and back", "--json")))
        (heard,) = listener.events()
    assert heard["text"] == "and back"
    assert heard["air"] == sent["air"]
    assert sent["receipt"]["direction"] == "sent"
    assert heard["receipt"]["direction"] == "received"
    assert heard["receipt"]["parts"] == sent["receipt"]["parts"]


@pytest.mark.slow
def test_what_a_person_sees(pair: Pair) -> None:
    with Running(pair.folder, "node", "listen", "b", "--count", "2") as listener:
        listener.next_message()
        shown = assert_done(pair.do("send", "a", "21.5 C")).decode()
        assert shown.startswith("sent: 6 bytes in ")
        shown = assert_done(pair.do("send", "a", "\udcff", "--receipt")).decode()
        assert "tag" in shown
        assert "estimated" in shown
        output, _ = listener.ended()
    assert output == b"21.5 C\n\\xff\n"


@pytest.mark.slow
def test_lines_are_messages(pair: Pair) -> None:
    with listening(pair.folder, "b", "--count", "2") as listener:
        done = pair.do("send", "a", "--lines", "-", "--hex", given=b"6f6e65\n74776f\n")
        assert assert_done(done).count(b"sent: 3 bytes") == 2
        assert [event["text"] for event in listener.events()] == ["one", "two"]


@pytest.mark.slow
def test_raw_output_is_the_message(pair: Pair) -> None:
    with Running(
        pair.folder, "node", "listen", "b", "--raw", "--count", "1"
    ) as listener:
        listener.next_message()
        assert_done(pair.do("send", "a", "-", given=MESSAGES["binary"]))
        output, _ = listener.ended()
    assert output == MESSAGES["binary"]


@pytest.mark.slow
@pytest.mark.parametrize("request_to_end", [signal.SIGINT, signal.SIGTERM])
def test_a_listener_ends_when_asked(request_to_end: signal.Signals, pair: Pair) -> None:
    with listening(pair.folder, "b") as listener:
        status = json.loads(assert_done(pair.do("status", "b", "--json")))
        assert status["in_use"]
        listener.send_signal(request_to_end)
        output, complaints = listener.ended()
    assert listener.returncode == 0
    assert (output, complaints) == (b"", b"")
    assert not json.loads(assert_done(pair.do("status", "b", "--json")))["in_use"]


@pytest.mark.slow
def test_a_sender_that_waits_is_interrupted(on_air: Pair) -> None:
    with Running(
        on_air.folder, "node", "send", "a", "hello", "--ack", "--retries", "50"
    ) as sender:
        wait_until_in_use(on_air, "a")
        sender.send_signal(signal.SIGINT)
        _, complaints = sender.ended()
    assert sender.returncode != 0
    assert b"Traceback" not in complaints
    # In good order: what it did not use was given back.
    numbers = json.loads(assert_done(on_air.do("status", "a", "--json")))["counters"]
    assert numbers["interrupted"] == 0
    assert numbers["transmit counter"] < 10


def wait_until_in_use(pair: Pair, node: str) -> None:
    end_s = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end_s:
        status = json.loads(assert_done(pair.do("status", node, "--json")))
        if status["counters"].get("transmit counter"):
            return
    pytest.fail("it never began")


@pytest.mark.slow
def test_a_listener_ends_in_time(on_air: Pair) -> None:
    done = on_air.do("listen", "b", "--count", "1", "--timeout", "0.2")
    assert done.returncode == 1
    done = on_air.do("listen", "b", "--timeout", "0.2")
    assert done.returncode == 0


@pytest.mark.slow
def test_without_an_answer_the_sender_says_so(on_air: Pair) -> None:
    done = on_air.do("send", "a", "hello", "--ack", "--retries", "0")
    assert done.returncode == 1
    assert "no acknowledgement" in said(done)[0]


@pytest.mark.slow
def test_losses_are_reported(tmp_path: Path) -> None:
    with medium(tmp_path, "--loss", "0.5", "--seed", "3") as port:
        where = ("--medium", f"127.0.0.1:{port}")
        for arguments in (("a", "--link", "ieee802154"), ("b", "--pair-with", "a")):
            assert_done(samara("node", "init", *arguments, *where, folder=tmp_path))
        lines = b"".join(b"%d\n" % number for number in range(40))
        with listening(tmp_path, "b") as listener:
            samara("node", "send", "a", "--lines", "-", given=lines, folder=tmp_path)
            end = ("the end", "--ack", "--retries", "50")
            done = samara("node", "send", "a", *end, folder=tmp_path)
            assert done.returncode == 0, done
            heard = listener.interrupted_after(1)
    received = [event for event in heard if event["type"] == "received"]
    lost = sum(e["transmissions"] for e in heard if e["type"] == "lost")
    assert received[-1]["text"] == "the end"
    assert len(received) < 41
    # Repetitions of the last may have been lost, too.
    assert lost + len(received) >= 41


# What is refused


@pytest.mark.slow
def test_a_wrong_key_is_refused(on_air: Pair) -> None:
    keys = json.loads((on_air.folder / "a" / "keys.json").read_text())
    keys["keys"]["key"] = bytes(16).hex()
    (on_air.folder / "a" / "keys.json").write_text(json.dumps(keys))
    with listening(on_air.folder, "b") as listener:
        assert_done(on_air.do("send", "a", "forged"))
        heard = listener.interrupted_after(1)
    assert [event["type"] for event in heard] == ["refused"]


@pytest.mark.slow
def test_a_replay_is_refused_after_a_restart(pair: Pair) -> None:
    with listening(pair.folder, "b", "--count", "1") as listener:
        sent = json.loads(assert_done(pair.do("send", "a", "once", "--json")))
        assert len(listener.events()) == 1
    (air,) = sent["air"]
    with listening(pair.folder, "b") as listener:
        replay(pair, bytes.fromhex(air))
        heard = listener.interrupted_after(1)
    assert [event["type"] for event in heard] == ["refused"]


def replay(pair: Pair, encoded: bytes) -> None:
    settings = json.loads((pair.folder / "a" / "node.json").read_text())["settings"]
    if "port" in settings:
        with open(settings["port"], "wb", buffering=0) as port:  # noqa: PTH123 - unbuffered
            port.write(encoded)
        return
    import socket  # noqa: PLC0415 - for this alone

    from samara.link.ieee802154.air import zep  # noqa: PLC0415

    host, port_number = settings["medium"].split(":")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as attacker:
        attacker.sendto(zep.build(zep.data_now(encoded, 0)), (host, int(port_number)))


@pytest.mark.slow
def test_two_processes_on_one_node_are_refused(on_air: Pair) -> None:
    with listening(on_air.folder, "b"):
        assert_misuse(on_air.do("send", "b", "me, too"), "another process", "b")


@pytest.mark.slow
def test_a_copied_node_is_refused(on_air: Pair) -> None:
    shutil.copytree(on_air.folder / "a", on_air.folder / "copy")
    assert_misuse(on_air.do("send", "copy", "hello"), "copy", "nonces")


@pytest.mark.slow
def test_a_read_only_node_is_refused_and_loses_nothing(pair: Pair) -> None:
    state = pair.folder / "a" / "state.db"
    state.chmod(0o400)
    assert_misuse(pair.do("send", "a", "hello"), "read-only")
    state.chmod(0o600)
    assert pair.exchange(b"hello") == [b"hello"]


@pytest.mark.slow
def test_without_room_on_the_disk_nothing_is_sent_or_lost(on_air: Pair) -> None:
    # What a limit on the size of files refuses, a full disk refuses, too.
    command = f"ulimit -f 0; exec {PROGRAM} node send a hello"
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=on_air.folder,
        env=environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert_misuse(done, "disk I/O error")
    assert on_air.exchange(b"hello") == [b"hello"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("init", "c"), "--link"),
        (("init", "c", "--link", "morse"), "morse"),
        (("init", "c", "--link", "ieee802154", "--framing", "plain"), "--framing"),
        (("init", "c", "--link", "ieee802154", "--level", "9"), "level"),
        (("init", "c", "--link", "ieee802154", "--suite", "aes"), "aes128"),
        (("init", "c", "--link", "ieee802154", "--pan", "xyz"), "hex"),
        (("init", "c", "--link", "rf-serial", "--counter-size", "2"), "--counter-size"),
        (("init", "c", "--link", "rf-serial", "--suite", "aes128-ctr"), "aes128-ctr"),
        (("init", "a", "--link", "ieee802154"), "not empty"),
        (("init", "c", "--pair-with", "a"), "has been made"),
        (("init", "c", "--link", "rf-serial", "--baud", "0"), "baud"),
        (("rekey", "no-node"), "samara node init"),
        (("send", "a", "x", "--port", "/dev/null"), "--port"),
        (("send", "a", "x", "--medium", "127.0.0.1:9"), "samara medium"),
        (("send", "a", "x", "--medium", "nowhere"), "HOST:PORT"),
        (("send", "no-node", "x"), "samara node init"),
        (("send", "a", "x", "--lines"), "stdin"),
        (("listen", "b", "--raw", "--json"), "--raw"),
        (("status", "no-node"), "samara node init"),
        (("status", "aa"), "there is no directory aa; did you mean a?"),
        (("init", "c", "--pair-with", "aa"), "file aa; did you mean a?"),
        (("init", "c", "--pair-with", "."), "it has no file node.json"),
        (("send", "a", "x", "--device", "z80"), "unknown device or chip 'z80'"),
        (("listen", "b", "--raw", "--receipt"), "--raw"),
    ],
)
def test_misuse_is_refused(
    arguments: tuple[str, ...], words: str, unused: Pair
) -> None:
    assert_misuse(unused.do(*arguments), words)
    assert not (unused.folder / "c").exists()


@pytest.mark.slow
def test_the_second_end_settles_nothing(tmp_path: Path) -> None:
    assert_done(samara("node", "init", "a", "--link", "ieee802154", folder=tmp_path))
    given = ("init", "b", "--pair-with", "a", "--level", "6")
    assert_misuse(samara("node", *given, folder=tmp_path), "--level", "first node")
    assert_done(samara("node", *given[:-2], folder=tmp_path))


@pytest.mark.slow
def test_as_many_retries_as_asked_for(on_air: Pair) -> None:
    sent = on_air.do("send", "a", "hello", "--ack", "--retries", "1")
    assert sent.returncode == 1
    assert "asked 2 times" in said(sent)[0]


@pytest.mark.slow
def test_a_modem_that_takes_nothing_is_reported(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    where = ("--port", os.ttyname(theirs))
    node = ("a", "--link", "rf-serial", *where)
    assert_done(samara("node", "init", *node, folder=tmp_path))
    done = samara("node", "send", "a", "-", given=bytes(60_000), folder=tmp_path)
    os.close(theirs)
    os.close(ours)
    assert_misuse(done, "does not answer")


@pytest.mark.slow
def test_a_modem_that_is_not_there_is_reported(tmp_path: Path) -> None:
    assert_done(samara("node", "init", "a", "--link", "rf-serial", folder=tmp_path))
    assert_misuse(samara("node", "send", "a", "x", folder=tmp_path), "--port")
    elsewhere = samara("node", "send", "a", "x", "--port", "none", folder=tmp_path)
    assert_misuse(elsewhere, "none", "cannot be opened")
