# SPDX-License-Identifier: Apache-2.0
"""Who hears whom on the medium: the file, the option, and what comes of it."""

from __future__ import annotations

import signal
import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from links import Running
from shell import assert_misuse, samara

from samara.errors import MisuseError
from samara.link.ieee802154.air import zep
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.air.topology import Topology
from samara.link.ieee802154.frames.fcs import fcs_of
from samara.records.json_lines import plain

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

A, B, C = ("000a", "000b", "0200000000000c0c")
PATIENCE_S = 60
SILENCE_S = 0.3
CHAIN = f"""sender,receiver,loss
# a chain: the ends do not hear each other
{A},{B},0.25
{B},{A}

{B.upper()},{C.upper()},
{C},{B},1
"""


def named(*names: str) -> frozenset[str]:
    return frozenset(names)


def written(folder: Path, text: str) -> Path:
    path = folder / "links.csv"
    path.write_text(text)
    return path


def test_a_file_says_who_hears_whom(tmp_path: Path) -> None:
    links = Topology.read(written(tmp_path, CHAIN))
    assert links.loss(named(A), named(B), 0.5) == 0.25
    assert links.loss(named(B), named(A), 0.5) == 0.5
    assert links.loss(named(B, "02000000000000bb"), named(C, "000c"), 0.0) == 0.0
    assert links.loss(named(C), named(B), 0.0) == 1
    assert links.loss(named(A), named(C), 0.5) is None
    # Who has not said who it is hears nobody.
    assert links.loss(named(A), named(), 0.5) is None


def test_options_change_single_links(tmp_path: Path) -> None:
    everybody = Topology().with_losses([f"{A}:{C}=0.5"])
    assert everybody.loss(named(A), named(C), 0.1) == 0.5
    assert everybody.loss(named(C), named(A), 0.1) == 0.1
    chain = Topology.read(written(tmp_path, CHAIN)).with_losses([f"{A}:{B}=0"])
    assert chain.loss(named(A), named(B), 0.5) == 0
    assert chain.loss(named(A), named(C), 0.5) is None
    with pytest.raises(MisuseError, match="no such link"):
        chain.with_losses([f"{A}:{C}=0"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "first line"),
        ("from,to\n", "first line"),
        ("sender,receiver\n000a\n", "line 2: 1 columns"),
        ("sender,receiver\n000a,000b,0.1\n", "line 2: 3 columns"),
        ("sender,receiver\n\n#\n000a,00b\n", "line 4: '00b' is no address"),
        ("sender,receiver,loss\n000a,000b,2\n", "'2' is no probability"),
        ("sender,receiver,loss\n000a,000b,nan\n", "'nan' is no probability"),
        ("sender,receiver\n000a,000b\n000a,000B\n", "there twice"),
        ("sender,receiver\n000a,000a\n", "link to itself"),
    ],
)
def test_a_file_that_says_something_else_is_refused(
    text: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(MisuseError, match=words):
        Topology.read(written(tmp_path, text))


@pytest.mark.parametrize("text", ["000a", "000a:000b", "000a=0.1", "000a:000b=x", ":="])
def test_an_option_that_says_something_else_is_refused(text: str) -> None:
    with pytest.raises(MisuseError, match="--loss-of"):
        Topology().with_losses([text])


# On the medium


@contextmanager
def running(
    topology: Topology, conditions: Conditions | None = None
) -> Iterator[Medium]:
    over = threading.Event()
    with Medium(
        "127.0.0.1", 0, conditions or Conditions(paced=False), None, topology
    ) as medium:
        thread = threading.Thread(target=medium.run, args=(over.is_set,))
        thread.start()
        try:
            yield medium
        finally:
            over.set()
            thread.join()


@contextmanager
def joined(medium: Medium, hello: zep.Hello) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as node:
        node.connect(("127.0.0.1", medium.port))
        node.settimeout(PATIENCE_S)
        before = medium.statistics.hellos
        node.send(zep.build(hello))
        while medium.statistics.hellos == before:
            pass
        yield node


def frame_of(source: str, number: int = 0) -> bytes:
    """Return a ZEP packet with a data frame from a short address to all."""
    frame = b"\x41\x98" + bytes([number]) + bytes.fromhex("34 12 ff ff")
    frame += bytes.fromhex(source)[::-1] + b"payload"
    return zep.build(zep.data_now(frame + fcs_of(frame), number))


def heard(node: socket.socket, count: int = 0) -> list[int]:
    """Wait for so many packets, and a little for more; return sequence numbers."""
    numbers: list[int] = []
    try:
        while True:
            node.settimeout(PATIENCE_S if len(numbers) < count else SILENCE_S)
            packet = zep.parse(node.recv(2048))
            assert isinstance(packet, zep.Data)
            numbers.append(packet.sequence)
    except TimeoutError:
        return numbers


def hello_of(name: str) -> zep.Hello:
    return (
        zep.Hello(int(name, 16))
        if len(name) == 4
        else zep.Hello(0, bytes.fromhex(name))
    )


def test_frames_go_where_the_topology_lets_them(tmp_path: Path) -> None:
    links = Topology.read(written(tmp_path, CHAIN.replace("0.25", "0")))
    with (
        running(links) as medium,
        joined(medium, hello_of(A)) as a,
        joined(medium, hello_of(B)) as b,
        joined(medium, hello_of(C)) as c,
        # One that says who it is by its frames alone.
        joined(medium, zep.Hello()) as stranger,
    ):
        a.send(frame_of(A, 1))
        assert heard(b, 1) == [1]
        assert heard(c) == heard(stranger) == []
        b.send(frame_of(B, 2))
        assert heard(a, 1) == heard(c, 1) == [2]
        b.send(frame_of(B, 3) + b"cut")
        c.send(frame_of("000c", 4))
        assert heard(b) == []
        stranger.send(frame_of(A, 5))
        assert heard(b, 1) == [5]
        statistics = medium.statistics
    assert statistics.lost == 1
    assert statistics.out_of_reach == 2 + 1 + 2 + 2
    by_link = {
        each["sender"] + each["receiver"]: each
        for each in plain(statistics.record())["links"]
    }
    assert by_link[A + B]["delivered"] == 2
    assert by_link["000c" + B] == {
        "sender": "000c",
        "receiver": B,
        "delivered": 0,
        "lost": 1,
        "collided": 0,
    }


def test_what_changes_after_a_frame_counts_for_the_next_one() -> None:
    with (
        running(Topology()) as medium,
        joined(medium, hello_of(A)) as a,
        joined(medium, hello_of(B)) as b,
    ):
        a.send(frame_of(A, 1))
        assert heard(b, 1) == [1]
        medium.move_away(B)
        a.send(frame_of(A, 2))
        assert heard(b) == []
        medium.move_back(B)
        a.send(frame_of(A, 3))
        assert heard(b, 1) == [3]
        medium.change(Conditions(paced=False, loss=1.0))
        a.send(frame_of(A, 4))
        assert heard(b) == []


def test_held_back_frames_arrive_after_the_next_or_a_little_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # However long it takes to send five.
    monkeypatch.setattr("samara.link.ieee802154.air.medium._HELD_BACK_S", 1.0)
    with (
        running(Topology(), Conditions(paced=False, reorder=1.0)) as medium,
        joined(medium, zep.Hello()) as a,
        joined(medium, zep.Hello()) as b,
    ):
        for number in range(1, 6):
            a.send(frame_of(A, number))
        assert heard(b, 5) == [2, 1, 4, 3, 5]
        assert medium.statistics.reordered == 3
        assert medium.statistics.deliveries == 5


def test_overlapping_frames_are_lost_and_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Both begin at the same time, however long it takes to read the first.
    now_s = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    turns = iter(range(100))

    def is_over() -> bool:
        nonlocal now_s
        now_s += 0.001 if medium.statistics.frames == 2 else 0.0
        return medium.statistics.collided == 4 or next(turns) == 99

    with (
        Medium("127.0.0.1", 0, Conditions(collisions=True)) as medium,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as a,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as b,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as c,
    ):
        for node, name in ((a, A), (b, B), (c, "000c")):
            node.connect(("127.0.0.1", medium.port))
            node.send(zep.build(hello_of(name)))
        a.send(frame_of(A))
        b.send(frame_of(B))
        medium.run(is_over)
        statistics = medium.statistics
    assert statistics.frames == 2
    # Each sender is deaf to the other, and the third node hears neither.
    assert statistics.collided == 4
    assert statistics.deliveries == 0
    assert statistics.links["000a", "000c"].collided == 1


# The command


@pytest.mark.slow
def test_the_command_takes_a_topology_and_prints_links(tmp_path: Path) -> None:
    written(tmp_path, CHAIN.replace("0.25", "0"))
    options = ("--topology", "links.csv", "--loss-of", f"{C}:{B}=0")
    with Running(tmp_path, "medium", "--port", "0", "--no-airtime", *options) as medium:
        port = int(medium.next_message().split("port ")[1].split(";")[0])
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as a,
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as b,
        ):
            for node, name in ((b, B), (a, A)):
                node.connect(("127.0.0.1", port))
                node.settimeout(PATIENCE_S)
                node.send(zep.build(hello_of(name)))
            a.send(frame_of(A, 1))
            assert b.recv(2048).endswith(frame_of(A, 1)[32:])
        medium.send_signal(signal.SIGINT)
        shown, _ = medium.ended()
    assert b"out of reach" in shown
    assert b"frames by link" in shown
    assert A.encode() in shown


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--csma", "--no-airtime"), "exclude --no-airtime"),
        (("--collisions", "--no-airtime"), "exclude --no-airtime"),
        (("--topology", "no.csv"), "no.csv"),
        (("--loss-of", "a:b=1"), "is no address"),
        (("--reorder", "2"), "'--reorder': expected 0 to 1"),
    ],
)
def test_misuse_is_refused(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    assert_misuse(samara("medium", *arguments, folder=tmp_path), words)
