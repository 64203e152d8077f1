# SPDX-License-Identifier: Apache-2.0
"""A bench that is asked to end ends, and one without a compiler goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, environment, objects, samara

from samara.bench.devices import device
from samara.bench.simulators import cortex_timing

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE_S = 60


def until(found: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not found():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def descendants(pid: int) -> set[int]:
    """Return the processes that a process started, and theirs."""
    children: dict[int, set[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), set()).add(int(stat.parent.name))
    found, new = set(), {pid}
    while new:
        new = {child for one in new for child in children.get(one, ())}
        found |= new
    return found


def name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def is_there(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.slow
@pytest.mark.parametrize("request_", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_it_ends_with_all_that_it_started(
    request_: signal.Signals, jobs: str, tmp_path: Path
) -> None:
    words = "bench run --device msp430f1611 --suite grain128aead --message 1224"
    place = str(tmp_path / "r.jsonl")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    running = subprocess.Popen(
        [PROGRAM, *words.split(), "--jobs", jobs, "--store", place],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment() | {"TMPDIR": str(temporary)},
        cwd=tmp_path,
    )
    until(lambda: "mspdebug" in map(name, descendants(running.pid)), "it is idle")
    started = descendants(running.pid)
    assert len(started) >= 2
    for simulator in started:
        if name(simulator) == "mspdebug":
            # So that it cannot come to its end by itself.
            os.kill(simulator, signal.SIGSTOP)
    os.kill(running.pid, request_)
    asked = time.monotonic()
    _, said = running.communicate(timeout=_PATIENCE_S)
    # A run of this cipher takes half a minute and more, and longer on a busy machine.
    assert time.monotonic() - asked < 25
    until(lambda: not any(map(is_there, started)), "something goes on")
    assert running.returncode != 0
    assert b"Traceback" not in said
    # Those of a compiler that was killed are its own.
    assert not list(temporary.glob("samara-*"))


@pytest.mark.slow
def test_a_missing_compiler_stops_only_its_own_devices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both devices are tried; the AVR has its figures, and the other a reason."""
    places = []
    for number, folder in enumerate(os.environ["PATH"].split(os.pathsep)):
        # One for each: links to ccache look for the compilers in those that follow.
        programs = tmp_path / f"bin-{number}"
        programs.mkdir()
        for path in Path(folder).glob("*"):
            if not path.name.startswith("arm-none-eabi-"):
                (programs / path.name).symlink_to(path)
        places.append(str(programs))
    monkeypatch.setenv("PATH", os.pathsep.join(places))
    words = "bench run --suite speck64-96 --device cortex-m3 --device atmega328p"
    words += " --opt O2 --implementation portable"
    place = str(tmp_path / "r.jsonl")
    done = samara(*words.split(), "--json", "--store", place, folder=tmp_path)
    assert done.returncode == 1
    assert [one["device"] for one in objects(done.stdout)] == ["atmega328p"]
    said = done.stderr.decode().strip()
    assert said.startswith("samara: cortex-m3 is left out: arm-none-eabi-gcc is not")
    assert len(said.splitlines()) == 1


def test_a_core_without_timings_is_reported() -> None:
    known = cortex_timing.CORES["cortex-m4"]
    assert cortex_timing.core(device("cortex-m4").mcu) is known
    with pytest.raises(
        cortex_timing.UnknownCoreError, match="cortex-m0plus, cortex-m3"
    ):
        cortex_timing.core("cortex-m7")


@pytest.mark.slow
def test_a_device_with_an_unknown_core_stops_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(device("cortex-m4").family.folder).parents[2]
    for name in ("core", "firmware", "published"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "devices").mkdir()
    for path in (root / "devices").iterdir():
        (tmp_path / "devices" / path.name).symlink_to(path)
    new = tmp_path / "devices" / "new"
    new.mkdir()
    text = (root / "devices" / "cortex-m4" / "device.toml").read_text()
    (new / "device.toml").write_text(
        text.replace('mcu = "cortex-m4"', 'mcu = "cortex-m7"')
    )
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    words = "bench run --suite speck64-96 --device new --device cortex-m4 --opt O2"
    one = ("--implementation", "portable", "--json")
    done = samara(*words.split(), *one, folder=tmp_path)
    assert done.returncode == 1
    assert [one["device"] for one in objects(done.stdout)] == ["cortex-m4"]
    assert b"new is left out: the cycles of 'cortex-m7' are not known" in done.stderr
