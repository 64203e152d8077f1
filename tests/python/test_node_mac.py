# SPDX-License-Identifier: Apache-2.0
"""Nodes whose frames are acknowledged and repeated, over a medium that loses them."""

from __future__ import annotations

import io
import json
import subprocess
import threading
import time
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from links import listening, medium
from shell import assert_misuse, samara

from samara.energy.receipt_costs import with_costs
from samara.figure import Origin
from samara.link.ieee802154 import parse
from samara.link.ieee802154.air.channel import Conditions
from samara.link.ieee802154.air.medium import Medium
from samara.link.ieee802154.captures.pcap import LinkType, Reader, Writer
from samara.link.ieee802154.medium_access.box_mac_2 import SAMPLE_S
from samara.link.node import folder as folders
from samara.link.node.node import Lost, Node, Received, Refused

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.link.node.node import Event

RETRIES = 7


@contextmanager
def running(conditions: Conditions, sniffer: Writer | None = None) -> Iterator[str]:
    """Run a medium; return where it is."""
    over = threading.Event()
    with Medium("127.0.0.1", 0, conditions, sniffer) as air:
        thread = threading.Thread(target=air.run, args=(over.is_set,))
        thread.start()
        try:
            yield f"127.0.0.1:{air.port}"
        finally:
            over.set()
            thread.join()


@contextmanager
def listener(folder: Path) -> Iterator[list[Event]]:
    """Let a node listen in a thread of its own; return what it reports."""
    events: list[Event] = []
    over, ready = threading.Event(), threading.Event()

    def listen() -> None:
        with Node(folder, {"paced": False}) as node:
            events.extend(node.receive(0))
            ready.set()
            while not over.is_set():
                events.extend(node.receive(0.05))
            events.extend(node.receive(0.2))

    thread = threading.Thread(target=listen)
    thread.start()
    ready.wait()
    try:
        yield events
    finally:
        over.set()
        thread.join()


def make(folder: Path, **options: object) -> None:
    folders.make_pair(folder / "a", "ieee802154", options, allow_unauthenticated=True)
    folders.make_second(folder / "b", folder / "a", {})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "version"), [(5, 2006), (0, 2006), (4, 2006), (0, 2015), (5, 2015)]
)
def test_what_a_medium_loses_arrives_once_and_in_order(
    level: int, version: int, tmp_path: Path
) -> None:
    messages = [b"reading %d" % number for number in range(40)]
    capture = io.BytesIO()
    sniffer = Writer(capture, LinkType.WITH_FCS)
    with running(Conditions(paced=False, loss=0.2, seed=3), sniffer) as where:
        make(
            tmp_path,
            medium=where,
            level=level,
            frame_version=version,
            frame_retries=RETRIES,
        )
        with listener(tmp_path / "b") as events, Node(tmp_path / "a") as a:
            sent = [a.send(message) for message in messages]
    received = [each for each in events if isinstance(each, Received)]
    assert [each.message for each in received] == messages
    # Nothing was lost, and no repetition taken for a replay.
    assert not [each for each in events if isinstance(each, (Lost, Refused))]
    assert all(each.frames_missed == 0 for each in sent)
    attempts = [each.transmissions[0].carrier.attempts for each in sent]
    assert 1.2 < sum(attempts) / len(attempts) < 3
    # What was on the air is what the receipts say.
    capture.seek(0)
    on_air = Counter(each.frame for each in Reader(capture))
    frames = [each.transmissions[0].carrier.encoded[:-2] for each in sent]
    assert [on_air[frame] for frame in frames] == attempts
    for each, count in zip(sent, attempts, strict=True):
        size = len(each.transmissions[0].carrier.encoded)
        parts = each.receipt.parts
        assert each.receipt.packets == count
        assert parts.get("repetition", 0) == (count - 1) * size
        # With both addresses, the security header, a counter and a MIC.
        secured_size = 9 + 2 + 6 + 4 + 4
        ack_size = 5 if version == 2006 else secured_size if level else 9
        assert parts["acknowledgement"] == ack_size
        assert parts["radio"] == 6 * (count + 1)
        assert each.receipt.link_bytes == count * size
    # The receiver's has its acknowledgement, and no repetitions.
    assert all(each.receipt.packets == 1 for each in received)
    assert all(each.receipt.parts["acknowledgement"] == ack_size for each in received)


def test_no_nonce_has_two_contents(tmp_path: Path) -> None:
    capture = io.BytesIO()
    sniffer = Writer(capture, LinkType.WITH_FCS)
    with running(Conditions(paced=False, loss=0.5, seed=1), sniffer) as where:
        make(tmp_path, medium=where, frame_retries=1)
        with listener(tmp_path / "b"), Node(tmp_path / "a") as a:
            for number in range(30):
                a.send(b"%d" % number)
    capture.seek(0)
    contents: dict[int, set[bytes]] = {}
    for each in Reader(capture):
        frame = parse(each.frame)
        if frame.security is not None:
            assert frame.security.counter is not None
            contents.setdefault(frame.security.counter, set()).add(each.frame)
    assert len(contents) == 30
    assert all(len(each) == 1 for each in contents.values())


def test_both_ends_send_at_once(tmp_path: Path) -> None:
    with running(Conditions(paced=False)) as where:
        make(tmp_path, medium=where, frame_retries=3)
        ready = threading.Barrier(2)
        missed: dict[str, int] = {}
        events: dict[str, list[Event]] = {"a": [], "b": []}

        def talk(name: str) -> None:
            with Node(tmp_path / name) as node:
                node.receive(0)
                ready.wait()
                missed[name] = sum(
                    node.send(b"of %s" % name.encode()).frames_missed for _ in range(20)
                )
                while sum(isinstance(each, Received) for each in events[name]) < 20:
                    events[name] += node.receive(0.1)
                # The other may still wait for an acknowledgement.
                ready.wait()

        threads = [threading.Thread(target=talk, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert missed == {"a": 0, "b": 0}
    assert all(isinstance(each, Received) for name in "ab" for each in events[name])


@pytest.mark.slow
def test_what_a_person_sees(tmp_path: Path) -> None:
    with medium(tmp_path) as port:
        where = f"127.0.0.1:{port}"
        arguments = ("--link", "ieee802154", "--medium", where, "--frame-retries", "2")
        assert samara("node", "init", "a", *arguments, folder=tmp_path).returncode == 0
        samara("node", "init", "b", "--pair-with", "a", folder=tmp_path)
        unheard = samara("node", "send", "a", "21.5 C", folder=tmp_path)
        assert unheard.returncode == 1
        assert b"in 3 packets" in unheard.stdout
        assert b"0 of 1 frames acknowledged, 2 sent again" in unheard.stdout
        assert b"no acknowledgement arrived of 1 of 1 frames" in unheard.stderr
        with listening(tmp_path, "b", "--count", "2"):
            heard = samara("node", "send", "a", "21.5 C", folder=tmp_path)
            assert heard.returncode == 0
            assert b"1 of 1 frames acknowledged" in heard.stdout
            as_json = samara("node", "send", "a", "x", "--json", folder=tmp_path)
        sent = json.loads(as_json.stdout)
        assert sent["frames_missed"] == 0
        assert len(sent["attempts"]) == 1
        # It can be left out at a run, or asked of a node that was made without.
        assert samara(
            "receipt", "explain", "--link", "ieee802154", "--bytes", "6",
            "--frame-retries", "0", "--json", folder=tmp_path,
        ).returncode == 0  # fmt: skip
    refused = samara(
        "node", "init", "c", "--link", "ieee802154", "--frame-version", "2015",
        "--frame-retries", "3", "--level", "4", "--allow-unauthenticated",
        folder=tmp_path,
    )  # fmt: skip
    assert_misuse(refused, "another level than 4")


def test_nodes_made_before_the_option_existed_are_used_as_before(
    tmp_path: Path,
) -> None:
    with running(Conditions(paced=False)) as where:
        make(tmp_path, medium=where)
        path = tmp_path / "a" / "node.json"
        fields = json.loads(path.read_text())
        assert fields["settings"].pop("frame_retries") is None
        path.write_text(json.dumps(fields))
        with Node(tmp_path / "a") as a:
            sent = a.send(b"x")
    (transmission,) = sent.transmissions
    assert not transmission.asked_for_acknowledgement
    assert not parse(transmission.carrier.encoded[:-2]).ack_request


def test_tshark_reads_what_was_on_the_air(tmp_path: Path) -> None:
    path = tmp_path / "air.pcap"
    with path.open("wb") as file:
        sniffer = Writer(file, LinkType.WITH_FCS)
        with running(Conditions(paced=False), sniffer) as where:
            make(tmp_path, medium=where, frame_retries=3)
            with listener(tmp_path / "b"), Node(tmp_path / "a") as a:
                a.send(b"21.5 C")
    done = subprocess.run(
        ["tshark", "-r", path, "-Tfields", "-ewpan.frame_type", "-ewpan.ack_request",  # noqa: S607 - Debian's
         "-ewpan.fcs_ok", "-ewpan.seq_no"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    data, *acks = [line.split("\t") for line in done.stdout.splitlines()]
    assert data[:3] == ["0x0001", "1", "1"]
    assert acks
    assert all(each == ["0x0002", "0", "1", data[3]] for each in acks)


@pytest.mark.slow
def test_a_receiver_that_sleeps_is_sent_frames_until_it_wakes_up(
    tmp_path: Path,
) -> None:
    with running(Conditions()) as where:
        make(tmp_path, medium=where, mac="box-mac-2", wake_up="50ms", frame_retries=7)
        with listener(tmp_path / "b") as events, Node(tmp_path / "a") as a:
            sent = []
            for number in range(20):
                # The receiver falls asleep meanwhile.
                time.sleep(2 * SAMPLE_S)
                sent.append(a.send(b"reading %d" % number))
    received = [each for each in events if isinstance(each, Received)]
    assert [each.message for each in received] == [
        b"reading %d" % number for number in range(20)
    ]
    assert not [each for each in events if isinstance(each, (Lost, Refused))]
    assert all(each.frames_missed == 0 for each in sent)
    # It does not always wake up at the first attempt.
    assert sum(each.transmissions[0].carrier.attempts for each in sent) > 20
    for each in sent:
        (transmission,) = each.transmissions
        attempts = transmission.carrier.attempts
        assert each.receipt.packets == attempts
        listened = each.receipt.figures["listening_time"]
        assert 0 < listened.value < transmission.time_s
        assert listened.origin is Origin.EMULATED
        costed = with_costs(each.receipt, "atmega128rfa1")
        assert costed.figures["radio_energy"].value > 0
    assert all("listening_time" in each.receipt.figures for each in received)
    # What the first attempt waited for is in the time to the receiver.
    assert any(
        each.receipt.figures["delivery_time_by_clock"].value > 0.005
        for each in received
    )


@pytest.mark.slow
def test_nodes_that_contend_repeat_what_collides(tmp_path: Path) -> None:
    conditions = Conditions(csma=True, collisions=True, seed=2)
    with running(conditions) as where:
        make(tmp_path, medium=where, frame_retries=RETRIES)
        messages = [b"%d" % number for number in range(15)]
        with listener(tmp_path / "b") as events, Node(tmp_path / "a") as a:
            for message in messages:
                a.send(message)
    received = [each.message for each in events if isinstance(each, Received)]
    assert received == messages
    assert not [each for each in events if isinstance(each, (Lost, Refused))]
