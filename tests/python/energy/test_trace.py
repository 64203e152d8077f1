# SPDX-License-Identifier: Apache-2.0
"""Sleep, events and charges of traces whose truth is known."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import shell
from numpy.typing import NDArray

from samara.energy.own_parts import own_parts
from samara.energy.trace import finding
from samara.energy.trace.blocks import Block, TraceError
from samara.energy.trace.finding import Finder, Rules
from samara.energy.trace.kinds import interval_of, kinds_of
from samara.energy.trace.lengths import (
    KnownTransmissions,
    Sent,
    fit,
    matched,
    read_lengths,
)
from samara.energy.trace.levels import Levels, levels_at, levels_of
from samara.energy.trace.synthetic import Synthetic, write_csv, write_lengths
from samara.energy.trace.timing import Stretch, Timing
from samara.energy.trace.tracing import (
    Trace,
    TraceKind,
    TraceLengths,
    TraceRequest,
    trace,
)
from samara.energy.trace.windows import Windows
from samara.records import Remark, records_of

if TYPE_CHECKING:
    from pathlib import Path

Array = NDArray[np.float64]
SHORT = Synthetic(24, message_s=1.7, drift_a=0.3e-6, lost=0.002, seed=3)


def write_session(path: Path, made: Synthetic) -> None:
    """Write a trace as a session of a Power Profiler Kit II."""
    with zipfile.ZipFile(path, "w") as archive:
        about = {"metadata": {"samplesPerSecond": round(1 / made.step_s)}}
        archive.writestr("metadata.json", json.dumps(about))
        with archive.open("session.raw", "w", force_zip64=True) as raw:
            for block in made.blocks():
                samples = np.zeros(block.size, dtype=[("a", "<f4"), ("d", "<u2")])
                samples["a"] = block * 1e6
                raw.write(samples.tobytes())


def answered(request: TraceRequest) -> tuple[Trace, dict[str, TraceKind], list[str]]:
    answer = list(trace(request))
    found = records_of(answer)
    kinds = {each.name: each for each in found if isinstance(each, TraceKind)}
    said = [each.text for each in answer if isinstance(each, Remark)]
    assert isinstance(found[0], Trace)
    return found[0], kinds, said


@pytest.fixture(scope="module")
def found(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Trace, dict[str, TraceKind], list[str], TraceLengths]:
    """Return the answer for a trace with noise, drift and missing samples."""
    folder = tmp_path_factory.mktemp("trace")
    write_session(folder / "t.ppk2", SHORT)
    write_lengths(folder / "l.csv", SHORT)
    request = TraceRequest(
        file=folder / "t.ppk2", lengths=folder / "l.csv", bit_rate=250e3
    )
    answer = list(trace(request))
    records = records_of(answer)
    kinds = {each.name: each for each in records if isinstance(each, TraceKind)}
    said = [each.text for each in answer if isinstance(each, Remark)]
    (fitted,) = (each for each in records if isinstance(each, TraceLengths))
    assert isinstance(records[0], Trace)
    return records[0], kinds, said, fitted


Answer = tuple[Trace, dict[str, TraceKind], list[str], TraceLengths]


@pytest.mark.slow
def test_sleep_is_the_mean_with_recharge(found: Answer) -> None:
    summary, kinds, _, _ = found
    truth = SHORT.sleep_a + SHORT.drift_a / 2
    assert kinds["sleep"].current.value == pytest.approx(truth, rel=0.005)
    assert kinds["sleep"].current.unit == "A"
    assert summary.drift.value == pytest.approx(SHORT.drift_a / truth, rel=0.25)
    assert summary.rate.value == pytest.approx(100_000)
    assert summary.duration.value == pytest.approx(24, rel=1e-3)


@pytest.mark.slow
def test_polls_are_found(found: Answer) -> None:
    summary, kinds, _, _ = found
    poll = kinds["poll"]
    assert poll.count is not None
    assert poll.charge is not None
    assert poll.interval is not None
    assert poll.duration is not None
    # One in some may be merged with a message, or miss samples.
    assert 19 <= poll.count <= 23
    assert poll.charge.value == pytest.approx(SHORT.poll_c(), rel=0.005)
    assert poll.charge.unit == "C"
    assert poll.interval.value == pytest.approx(1.0, rel=1e-4)
    assert poll.duration.value == pytest.approx(3.61e-3, rel=0.01)
    total = sum(each.share.value for each in kinds.values())
    assert total == pytest.approx(1, abs=0.03)
    assert summary.pulses > 500


@pytest.mark.slow
def test_a_byte_has_its_charge(found: Answer) -> None:
    fitted = found[3]
    assert fitted.per_byte.value == pytest.approx(SHORT.byte_c(), rel=0.006)
    assert fitted.waiting.value == pytest.approx(SHORT.receive_a, rel=0.01)


@pytest.mark.slow
def test_missing_samples_are_reported(found: Answer) -> None:
    summary, _, said, _ = found
    lost = sum(int(np.isnan(block).sum()) for block in SHORT.blocks())
    assert lost > 1000
    assert summary.missing.value == pytest.approx(lost * SHORT.step_s)
    assert any("samples are left out: without a current" in each for each in said)


@pytest.mark.thorough
def test_a_trace_of_180_million_samples(tmp_path: Path) -> None:
    long = replace(SHORT, duration_s=1800.0, message_s=3.0, lost=0.0003)
    path = tmp_path / "t.ppk2"
    write_session(path, long)
    tracemalloc.start()
    _, kinds, _ = answered(TraceRequest(file=path))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 200 << 20
    truth = long.sleep_a + long.drift_a / 2
    assert kinds["sleep"].current.value == pytest.approx(truth, rel=0.005)
    poll = kinds["poll"]
    assert poll.count is not None
    assert poll.charge is not None
    assert poll.count > 1750
    assert poll.charge.value == pytest.approx(long.poll_c(), rel=0.005)


def coarse(path: Path) -> Synthetic:
    made = Synthetic(30, step_s=1e-4, message_s=1.9, seed=5)
    write_csv(path / "t.csv", made)
    write_lengths(path / "l.csv", made)
    return made


def test_the_command_writes_parts_that_others_read(tmp_path: Path) -> None:
    made = coarse(tmp_path)
    parts = tmp_path / "p.toml"
    done = shell.samara(
        "energy", "trace", tmp_path / "t.csv", "--lengths", tmp_path / "l.csv",
        "--write-parts", parts, "--json", folder=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = {row["name"]: row for row in rows if row["type"] == "trace_kind"}
    assert kinds["sleep"]["current"]["value"] == pytest.approx(made.sleep_a, rel=0.005)
    assert kinds["poll"]["charge"]["value"] == pytest.approx(made.poll_c(), rel=0.005)
    assert {"transmit 20 bytes", "transmit 40 bytes"} <= kinds.keys()
    known = own_parts([parts])
    device = known.device("cortex-m4-measured")
    mac = known.mac("polling-nrf52840-measured")
    assert device is not None
    assert mac is not None
    assert device.sleep_a.value == pytest.approx(made.sleep_a, rel=0.005)
    assert device.sleep_a.tolerance >= 0.3
    assert device.on_chip_with == "nrf52840-measured"
    assert mac.settings["poll_interval_s"].value == pytest.approx(1.0, rel=1e-3)
    radio = known.radio("nrf52840-measured")
    assert radio.sleep_a == device.sleep_a
    # The states of the radio take 9.47 uC of a poll with a request of 22 bytes.
    assert radio.event_c.value == pytest.approx(made.poll_c() - 9.47e-6, rel=0.02)
    assert radio.software == "that of the trace t.csv"
    life = shell.samara(
        "energy", "life", "--parts", parts, "--radio", "nrf52840-measured",
        "--device", "cortex-m4-measured", "--mac", "polling-nrf52840-measured",
        "--draws", "50", "--json", folder=tmp_path,
    )  # fmt: skip
    assert life.returncode == 0, life.stderr


@pytest.mark.slow
def test_a_picture_is_drawn(tmp_path: Path) -> None:
    coarse(tmp_path)
    words = ("energy", "trace", tmp_path / "t.csv", "-o", "t.svg", "--html", "t.html")
    done = shell.samara(*words, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Sleep and events" in (tmp_path / "t.html").read_text()
    assert "Mean shape of an event" in (tmp_path / "t.svg").read_text()


def test_wrong_options_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Timestamp(ms),Current(uA)\n0,1\n1,1\n")
    for options, expected in (
        (["--threshold", "3 V"], "--threshold: '3 V' is not a quantity"),
        (["--threshold", "0"], "expected more than 0"),
        (["--write-parts", "p.txt"], "expected a name with .toml"),
        (["--write-parts", "none/p.toml"], "there is no directory none"),
        (["--format", "ppk3"], "ppk2"),
        (["--columns", "time"], "expected the column of times"),
    ):
        done = shell.samara("energy", "trace", path, *options, folder=tmp_path)
        assert done.returncode == 2, (options, done.stderr)
        assert expected in " ".join(done.stderr.decode().split())


def test_without_events_the_mean_is_sleep_and_that_is_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Timestamp(ms),Current(uA)\n0,1\n1,2\n2,3\n")
    summary, kinds, said = answered(TraceRequest(file=path))
    assert kinds.keys() == {"sleep"}
    assert kinds["sleep"].current.value == pytest.approx(2e-6)
    assert summary.samples == 3
    assert summary.duration.value == pytest.approx(3e-3)
    assert any("No event stands out" in each for each in said)


@pytest.mark.parametrize("rows", ["", "0,1\n", "0,1\n0,2\n", "0,nan\n1,nan\n"])
def test_a_trace_of_no_length_is_refused(rows: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"Timestamp(ms),Current(uA)\n{rows}")
    with pytest.raises(TraceError, match=r"two samples|no samples"):
        list(trace(TraceRequest(file=path)))


def blocks(times: list[float], current: list[float], size: int) -> list[Block]:
    both = np.array(times), np.array(current)
    return [
        Block(both[0][i : i + size], both[1][i : i + size], None)
        for i in range(0, len(times), size)
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_gaps_and_disorder_are_counted(size: int) -> None:
    times = [0.0, 1.0, 2.0, 1.5, 2.0, 6.0, 7.0, 8.0]
    current = [1.0, 1.0, 1.0, 9.0, 9.0, 1.0, np.nan, 1.0]
    timing = Timing()
    got = list(timing.stretches(blocks(times, current, size)))
    lasts = np.concatenate([each.lasts_s for each in got])
    known = ~np.isnan(np.concatenate([each.current_a for each in got]))
    assert timing.samples == 6
    assert (timing.gaps, timing.disordered, timing.invalid) == (1, 2, 1)
    assert timing.missing_s == pytest.approx(3 + 1)
    assert lasts.sum() == pytest.approx(9)
    assert lasts[known].sum() == pytest.approx(5)


def test_a_rate_that_is_not_possible_is_refused() -> None:
    for step in (1e-9, 1e4):
        with pytest.raises(TraceError, match="check the unit of the times"):
            list(Timing().stretches(blocks([0, step, 2 * step], [1, 1, 1], 9)))


def test_times_that_are_not_possible_are_left_out() -> None:
    timing = Timing()
    times = [-1e308, 0.0, 1.0, 1e308, 2.0, 3.0, 4.0]
    got = list(timing.stretches(blocks(times, [1.0] * 7, 9)))
    assert timing.disordered == 2
    assert (timing.begins_s, timing.ends_s) == (0.0, 5.0)
    assert sum(each.lasts_s.sum() for each in got) == pytest.approx(5)


def test_times_of_too_few_digits_are_refused() -> None:
    epoch = 1.7e9
    times = [epoch, epoch + 5e-7, epoch + 1e-6, epoch + 1.5e-6]
    with pytest.raises(TraceError, match="too few digits"):
        list(Timing().stretches(blocks(times, [1.0] * 4, 9)))


@pytest.mark.parametrize("end", [9e10, 1.0 + 2.3e-16])
def test_every_sample_stands_for_some_time(end: float) -> None:
    times = [0.0, 1e-6, 2e-6, 3e-6, end]
    got = list(Timing().stretches(blocks(times, [1.0] * 5, 9)))
    assert all((each.lasts_s > 0).all() for each in got)
    assert levels_of(got) is None


def stretch(current: Array, step_s: float = 1e-4, first: int = 0) -> Stretch:
    times = (first + np.arange(current.size)) * step_s
    return Stretch(times, np.full(current.size, step_s), current, None)


RULES = Rules(Levels(1e-3, 0.25e-3), 300e-6, 2e-3, 200e-6)


def three_events() -> Array:
    current = np.full(3000, 2e-6)
    current[500:520] = 5e-3
    current[524:540] = 6e-3  # a dip of 0.4 ms: the same event
    current[900:902] = 5e-3  # 0.2 ms: a pulse, which is sleep
    current[1500:1530] = 0.5e-3  # above the lower threshold alone: sleep
    current[2000:2003] = 4e-3
    return current


@pytest.mark.parametrize("size", [1, 7, 64, 519, 530, 3000])
def test_events_do_not_depend_on_blocks(size: int) -> None:
    current, finder = three_events(), Finder(RULES)
    for first in range(0, current.size, size):
        finder.add(stretch(current[first : first + size], first=first))
    events = finder.finish()
    assert events.starts_s == pytest.approx([0.05, 0.2])
    assert events.lasts_s == pytest.approx([4e-3, 0.3e-3])
    around = 4 * 1e-4 * 2e-6
    dip = 4 * 1e-4 * 2e-6
    assert events.charges_c == pytest.approx(
        [1e-4 * (20 * 5e-3 + 16 * 6e-3) + around + dip, 1e-4 * 3 * 4e-3 + around]
    )
    assert events.spans_s == pytest.approx([4.4e-3, 0.7e-3])
    assert not events.broken.any()
    assert finder.pulses == 1
    total = 1e-4 * current.sum()
    assert finder.sleep_c + events.charges_c.sum() == pytest.approx(total)
    assert finder.sleep_s + events.spans_s.sum() == pytest.approx(0.3)
    assert finder.windows.charges_c.sum() == pytest.approx(finder.sleep_c)


# Events whose surroundings overlap, one at the end of the time that decides on the one
# before, and one that rises slowly.
_NEAR = Rules(Levels(1e-3, 0.25e-3), 300e-6, 2e-3, 50e-3)


def near_events() -> Array:
    current = np.full(6000, 2e-6)
    for first in (1000, 1040, 1100, 1700, 1726, 1752):
        current[first : first + 5] = 5e-3
    current[3000:3400] = 0.5e-3
    current[3400:3500] = 5e-3
    return current


@pytest.mark.parametrize("rules", [_NEAR, RULES])
@pytest.mark.parametrize("size", [1, 7, 64, 1003, 1120, 1735, 3300, 6000])
def test_near_events_share_the_time_between_them(rules: Rules, size: int) -> None:
    current, finder = near_events(), Finder(rules)
    for first in range(0, current.size, size):
        finder.add(stretch(current[first : first + size], first=first))
    events = finder.finish()
    places = np.array([1000, 1040, 1100, 1700, 1726, 1752, 3000])
    ends = np.array([1005, 1045, 1105, 1705, 1731, 1757, 3500])
    assert events.starts_s == pytest.approx(places * 1e-4)
    assert events.lasts_s == pytest.approx((ends - places) * 1e-4)
    around = round(rules.around_s / 1e-4)
    middles = (ends[:-1] + places[1:]) / 2
    begins = np.append(places[0] - around, np.maximum(places[1:] - around, middles))
    closes = np.append(np.minimum(ends[:-1] + around, middles), ends[-1] + around)
    assert events.spans_s == pytest.approx((closes - begins) * 1e-4, abs=1.1e-4)
    assert events.spans_s.sum() == pytest.approx((closes - begins).sum() * 1e-4)
    total = 1e-4 * current.sum()
    assert finder.sleep_c + events.charges_c.sum() == pytest.approx(total)


def test_events_at_an_end_or_with_a_gap_are_broken() -> None:
    current = np.full(1000, 2e-6)
    current[:10] = current[500:520] = current[700:720] = current[990:] = 5e-3
    current[510] = np.nan
    finder = Finder(RULES)
    finder.add(stretch(current))
    events = finder.finish()
    assert events.broken.tolist() == [True, True, False, True]


def test_an_event_without_an_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "_LONGEST", 100)
    finder = Finder(RULES)
    for first in range(0, 1000, 50):
        finder.add(stretch(np.full(50, 5e-3), first=first))
        assert finder._times.size <= 150  # noqa: SLF001 - what it may keep
    events = finder.finish()
    assert finder.cut > 0
    assert events.charges_c.sum() == pytest.approx(1000 * 1e-4 * 5e-3)


def test_too_many_events_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "EVENTS_MAX", 2)
    current = np.tile(np.repeat([5e-3, 2e-6], [10, 100]), 5)
    with pytest.raises(TraceError, match="more than 2 events"):
        Finder(RULES).add(stretch(current))


def test_thresholds_lie_between_sleep_and_events() -> None:
    current = np.full(100_000, 3e-6)
    current[::1000] = 50e-6
    for first in range(500, 100_000, 9000):
        current[first : first + 40] = 6e-3
    levels = levels_of([stretch(current)])
    assert levels is not None
    assert 15e-6 < levels.low_a < levels.high_a < 1e-3
    assert levels_of([stretch(np.full(1000, 3e-6))]) is None
    assert levels_of([stretch(np.full(1000, np.nan))]) is None
    assert levels_of([stretch(np.full(1000, -1e-6))]) is None
    assert levels_of([]) is None
    assert levels_at(4e-3, 1e-6) == Levels(4e-3, 1e-3)
    assert levels_at(4e-3, 1e-3) == Levels(4e-3, 2e-3)


@pytest.mark.parametrize("contrast", [8.5, 10, 12, 15, 17, 30, 100, 1000])
def test_a_device_that_sleeps_at_much_current_has_events(contrast: float) -> None:
    current = np.random.default_rng(1).normal(1e-3, 5e-5, 100_000)
    for first in range(500, 100_000, 9000):
        current[first : first + 40] = contrast * 1e-3
    levels = levels_of([stretch(current)])
    assert levels is not None
    for found in (levels, levels_of([stretch(current)], levels.high_a)):
        assert found is not None
        finder = Finder(replace(RULES, levels=found))
        finder.add(stretch(current))
        events = finder.finish()
        assert events.lasts_s == pytest.approx(np.full(12, 4e-3), abs=1e-4)
        assert finder.sleep_c / finder.sleep_s == pytest.approx(1e-3, rel=0.01)


def test_windows_double_and_lose_nothing() -> None:
    windows = Windows()
    for first in range(0, 10_000, 100):
        times = np.arange(first, first + 100) + 5.0
        windows.add(times, np.ones(100), np.full(100, 2.0))
    assert windows.lasts_s.sum() == 10_000
    assert windows.charges_c.sum() == 20_000
    middles, means = windows.means()
    assert windows.length_s == pytest.approx(6.4)
    assert (means == 2.0).all()
    assert middles[0] == pytest.approx(5 + 3.2)


def test_kinds_are_told_apart_by_charge_and_duration() -> None:
    chance = np.random.default_rng(1)
    starts = np.sort(chance.uniform(0, 1000, 200))
    polls = np.arange(500.0) * 2
    lasts = np.concatenate((np.full(500, 3e-3), np.full(100, 3e-3), np.full(100, 6e-3)))
    charges = np.concatenate((np.full(500, 1e-5), np.full(200, 2e-5)))
    charges *= chance.normal(1, 0.004, 700)
    kinds, rest = kinds_of(np.concatenate((polls, starts)), lasts, charges, 1e-5)
    assert [each.members.size for each in kinds] == [500, 100, 100]
    assert kinds[0].interval_s == pytest.approx(2)
    assert kinds[1].interval_s is kinds[2].interval_s is None
    assert rest.size == 0
    assert kinds_of(np.empty(0), np.empty(0), np.empty(0), 1e-5)[0] == []


def test_chance_is_no_interval() -> None:
    chance = np.random.default_rng(2)
    assert interval_of(np.cumsum(chance.exponential(1, 3000))) is None
    late = np.arange(300.0) + chance.uniform(0, 0.02, 300)
    assert interval_of(np.delete(late, [5, 6, 100])) == pytest.approx(1, rel=1e-3)
    assert interval_of(np.array([1.0])) is None


def sent(count: int, seed: int = 0) -> Sent:
    chance = np.random.default_rng(seed)
    lengths = chance.choice([10.0, 50.0, 100.0], count)
    waits = 320e-6 * chance.integers(0, 8, count)
    lasts = 2e-3 + 32e-6 * lengths + waits
    return Sent(lengths, lasts, 9e-6 + 0.3e-6 * lengths + 6e-3 * waits)


@pytest.mark.parametrize("byte_s", [None, 32e-6])
def test_waiting_is_no_charge_of_bytes(byte_s: float | None) -> None:
    made = sent(300)
    merged = made.charges_c.copy()
    merged[::40] += 12e-6
    found = fit(replace(made, charges_c=merged), 1e-5, byte_s)
    assert found is not None
    assert found.byte_c == pytest.approx(0.3e-6, rel=1e-3)
    assert found.base_c == pytest.approx(9e-6, rel=0.01)
    assert found.wait_a == pytest.approx(6e-3, rel=1e-3)
    assert found.wait_s == pytest.approx(3.5 * 320e-6, rel=0.1)
    assert (found.merged, found.used) == (8, 292)


def test_without_waiting_there_is_no_current_of_waiting() -> None:
    lengths = np.repeat([10.0, 20.0], 10)
    found = fit(Sent(lengths, 1e-3 + 32e-6 * lengths, 1e-6 + 2e-7 * lengths), 1e-5)
    assert found is not None
    assert found.byte_c == pytest.approx(2e-7)
    assert (found.wait_a, found.wait_s) == (0, 0)


def test_one_length_or_few_tell_no_charge_of_a_byte() -> None:
    few = sent(7)
    assert fit(few, 1e-5) is None
    one = np.full(50, 20.0)
    assert fit(Sent(one, np.full(50, 2e-3), np.full(50, 1e-5)), 1e-5) is None


def test_transmissions_are_matched_by_time() -> None:
    starts = np.array([1.0, 2.0, 3.0, 4.0])
    known = KnownTransmissions(
        np.array([4.01, 1.02, 2.02, 1.98, 9.0]), np.array([4.0, 1, 2, 2, 9])
    )
    places, lengths = matched(known, starts)
    # Two near to one event: it is not known which of them it is.
    assert places.tolist() == [0, 3]
    assert lengths.tolist() == [1, 4]
    assert matched(known, np.empty(0))[0].size == 0
    assert matched(known, np.array([1.0]))[0].tolist() == [0]


def test_lengths_without_times_are_in_order(tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text("bytes\n20\n40\n")
    known = read_lengths(path)
    assert matched(known, np.array([5.0, 6.0]))[1].tolist() == [20, 40]
    with pytest.raises(TraceError, match="the lengths are 2, and the trace has 1"):
        matched(known, np.array([5.0]))


@pytest.mark.parametrize(
    "text",
    ["", "bytes\n", "time\n1\n", "bytes\nx\n", "bytes\n0\n", "time,bytes\nnan,5\n",
     "bytes\n1e9\n", "time,bytes\n1\n", "bytes\n-3\n", "time,bytes\ninf,5\n"],
)  # fmt: skip
def test_lengths_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "l.csv"
    path.write_text(text)
    with pytest.raises(TraceError, match="has no lengths"):
        read_lengths(path)


@pytest.mark.parametrize(
    ("lines", "remark"),
    [
        (["0,3.2"], None),
        (["0,3.2", "oops"], "1 line is left out: without a sample."),
        (["0,3.2", "oops", "no"], "2 lines are left out: without a sample."),
        (["0,3.2", "1,nan"], "1 sample is left out: without a current."),
        (["0,3.2", "0,3.2"], "1 sample is left out: at no possible time, or "),
        (
            ["0,-9999"],
            "The mean current is below zero: the analyzer's input and output",
        ),
    ],
)
def test_what_is_wrong_in_a_file_is_reported(
    lines: list[str], remark: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    flat = [f"{number},3.2" for number in range(2, 1000)]
    path.write_text("\n".join(["Timestamp(ms),Current(uA)", *lines, *flat, ""]))
    summary, _, said = answered(TraceRequest(file=path))
    # The currents are equal: what is left of their slope is rounded off.
    assert remark is not None or summary.drift.value == 0
    assert any(each.startswith(remark or "No event stands out") for each in said)
