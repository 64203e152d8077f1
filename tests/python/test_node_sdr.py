# SPDX-License-Identifier: Apache-2.0
"""Nodes that talk by samples: through a channel, and by way of recordings."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import subprocess
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from links import Running, listening
from shell import PROGRAM, assert_misuse, environment, samara

from samara.crypto import ple_sync
from samara.link.node import folder as folders
from samara.link.node.link import LinkEndedError
from samara.link.node.node import Event, Lost, Node, Notice, Received, Refused
from samara.link.node.receipt import Receipt
from samara.phy.channel import Noise, noise_power
from samara.phy.frames import Codec, gnuradio_samara, sign_changed
from samara.phy.modulation import CHIPS, MODULATIONS
from samara.phy.recordings import RecordingError, open_recording, paths
from samara.phy.sigmf_files import begin_or_append
from samara.phy.station import WAITING_BURSTS, Inbox, ReceivedBurst

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RATE = "250e3"


@contextlib.contextmanager
def channel(folder: Path, *arguments: str) -> Iterator[str]:
    """Run `samara channel`, and return what a radio calls it."""
    address = f"ipc://{folder}/air"
    options = ("--address", address, "--rate", RATE, "--seed", "1")
    with Running(folder, "channel", *options, *arguments) as process:
        yield f"zmq:{address}"
        process.terminate()
        statistics = process.ended()[0].decode()
        assert "Samples sent late:" in statistics


def pair(folder: Path, radio: str, **given: Any) -> tuple[Path, Path]:  # noqa: ANN401
    first, second = folder / "first", folder / "second"
    # The sample rate of a chip's modulation is its own.
    rate = {} if given.get("modulation") in CHIPS else {"rate": float(RATE)}
    folders.make_pair(first, "sdr", {"radio": radio, **rate, **given})
    folders.make_second(second, first, {})
    return first, second


@pytest.mark.slow
def test_messages_cross_a_rough_channel_between_two_programs(tmp_path: Path) -> None:
    rough = ("--ebn0", "8", "--offset", "2000", "--clock-ppm", "50")
    with channel(tmp_path, *rough, "--multipath", "three-ray") as radio:
        first, second = pair(tmp_path, radio)
        long = bytes(range(256)) * 40
        send = ("node", "send", first, "--ack", "--json")
        with listening(tmp_path, str(second), "--count", "3") as listener:
            for message in ("21.5 C", ""):
                sent = samara(*send, message, folder=tmp_path)
                assert sent.returncode == 0, sent.stderr
            sent = samara(*send, "-", given=long, folder=tmp_path)
            assert sent.returncode == 0, sent.stderr
            events = [e for e in listener.events() if e["type"] == "received"]
    assert [bytes.fromhex(each["hex"]) for each in events] == [b"21.5 C", b"", long]
    receipt = Receipt.from_json(json.loads(sent.stdout)["receipt"])
    assert receipt.parts.get("cipher", 0) == 0
    assert receipt.parts["tag"] == 4 * receipt.packets
    assert receipt.figures["cipher_time_by_clock"].value > 0
    assert receipt.figures["cipher_state"].value == 40


def play(node: Path, recording: Path) -> list[Event]:
    """Return what a node makes of a recording, until its end."""
    events: list[Event] = []
    receiver = Node(node, {"radio": f"file:{recording}"})
    with receiver, contextlib.suppress(LinkEndedError):
        while True:
            events += receiver.receive(1.0)
    return events


def record(node: Path, recording: Path, *messages: bytes) -> None:
    with Node(node, {"radio": f"file:{recording}"}) as sender:
        for message in messages:
            sender.send(message)


def contents(events: list[Event]) -> list[bytes]:
    return [event.message for event in events if isinstance(event, Received)]


@pytest.mark.slow
@pytest.mark.parametrize("modulation", MODULATIONS)
def test_a_recording_is_heard_once(tmp_path: Path, modulation: str) -> None:
    first, second = pair(tmp_path, "zmq", modulation=modulation, frame_size=60)
    record(first, tmp_path / "air", b"one", b"two")
    assert contents(play(second, tmp_path / "air")) == [b"one", b"two"]
    again = play(second, tmp_path / "air")
    assert contents(again) == []
    # With DSSS a burst that is not there may be found beside them.
    assert sum(isinstance(event, Refused) for event in again) >= 2


def test_a_second_sender_appends_to_a_recording(tmp_path: Path) -> None:
    first, second = pair(tmp_path, "zmq", frame_size=60)
    air = tmp_path / "air"
    for message in (b"one", b"two", b"three"):
        record(first, air, message)
    assert contents(play(second, air)) == [b"one", b"two", b"three"]
    captures = json.loads(air.with_name("air.sigmf-meta").read_text())["captures"]
    starts = [each["core:sample_start"] for each in captures]
    size = open_recording(air).count // 3
    assert starts == [0, size, 2 * size]
    with pytest.raises(RecordingError, match="cannot be continued"):
        begin_or_append(air, 2e6, frequency=868.3e6, description="")


@pytest.mark.slow
def test_frames_that_were_lost_are_counted_and_the_link_goes_on(
    tmp_path: Path,
) -> None:
    first, second = pair(tmp_path, "zmq", frame_size=60)
    for number, count in enumerate((1, 10, 1000)):
        record(first, tmp_path / f"lost {number}", *[b"not heard"] * count)
        record(first, tmp_path / f"heard {number}", b"heard")
        events = play(second, tmp_path / f"heard {number}")
        assert contents(events) == [b"heard"]
        assert [e.transmissions for e in events if isinstance(e, Lost)] == [count]


def test_another_key_hears_bursts_and_takes_nothing(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, "zmq", frame_size=60)
    (tmp_path / "others").mkdir()
    _, stranger = pair(tmp_path / "others", "zmq", frame_size=60)
    record(first, tmp_path / "air", b"not for you")
    events = play(stranger, tmp_path / "air")
    assert [type(event) for event in events] == [Refused]


@pytest.mark.slow
def test_both_ends_may_restart(tmp_path: Path) -> None:
    first, second = pair(tmp_path, "zmq", frame_size=60)
    for number in range(3):
        record(first, tmp_path / f"air {number}", b"%d" % number)
        events = play(second, tmp_path / f"air {number}")
        assert events == [event for event in events if isinstance(event, Received)]
        assert contents(events) == [b"%d" % number]


def test_a_copy_of_a_node_is_refused(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, "zmq")
    shutil.copytree(first, tmp_path / "copy")
    assert_misuse(samara("node", "send", "copy", "x", folder=tmp_path), "is a copy")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--radio", "uhd:addr=127.0.0.7"], "UHD finds no radio"),
        (["--radio", "soapy:driver=lime"], "SoapySDR finds no radio"),
        (["--radio", "lora"], "is not a radio"),
        (["--rate", "1"], "must be 10,000 to 20,000,000, not 1.0"),
        (["--frequency", "-1"], "must be at least 0, not -1.0"),
    ],
)
def test_a_radio_that_is_not_there_is_one_sentence(
    tmp_path: Path, options: list[str], sentence: str
) -> None:
    first, _ = pair(tmp_path, "zmq")
    done = samara("node", "send", first, "x", *options, folder=tmp_path)
    assert_misuse(done, sentence)


@pytest.mark.slow
def test_without_a_channel_sending_says_so(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, f"zmq:ipc://{tmp_path}/air")
    done = samara("node", "send", first, "x", folder=tmp_path)
    assert_misuse(done, "is samara channel running")


def test_an_eavesdropper_hears_bursts_and_reads_nothing(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, "zmq")
    secret = b"meet me at the old mill at nine" * 7
    record(first, tmp_path / "air", secret)
    done = samara(
        *("phy", "eavesdrop", "--radio", f"file:{tmp_path}/air", "--json"),
        *("--rate", RATE, "--count", "1", "--timeout", "20"),
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    guess = bytes.fromhex(json.loads(done.stdout)["hex"])[2:][: len(secret)]
    wrong = sum((a ^ b).bit_count() for a, b in zip(guess, secret, strict=True))
    assert 0.42 < wrong / (8 * len(secret)) < 0.58


def killed_while_sending(node: Path, recording: Path, after_s: float) -> None:
    """Let a node send what it can, and kill it."""
    command: list[str | Path] = [PROGRAM, "node", "send", node, "-", "--lines"]
    with subprocess.Popen(
        [*command, "--radio", f"file:{recording}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"a line\n" * 3000)
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(after_s)
        process.kill()


def counters_in(recording: Path, node: Path) -> list[int]:
    """Return the counters of the frames of a recording, found with the key."""
    end = folders.read(node).end
    size = end.settings["frame_size"]
    codec = Codec(end.keys["key"], direction=0, link_id=end.settings["link_id"])
    blocks = gnuradio_samara()
    bits = codec.coded_bits(size)
    receiver = blocks.burst_receiver(blocks.burst_modulation.QPSK, bits)
    bursts = receiver.feed(open_recording(recording).samples()) + receiver.finish()
    found = []
    for burst in bursts:
        soft = sign_changed(np.asarray(burst.soft, np.float32))
        guess = ple_sync.scan(
            end.keys["key"],
            ple_sync.quantise(soft),
            range(20_000),
            link_id=end.settings["link_id"],
        )
        assert guess is not None
        assert codec.decode(soft, guess.counter) is not None
        found.append(guess.counter)
    return found


@pytest.mark.slow
def test_a_killed_node_uses_no_counter_twice(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, "zmq", frame_size=48)
    chance = random.Random(7)  # noqa: S311 - not for keys
    used: list[int] = []
    for number in range(4):
        recording = tmp_path / f"air {number}"
        killed_while_sending(first, recording, chance.uniform(0, 0.15))
        counters = counters_in(recording, first)
        assert counters, "it was killed before it sent anything"
        used += counters
    assert len(set(used)) == len(used)


def add_noise(recording: Path, ebn0_db: float) -> None:
    """Let a recording of bursts be heard through noise."""
    _, data = paths(recording)
    samples = open_recording(recording).samples()
    power = noise_power(ebn0_db, bits_per_sample=0.25, signal_power=0.25**2)
    (samples + Noise(power, 1).draw(len(samples))).astype("<c8").tofile(data)


@pytest.mark.slow
def test_frames_that_are_skipped_below_stronger_ones_are_reported_once(
    tmp_path: Path,
) -> None:
    """Two senders that never pause: more work than is done in real time."""
    air, message = tmp_path / "air", bytes(range(256)) * 16
    for number in range(2):
        (tmp_path / str(number)).mkdir()
    weak, _ = pair(tmp_path / "0", "zmq", frame_size=48)
    strong, listener = pair(tmp_path / "1", "zmq", frame_size=48)
    record(weak, tmp_path / "weak", message)
    record(strong, air, message)
    below = open_recording(tmp_path / "weak").samples()
    samples = 5 * open_recording(air).samples()
    samples[1000:] += below[:-1000]
    samples.astype("<c8").tofile(paths(air)[1])
    add_noise(air, 12)
    events = play(listener, air)
    assert contents(events) == [message]
    sentences = [event.text for event in events if isinstance(event, Notice)]
    assert sum("bursts over bursts" in text for text in sentences) == 1


@pytest.mark.slow
def test_a_killed_sender_costs_no_message_and_no_loss_is_reported(
    tmp_path: Path,
) -> None:
    first, second = pair(tmp_path, "zmq", frame_size=48)
    record(first, tmp_path / "before", b"one", b"two", b"three")
    assert len(contents(play(second, tmp_path / "before"))) == 3
    killed_while_sending(first, tmp_path / "killed", 0.02)
    record(first, tmp_path / "after", b"four", b"five")
    add_noise(tmp_path / "after", 12)
    # What the killed one sent is not heard: counters jump by its reservation.
    events = play(second, tmp_path / "after")
    assert contents(events) == [b"four", b"five"]
    assert [type(event) for event in events] == [Received, Received]


class Flood:
    """A station that hears what a test put into its inbox."""

    is_silent = False
    delivers = True
    taken = None
    overflows = 0
    skipped = 0

    def __init__(self) -> None:
        self.inbox = Inbox()

    @property
    def dropped(self) -> int:
        return self.inbox.dropped

    def receive(self, timeout_s: float, most: int) -> list[ReceivedBurst]:
        return self.inbox.take(timeout_s, most)

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_a_flood_of_foreign_frames_does_not_hold_up_a_genuine_one(
    tmp_path: Path,
) -> None:
    """Bounds the work: frames that are searched, and counters that are tried."""
    first, second = pair(tmp_path, "zmq", frame_size=48)
    random = np.random.default_rng(1)
    end = folders.read(first).end
    link = {"direction": 0, "link_id": end.settings["link_id"]}
    ours = Codec(end.keys["key"], **link)
    stranger = Codec(random.bytes(16), **link)

    def heard(codec: Codec, text: bytes, counter: int) -> ReceivedBurst:
        content = len(text).to_bytes(2, "big") + text
        bits = codec.encode(content.ljust(48, b"\0"), counter)
        return ReceivedBurst((8 - 16 * bits.astype(np.float32)), 12.0, 0.0)

    flood = Flood()
    with Node(second, {"radio": f"zmq:ipc://{tmp_path}/none"}) as node:
        node.link._station = flood  # type: ignore[attr-defined] # noqa: SLF001
        for round_ in range(2):
            flood.inbox.put(heard(ours, b"before", 2 * round_))
            assert contents(node.receive(1)) == [b"before"]
            for counter in range(1500):
                flood.inbox.put(heard(stranger, b"foreign", counter))
            flood.inbox.put(heard(ours, b"genuine", 2 * round_ + 1))
            events: list[Event] = []
            while b"genuine" not in contents(events):
                events += node.receive(0)
            refused = sum(isinstance(event, Refused) for event in events)
            # One of them tells what was dropped.
            assert refused == WAITING_BURSTS
            dropped = 1501 - WAITING_BURSTS
            assert (
                Refused(f"{dropped} bursts came faster than they could be searched")
                in events
            )


def test_a_planned_receipt_is_that_of_a_sent_message(tmp_path: Path) -> None:
    first, _ = pair(tmp_path, f"file:{tmp_path}/air")
    with Node(first) as sender:
        sent = sender.send(bytes(1000)).receipt
    done = samara(
        *("receipt", "explain", "--link", "sdr", "--bytes", "1000", "--json"),
        folder=tmp_path,
    )
    planned = Receipt.from_json(json.loads(done.stdout))
    assert planned.parts == sent.as_json()["parts"]
    assert planned.packets == sent.packets == 5
