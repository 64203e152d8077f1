# SPDX-License-Identifier: Apache-2.0
"""Lines of results found by suite: they are those of the text, and of no older one."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import result, write

from samara.bench import lines, packing, store
from samara.bench.results import DEFAULTS
from samara.errors import DamagedWarning

if TYPE_CHECKING:
    from pathlib import Path

FILES = sorted(
    path for path in store.committed().glob("*.jsonl") if path.name != store.ACCEPTED
)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Return the results in a file's text, each with the files of its sources."""
    files: dict[str, list[str]] = {}
    found = []
    for text in path.read_text("utf-8").splitlines():
        line = json.loads(text)
        if "files" in line:
            files[line["sources"]] = line["files"]
            continue
        lists = [v for v in line.values() if isinstance(v, list)]
        within = [v for v in line.values() if isinstance(v, dict)]
        lists += [v for each in within for v in each.values() if isinstance(v, list)]
        for place in range(len(lists[0]) if lists else 1):
            row = {name: at(value, place) for name, value in line.items()}
            found.append(row | {"files": tuple(files.get(line["sources"], ()))})
    return found


def at(value: Any, place: int) -> Any:  # noqa: ANN401 - of any field
    if isinstance(value, dict):
        return {name: at(each, place) for name, each in value.items()}
    return value[place] if isinstance(value, list) else value


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_all_committed_results_are_those_of_the_text(path: Path) -> None:
    every = store.read(path, strict=True)
    rows = rows_of(path)
    assert len(every) == len(rows) > 1000
    for one, row in zip(every, rows, strict=True):
        said = {**one.as_json(), "files": one.files}
        assert {name: said[name] for name in row} == row
        assert all(said[name] == DEFAULTS[name] for name in said.keys() - row)
    by_suite: dict[str, list[Any]] = {}
    for one in every:
        by_suite.setdefault(one.suite, []).append(one)
    for suite, those in by_suite.items():
        assert store.read(path, suites=[suite], strict=True) == those
    two = list(by_suite)[1::7][:2]
    assert store.read(path, suites=two) == [one for one in every if one.suite in two]
    (files,) = {one.files for one in every[:1]}
    assert store.read(path, suites=[every[0].suite])[0].files == files


def test_only_wanted_sizes_are_read() -> None:
    place = store.committed_of("cortex-m0")
    every = store.read(place, suites=["aes128-ccm-8"])
    of_ad = store.read(place, suites=["aes128-ccm-8"], wanted=lambda m, a: a == m == 16)
    assert of_ad == [one for one in every if one.sizes == (16, 16)]
    assert 0 < len(of_ad) < len(every)
    assert not store.read(place, suites=["aes128-ccm-8"], wanted=lambda m, _: m == 77)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a file with two suites, whose lines are equally long."""
    rows = [result("atmega128", suite) for suite in ("aes128-gcm", "aes128-ctr")]
    return write(tmp_path / "own.jsonl", rows)


def exchange(place: Path) -> None:
    """Replace a suite by another, in as many bytes and without a new time."""
    status = place.stat()
    text = place.read_text("utf-8")
    changed = text.replace("aes128-gcm", "aes128-ocb")
    assert changed != text
    with place.open("r+", encoding="utf-8") as file:
        file.write(changed)
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert place.stat().st_size == status.st_size
    assert place.stat().st_mtime_ns == status.st_mtime_ns


def suites_in(place: Path) -> list[str]:
    return [one.suite for one in store.read(place)]


def test_a_file_is_looked_through_once_until_it_changes(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_SETTLED_S", 0.0)
    time.sleep(0.02)
    assert lines.lines_of(place) is lines.lines_of(place)
    exchange(place)
    assert suites_in(place) == ["aes128-ocb", "aes128-ctr"]
    place.unlink()
    assert suites_in(place) == []


def test_a_change_within_the_resolution_of_time_is_seen(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time_ns()

    def coarse(path: Path) -> tuple[int, ...]:
        return (1, path.stat().st_size, now, now)

    monkeypatch.setattr(lines, "_state", coarse)
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    exchange(place)
    assert suites_in(place) == ["aes128-ocb", "aes128-ctr"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"suite": "', '"suite":"'),
        ('"suite": "', '"suite" :  "'),
        ('"suite": "aes128-gcm"', '"suite": "aes128\\u002dgcm"'),
        ('"suite": "aes128-gcm"', '"suite": "other", "suite": "aes128-gcm"'),
    ],
)
def test_a_suite_that_is_written_in_another_way_is_found(
    old: str, new: str, place: Path
) -> None:
    (expected,) = store.read(place, suites=["aes128-gcm"])
    text = place.read_text("utf-8")
    assert old in text
    place.write_text(text.replace(old, new), "utf-8")
    assert store.read(place, suites=["aes128-gcm"]) == [expected]


def test_lists_of_two_lengths_are_damage(place: Path) -> None:
    rows = [{"message_bytes": n, "cycles": {"seal": n}} for n in (1, 2)]
    (line,) = packing.pack(rows)
    line["cycles"]["seal"].append(3)
    with pytest.raises(ValueError, match=r"\[2, 3\]"):
        list(packing.unpack(line))
    text = place.read_text("utf-8")
    first = json.loads(text.splitlines()[0])
    first |= {"message_bytes": [1, 2], "ad_bytes": [0]}
    place.write_text(json.dumps(first) + "\n" + text.splitlines()[1] + "\n", "utf-8")
    with pytest.warns(DamagedWarning, match="damaged at line 1"):
        assert suites_in(place) == ["aes128-ctr"]


def test_files_are_those_of_the_last_line_before() -> None:
    found = lines.Lines(files={"a": [(1, ("old.c",)), (4, ("new.c",))]})
    assert [found.files_of("a", n) for n in (1, 2, 4, 5)] == [
        (),
        ("old.c",),
        ("old.c",),
        ("new.c",),
    ]
    assert found.files_of("b", 9) == ()
