# SPDX-License-Identifier: Apache-2.0
"""Links over SoapySDR, by a radio of software that has the habits of known devices.

`tests/soapy` has the radio: a module that SoapySDR loads. Each device is opened by a
process of its own, as on two computers.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from programs import JOBS, ROOT, VENV, run

from samara.link.sdr import kind as sdr
from samara.phy import frames
from samara.phy.station import waveform_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUILD = ROOT / "build" / "soapy"
PATIENCE_S = 60
LONG = "x" * 600


@pytest.fixture(scope="module", autouse=True)
def _module() -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        # Several processes may run these tests at once.
        fcntl.flock(lock, fcntl.LOCK_EX)
        run("cmake", "-S", ROOT / "tests" / "soapy", "-B", BUILD, "-G", "Ninja")
        run("cmake", "--build", BUILD, "--parallel", JOBS)


@dataclass
class Air:
    """Two nodes, each with a device on one air."""

    folder: Path

    def radio(self, name: str, profile: str, **extra: str) -> str:
        given = {
            "driver": "software",
            "profile": profile,
            "air": str(self.folder / "air"),
            "serial": name,
            "noise": "0.01",
            **extra,
        }
        return "soapy:" + ",".join(f"{key}={value}" for key, value in given.items())

    def fault(self, name: str, fault: str) -> Path:
        """Return the file that gives a device a fault."""
        return self.folder / "air" / f"{name}.{fault}"

    def samara(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            (VENV / "samara", *words),
            cwd=self.folder,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )

    def pair(self, near: str, far: str, *options: str) -> None:
        """Make the two nodes."""
        made = ("node", "init", "near", "--link", "sdr", "--radio", near, *options)
        assert self.samara(*made).returncode == 0
        second = ("node", "init", "far", "--pair-with", "near", "--radio", far)
        assert self.samara(*second).returncode == 0

    @contextlib.contextmanager
    def listening(self, count: int) -> Iterator[Listener]:
        """Let the far node listen until so many messages have come."""
        words = ("node", "listen", "far", "--count", str(count))
        out = self.folder / "heard"
        with out.open("w") as file:
            process = subprocess.Popen(
                (VENV / "samara", *words),
                cwd=self.folder,
                env=environment(),
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        listener = Listener(process, out)
        try:
            listener.wait_for("took these settings")
            yield listener
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


@dataclass
class Listener:
    """A process, and the file with what it prints."""

    process: subprocess.Popen[bytes]
    out: Path

    def wait_for(self, text: str) -> None:
        """Wait until something was printed."""
        end_s = time.monotonic() + PATIENCE_S
        while text not in self.out.read_text() and self.process.poll() is None:
            assert time.monotonic() < end_s, self.out.read_text()
            time.sleep(0.05)
        assert text in self.out.read_text()

    def ended(self) -> str:
        """Wait for the end, which has to be a good one; return what was printed."""
        assert self.process.wait(PATIENCE_S) == 0, self.out.read_text()
        return self.out.read_text()


def environment() -> dict[str, str]:
    return {**os.environ, "SOAPY_SDR_PLUGIN_PATH": str(BUILD)}


@pytest.fixture
def air(tmp_path: Path) -> Air:
    (tmp_path / "air").mkdir()
    return Air(tmp_path)


def refused(done: subprocess.CompletedProcess[str], *texts: str) -> None:
    """Check that a command ended with one sentence."""
    assert done.returncode == 2, done
    assert done.stdout == ""
    (line,) = [
        each
        for each in done.stderr.splitlines()
        if not each.startswith("samara: warning:")
    ]
    assert all(text in line for text in texts), line


@pytest.mark.parametrize(
    ("sends", "listens", "said"),
    [
        ("hackrf", "rtlsdr", "sent: "),
        ("hackrf", "hackrf", "sent: "),
        ("lime", "plutosdr", "sent: "),
        ("b200", "lime", "sent: "),
        ("plutosdr", "b200", "handed to the device: "),
    ],
)
def test_messages_cross(air: Air, sends: str, listens: str, said: str) -> None:
    air.pair(air.radio("a", sends), air.radio("b", listens))
    with air.listening(2) as listener:
        for message in ("21.5 C", LONG):
            done = air.samara("node", "send", "near", message)
            assert done.returncode == 0, done
            assert done.stdout.startswith(said)
        heard = listener.ended()
    assert heard.splitlines()[-2:] == ["21.5 C", LONG]
    assert "overflow" not in heard
    # It was told where the burst ends: otherwise it would go on to transmit.
    assert not air.fault("a", "left_on").exists()


@pytest.mark.parametrize("device", ["hackrf", "b200"])
def test_one_device_sends_and_hears_the_acknowledgement(air: Air, device: str) -> None:
    air.pair(air.radio("a", device), air.radio("b", device))
    with air.listening(1) as listener:
        # 0 means that the acknowledgement came.
        done = air.samara("node", "send", "near", "21.5 C", "--ack")
        assert done.returncode == 0, done
        assert "21.5 C" in listener.ended()


def test_nothing_is_called_sent_that_a_device_only_took(air: Air) -> None:
    air.pair(air.radio("a", "plutosdr"), "zmq")
    done = air.samara("node", "send", "near", "21.5 C")
    assert done.stdout.startswith("handed to the device: 6 bytes in 1 packet, ")
    assert "sent" not in done.stdout
    size = samples_of_a_burst()
    assert (
        f"samara: {size:,} samples handed to the device; samara does not know whether "
        "they left it.\n"
    ) in done.stderr
    (line,) = air.samara("node", "send", "near", "x", "--json").stdout.splitlines()
    assert json.loads(line)["device_samples"] == size


def samples_of_a_burst() -> int:
    """Return how many samples a burst of a new node has."""
    settings = {each.name: each.default for each in sdr.KIND.options}
    bits = frames.Codec(bytes(16), direction=0, link_id=0).coded_bits(
        settings["frame_size"]
    )
    return waveform_of(settings["modulation"], bits, settings["rate"]).samples


def test_what_a_device_took_is_reported(air: Air) -> None:
    air.pair(air.radio("a", "lime"), air.radio("b", "rtlsdr"))
    with air.listening(1) as listener:
        printed = listener.out.read_text()
    assert "sample rate 1,000,000 Hz, frequency 868,300,000 Hz, " in printed
    # 30 dB is no step of it.
    assert "gain 30.4 dB" in printed


@pytest.mark.parametrize("command", [("listen",), ("send",)])
@pytest.mark.parametrize(
    ("profile", "options", "texts"),
    [
        ("lime,rate_error=0.01", (), ("1,010,000 Hz, not the 1,000,000 Hz",)),
        ("lime,rate_error=-0.00002", (), ("999,980 Hz, not the 1,000,000 Hz",)),
        ("b200", ("--rate", "1010000"), ("1,000,000 Hz, not the 1,010,000 Hz",)),
        ("hackrf", ("--rate", "250e3"), ("1,000,000 to 20,000,000 Hz", "--rate")),
    ],
)
def test_another_rate_is_refused(
    air: Air,
    command: tuple[str],
    profile: str,
    options: tuple[str, ...],
    texts: tuple[str, ...],
) -> None:
    air.pair(air.radio("a", profile), "zmq", *options)
    words = ("x",) if command == ("send",) else ("--timeout", "1")
    refused(air.samara("node", *command, "near", *words), *texts)


def test_a_receiver_does_not_send(air: Air) -> None:
    air.pair(air.radio("a", "rtlsdr"), "zmq")
    refused(air.samara("node", "send", "near", "x"), "the device receives only")


def test_two_programs_cannot_have_one_device(air: Air) -> None:
    same = air.radio("a", "hackrf")
    air.pair(same, same)
    with air.listening(1):
        done = air.samara("node", "send", "near", "x")
    refused(done, "unable to open the device", "end the program that uses it")


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("unplugged", "no device found"),
        ("stuck", "the device takes no samples"),
        ("underrun", "ran out of samples within a burst"),
    ],
)
def test_what_was_not_sent_is_not_called_sent(air: Air, fault: str, text: str) -> None:
    air.pair(air.radio("a", "b200"), "zmq")
    air.fault("a", fault).touch()
    refused(air.samara("node", "send", "near", "x"), text)


def test_samples_that_a_device_lost_are_reported(air: Air) -> None:
    air.pair(air.radio("a", "lime"), air.radio("b", "rtlsdr"))
    with air.listening(1) as listener:
        air.fault("b", "overflow").touch()
        listener.wait_for("lost samples")
        assert air.samara("node", "send", "near", "21.5 C").returncode == 0
        assert "21.5 C" in listener.ended()


def test_a_device_that_is_unplugged_may_come_back(air: Air) -> None:
    air.pair(air.radio("a", "lime"), air.radio("b", "rtlsdr"))
    with air.listening(1) as listener:
        air.fault("b", "unplugged").touch()
        listener.wait_for("is away (the device does not answer")
        air.fault("b", "unplugged").unlink()
        # "until it is back" was said before.
        listener.wait_for("is back; what was sent")
        assert air.samara("node", "send", "near", "21.5 C").returncode == 0
        assert "21.5 C" in listener.ended()


def started(air: Air, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        (VENV / "samara", *words),
        cwd=air.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def is_open(air: Air, process: subprocess.Popen[str], name: str) -> None:
    """Wait until a command has the device."""
    end_s = time.monotonic() + PATIENCE_S
    while not list((air.folder / "air").glob(f"{name}*")):
        assert time.monotonic() < end_s
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(1)


def test_a_sniffer_whose_device_is_unplugged_says_so(air: Air) -> None:
    words = ("sniff", "--radio", air.radio("b", "b200"), "--channel", "26")
    process = started(air, *words, "-o", "heard.pcapng", "--json")
    is_open(air, process, "b")
    air.fault("b", "unplugged").touch()
    out, error = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 2, (out, error)
    assert "does not answer" in error
    assert "was it unplugged?" in error
    assert "check --protocol" not in error
    # What was received until then is there.
    assert json.loads(out)["intact"] == 0
    assert (air.folder / "heard.pcapng").stat().st_size > 0


def test_a_sniffer_tells_that_its_device_lost_samples(air: Air) -> None:
    words = ("sniff", "--radio", air.radio("b", "b200"), "--channel", "26")
    process = started(air, *words, "--timeout", "6")
    is_open(air, process, "b")
    air.fault("b", "overflow").touch()
    _, error = process.communicate(timeout=PATIENCE_S)
    assert "the radio lost samples" in error


def test_crystals_100_ppm_apart_are_measured_and_corrected(air: Air) -> None:
    near, far = air.radio("a", "lime", ppm="60"), air.radio("b", "rtlsdr", ppm="-40")
    air.pair(near, far)
    with air.listening(1) as listener:
        assert air.samara("node", "send", "near", "21.5 C").returncode == 0
        assert "21.5 C" in listener.ended()
    assert calibrated(air, far)["ppm"] == pytest.approx(-100, abs=0.5)
    corrected = calibrated(air, far, "--ppm", "-100")
    assert corrected["ppm"] == pytest.approx(-100, abs=0.5)
    assert corrected["offset_hz"] == pytest.approx(0, abs=500)


def calibrated(air: Air, radio: str, *options: str) -> dict[str, float]:
    """Return what `samara phy calibrate` measures when the near node sends."""
    words = ("phy", "calibrate", "--radio", radio, "--count", "1", "--json", *options)
    with subprocess.Popen(
        (VENV / "samara", *words),
        cwd=air.folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stderr is not None
        assert b"bursts are waited for" in process.stderr.readline()
        assert air.samara("node", "send", "near", "x").returncode == 0
        out, _ = process.communicate(timeout=PATIENCE_S)
    found: dict[str, float] = json.loads(out)
    return found


def test_the_rate_that_finds_100_ppm_is_reported(air: Air) -> None:
    high = ("--frequency", "2.4e9")
    air.pair(air.radio("a", "lime"), air.radio("b", "lime"), *high)
    with air.listening(1) as listener:
        listener.wait_for("at most 38 ppm apart; a --rate from 2,666,667 Hz finds 100")
