# SPDX-License-Identifier: Apache-2.0
"""The results in results/: all there, of today's sources, and true at other sizes."""

from __future__ import annotations

import bisect
import json
import random
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from samara.bench import (
    devices,
    frames,
    freshness,
    places,
    sanity,
    store,
    subjects,
    ways,
)
from samara.bench.measuring import Task, measure, sizes_for
from samara.bench.results import Operation
from samara.energy import cryptography
from samara.energy.cryptography import Build, Work, cost_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from samara.bench.results import Result
    from samara.bench.subjects import Subject

ERROR_MAX = 0.02
DRAWN = 30
"""Random sizes for each suite."""

DEVICES = [device.name for device in devices.devices()]
SEALING = [each for each in subjects.subjects() if Operation.SEAL in each.verbs]
"""The subjects whose costs receipts and the energy model tell."""


@pytest.fixture(autouse=True)
def _committed_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let what a user measured himself be nothing here."""
    monkeypatch.setattr(store, "own", lambda: tmp_path / "nothing")
    cryptography.programs.cache_clear()
    yield
    cryptography.programs.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("name", DEVICES)
def test_committed_results_are_whole_and_of_these_sources(name: str) -> None:
    results = list(store.read(store.committed_of(name)))
    assert len(results) > 5000
    assert not freshness.stale(results)
    assert not sanity.faults(results)
    assert not sanity.missing(results, [devices.device(name)])


def test_revisions_of_committed_results_are_in_the_history() -> None:
    """A commit that was rebased later is found by nobody."""
    inside = ("git", "-C", str(places.root()), "rev-parse", "--is-shallow-repository")
    is_shallow = subprocess.run(inside, capture_output=True, text=True, check=False)
    if is_shallow.stdout.strip() != "false":
        pytest.skip("no whole history here: revisions of results are not looked up")
    listing = (*inside[:3], "rev-list", "HEAD")
    done = subprocess.run(listing, capture_output=True, text=True, check=True)
    history = sorted(done.stdout.split())
    named = {
        json.loads(line).get("revision")
        for path in store.committed().glob("*.jsonl")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(named) > 10
    # Files that programs read have none.
    for revision in named - {None}:
        place = bisect.bisect_left(history, revision)
        assert history[place : place + 1], revision
        assert history[place].startswith(revision)


@pytest.mark.slow
def test_fastest_builds_at_random_sizes() -> None:
    """One suite on one device: the others, which --all looks at, take minutes."""
    draw = random.Random(0)  # noqa: S311
    look_at("atmega328p", draw.choice(SEALING), draw)


@pytest.mark.thorough
@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize("suite", [subject.slug for subject in SEALING])
def test_every_fastest_build_at_random_sizes(name: str, suite: str) -> None:
    if not cryptography.builds(name, suite):
        pytest.skip(f"no results of {suite} on {name} are committed")
    draw = random.Random(name + suite)  # noqa: S311
    look_at(name, subjects.subject(suite), draw)


def look_at(name: str, subject: Subject, draw: random.Random) -> None:
    """Compare what is told for random sizes with a fresh run of each fastest build."""
    cycles_by_build: dict[Build, dict[tuple[Operation, tuple[int, int]], float]] = {}
    for message, ad in drawn_sizes(subject, draw):
        for verb in (Operation.SEAL, Operation.OPEN):
            work = fastest(Work(name, subject.slug, verb, message, ad))
            assert work.build is not None
            cycles = cost_of(work).cycles.value
            cycles_by_build.setdefault(work.build, {})[verb, (message, ad)] = cycles
    compared = 0
    for build, values in cycles_by_build.items():
        fresh = measured(name, subject, build, tuple({sizes for _, sizes in values}))
        for (verb, sizes), value in values.items():
            row = fresh[sizes]
            if not row.has_figures:
                # A long message that the device has no memory for.
                continue
            compared += 1
            anew = row.set_up_cycles if subject.set_up_takes_nonce else 0
            what = (name, subject.slug, build, verb, sizes)
            expected = row.cycles_of(verb) + anew
            assert value == pytest.approx(expected, rel=ERROR_MAX), what
    assert compared >= DRAWN


def fastest(work: Work) -> Work:
    """Return the work with the build that takes the fewest cycles for it."""
    builds = cryptography.builds(work.device, work.suite)
    works = [replace(work, build=build) for build in builds]
    return min(works, key=lambda one: cost_of(one).cycles.value)


def measured(
    name: str, subject: Subject, build: Build, sizes: tuple[tuple[int, int], ...]
) -> dict[tuple[int, int], Result]:
    compiled = ways.Build(devices.device(name), build.implementation, build.opt)
    return {row.sizes: row for row in measure(Task(compiled, subject, sizes, 1))}


def drawn_sizes(subject: Subject, draw: random.Random) -> list[tuple[int, int]]:
    """Return random sizes that the subject takes, more of them short than long."""
    most = 127 if subject.frame is not None else 1300
    ads = frames.HEADER_SIZES if subject.frame is not None else range(41)
    drawn = [(int(most * draw.random() ** 2), draw.choice(ads)) for _ in range(DRAWN)]
    return sizes_for(subject, drawn)
