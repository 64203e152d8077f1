# SPDX-License-Identifier: Apache-2.0
"""Codes and bursts beside those of others: what is counted, and what is told."""

from __future__ import annotations

import ctypes.util
import math
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from phy_peers import comparing, liquid, own
from phy_peers.codec2 import FskLdpc
from phy_peers.liquid import FlexFrame, Packetizer
from phy_peers.measuring import Point, as_table, from_table, needed_db, of_system
from phy_peers.system import Kind, bandwidth_times_time, energy
from samara.phy.bursts import form_of

if TYPE_CHECKING:
    from phy_peers.system import System

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / comparing.NAME
TAIL_BITING = "samara, QPSK, tail-biting"


def has(library: str) -> pytest.MarkDecorator:
    """Return a mark for tests of a library that need not be there."""
    missing = ctypes.util.find_library(library) is None
    return pytest.mark.skipif(missing, reason=f"lib{library} is not installed")


def options(folder: Path, *systems: str, draw: bool = False) -> Namespace:
    """Return what a user asks for: few frames of 20 bytes."""
    return Namespace(frames=50, size=[20], system=systems, seed=1, draw=draw, to=folder)


def points_of(*shares: tuple[float, int]) -> list[Point]:
    """Return points at energies with so many lost of 1000."""
    return [Point(Kind.CODE, "a", 20, db, 1000, lost, 0.0) for db, lost in shares]


def own_system(name: str) -> own.Own:
    """Return one of samara's systems."""
    return next(each for each in own.SYSTEMS if each.name == name)


@pytest.mark.slow
def test_measures_writes_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ctypes.util, "find_library", lambda _: None)
    asked = options(tmp_path, "tail-biting, K", "liquid", "codec2")
    assert comparing.compare(asked) == 0
    output = capsys.readouterr().out.splitlines()
    assert output[0].startswith("tail-biting, K = 7, 20 bytes: ")
    of_liquid = "libliquid is not installed (Debian: libliquid-dev)"
    of_codec2 = "libcodec2 is not installed (Debian: libcodec2-1.0)"
    assert output[1:4] == [
        f"{Packetizer.name}: NOT TRIED: {of_liquid}",
        f"{FlexFrame.name}: NOT TRIED: {of_liquid}",
        f"{FskLdpc.name}: NOT TRIED: {of_codec2}",
    ]
    points = from_table((tmp_path / "short-codes.csv").read_text())
    assert {point.system for point in points} == {"tail-biting, K = 7"}
    assert points[0].share > 0.3
    assert points[-1].share < 0.02
    assert 3 < points[-1].ebn0_db < 6
    picture = tmp_path / "short-codes.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    picture.unlink()
    assert comparing.compare(options(tmp_path, draw=True)) == 0
    assert picture.exists()


def test_what_was_not_measured_again_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = [Point(Kind.CODE, "polar", 20, 1.0, 10, 5, 0.0)]
    (tmp_path / "short-codes.csv").write_text(as_table(old))
    new = Point(Kind.CODE, "tail-biting, K = 7", 20, 2.0, 10, 1, 0.0)
    monkeypatch.setattr(comparing, "curve", lambda *_: [new])
    assert comparing.compare(options(tmp_path, "tail-biting, K")) == 0
    assert from_table((tmp_path / "short-codes.csv").read_text()) == [new, *old]


def test_wrong_use_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert comparing.compare(options(tmp_path, "turbo")) == 2
    assert "no system of that name; there are: convolutional" in capsys.readouterr().out
    assert comparing.compare(options(tmp_path, draw=True)) == 1
    assert "has no points: measure first" in capsys.readouterr().out


def test_energy_at_which_a_share_is_lost() -> None:
    assert needed_db(points_of((1.0, 100), (2.0, 1))) == pytest.approx(1.5)
    assert needed_db(points_of((1.0, 100), (2.0, 10), (3.0, 1))) == pytest.approx(2)
    assert math.isnan(needed_db(points_of((1.0, 100), (2.0, 20))))
    assert math.isnan(needed_db([]))


def test_all_energy_of_a_burst_counts() -> None:
    """The receiver is asked for the energy of coded bits alone."""
    system = own_system(TAIL_BITING)
    system.prepare(20)
    coded = 16 * 24
    overhead = form_of("qpsk").overhead_bits(coded)
    assert overhead > 256, "preamble of 128 symbols, pilots"
    expected = 10 * math.log10((coded + overhead) / coded * 24 / 20)
    assert system.overhead_db == pytest.approx(expected, abs=0.05)
    code = own_system("tail-biting, K = 7")
    code.prepare(20)
    assert code.overhead_db == pytest.approx(10 * math.log10(24 / 20))


def test_bandwidth_by_time() -> None:
    """A tone takes one place in the spectrum, noise 99 % of it."""
    tone = np.exp(2j * np.pi * 0.1 * np.arange(32_000))
    assert bandwidth_times_time(tone, 100) <= 4 / 1000 * 32_000 / 800
    noise = np.random.default_rng(1).standard_normal(32_000) + 0j
    assert bandwidth_times_time(noise, 100) == pytest.approx(0.98 * 40, rel=0.02)


@has("liquid")
@pytest.mark.slow
def test_noise_of_the_packetizer_is_that_of_theory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without code, each of 192 bits is wrong with Q(sqrt(2 Es/N0))."""
    monkeypatch.setattr(liquid, "_CODE", b"none")
    system = Packetizer()
    system.prepare(20)
    ebn0_db = 7.5
    ratio = 10 ** (ebn0_db / 10) * 20 / 24
    wrong = math.erfc(math.sqrt(ratio)) / 2
    expected = 1 - (1 - wrong) ** 192
    lost = system.lost(ebn0_db, 2000, np.random.default_rng(1)) / 2000
    assert 0.05 < expected < 0.5
    assert lost == pytest.approx(expected, abs=4 * math.sqrt(expected / 2000))


def loses_all_and_none(system: System, low_db: float, high_db: float) -> bool:
    """Return whether nothing arrives with little energy, and all with much."""
    random = np.random.default_rng(1)
    return (
        system.lost(low_db, 10, random) == 10 and system.lost(high_db, 10, random) == 0
    )


@has("liquid")
@pytest.mark.slow
def test_bursts_of_liquid_arrive_where_there_is_energy() -> None:
    system = FlexFrame()
    system.prepare(20)
    assert loses_all_and_none(system, 3, 18)
    assert energy(system.waveform()) > 0


@has("codec2")
@pytest.mark.slow
@pytest.mark.parametrize("size", [20, 60])
def test_bursts_of_codec2_arrive_where_there_is_energy(size: int) -> None:
    """60 bytes take two frames."""
    system = FskLdpc()
    system.prepare(size)
    assert loses_all_and_none(system, 3, 18)


def test_the_table_of_the_docs_is_complete() -> None:
    points = from_table(TABLE.read_text())
    for kind in Kind:
        names = [each.name for each in comparing.SYSTEMS if each.kind is kind]
        for size in (20, 60, 250):
            curves = of_system(points, kind, size)
            assert list(curves) == names
            for name, curve in curves.items():
                assert not math.isnan(needed_db(curve)), (name, size)


def test_samara_is_ahead_of_both() -> None:
    """At equal energy by bits of the payload, in about the bandwidth of flexframe."""
    points = from_table(TABLE.read_text())
    for size in (20, 60, 250):
        bursts = of_system(points, Kind.BURST, size)
        own_db = needed_db(bursts[TAIL_BITING])
        own_width = bursts[TAIL_BITING][0].bandwidth_times_time
        for name in (FlexFrame.name, FskLdpc.name):
            assert own_db < needed_db(bursts[name]) - 1, (name, size)
            assert own_width < 1.12 * bursts[name][0].bandwidth_times_time, name
