# SPDX-License-Identifier: Apache-2.0
"""The index of a file of results gives what the text gives, or is made again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import result, write

from samara.bench import heads, index, lines, places, store
from samara.bench.results import Sizes, enumerated
from samara.bench.sorting import Sort, sorted_places
from samara.errors import DamagedWarning

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.lines import FoundLines

FILES = store.files_in(store.committed())
SUITES = ("aes128-ccm-8", "aes128-gcm", "speck64-128", "no-such-suite")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep indexes in an empty directory, of files that are of any age."""
    monkeypatch.setattr(places, "made", lambda: tmp_path / "made")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(lines, "_SETTLED_S", -1e9)
    monkeypatch.setattr(lines, "_kept", {})
    return tmp_path / "made" / "index"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small file with two suites that has an index nevertheless."""
    monkeypatch.setattr(lines, "_INDEXED_BYTES", 1)
    rows = [result("atmega128", suite) for suite in ("aes128-gcm", "aes128-ctr")]
    return write(tmp_path / "own.jsonl", rows)


def anew(path: Path) -> FoundLines:
    """Return the lines as another process finds them."""
    lines._kept.clear()  # noqa: SLF001 - what another process does not have
    return lines.lines_of(path)


def suites_in(path: Path) -> list[str]:
    lines._kept.clear()  # noqa: SLF001 - as above
    return [one.suite for one in store.read(path)]


def indexed(path: Path) -> FoundLines:
    """Return the lines from the index, which is made first."""
    anew(path)
    found = anew(path)
    assert isinstance(found, lines.IndexedLines)
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_index_has_all_that_the_text_has(path: Path) -> None:
    text, found = lines.text_of(path), indexed(path)
    assert len(found.of(())) > 100
    assert found.of(()) == text.of(())
    for suite in [*text.by_suite, "no-such-suite"]:
        assert found.of([suite]) == text.of([suite])
    assert found.of(SUITES) == text.of(SUITES)
    assert found.suites() == text.suites() == set(text.by_suite)
    last = text.of(())[-1].number
    for sources, named in text.files.items():
        for number in (0, named[0][0], named[0][0] + 1, last):
            assert found.files_of(sources, number) == text.files_of(sources, number)
    assert found.files_of("none", last) == ()


def test_an_index_of_an_older_text_is_not_used(place: Path) -> None:
    indexed(place)
    store.append(place, [result("atmega128", "aes128-ocb")])
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr", "aes128-ocb"]
    indexed(place)
    # The same length, and the same time of change.
    status = place.stat()
    place.write_text(place.read_text("utf-8").replace("aes128-ocb", "aes128-ccm"))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr", "aes128-ccm"]


def test_a_text_that_may_change_unseen_has_no_index(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "_SETTLED_S", 2.0)
    os.utime(place, ns=(place.stat().st_ctime_ns, place.stat().st_ctime_ns))
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    assert not folder.exists()


def test_an_index_of_another_version_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(place)
    monkeypatch.setattr(index, "_VERSION", 0)
    assert isinstance(anew(place), lines.Lines)
    assert isinstance(anew(place), lines.IndexedLines)


@pytest.mark.parametrize("part", range(8))
def test_a_damaged_index_gives_no_other_answer(part: int, folder: Path) -> None:
    path = store.committed_of("cortex-m0")
    text, _ = lines.text_of(path), indexed(path)
    (made,) = folder.iterdir()
    data = bytearray(made.read_bytes())
    begin, end = (len(data) * at // 8 for at in (part, part + 1))
    data[begin:end] = bytes(byte ^ 0x5A for byte in data[begin:end])
    made.write_bytes(data)
    found = anew(path)
    assert found.of(()) == text.of(())
    assert all(found.of([suite]) == text.of([suite]) for suite in text.by_suite)
    indexed(path)


@pytest.mark.parametrize("content", [b"", b"\0" * 8192, b"no database" * 1000])
def test_what_is_no_index_is_replaced(
    content: bytes, place: Path, folder: Path
) -> None:
    indexed(place)
    (made,) = folder.iterdir()
    made.write_bytes(content)
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    assert isinstance(anew(place), lines.IndexedLines)


def test_an_index_that_was_cut_off_is_replaced(folder: Path) -> None:
    path = store.committed_of("cortex-m0")
    text, _ = lines.text_of(path), indexed(path)
    (made,) = folder.iterdir()
    made.write_bytes(made.read_bytes()[: made.stat().st_size // 2])
    assert anew(path).of(()) == text.of(())
    assert indexed(path).of(()) == text.of(())


def test_a_changed_byte_of_a_line_is_seen(place: Path, folder: Path) -> None:
    indexed(place)
    (made,) = folder.iterdir()
    data = made.read_bytes()
    # In the line, and in its head, where the name follows that of the device.
    for text in (b'"suite": "aes128-gcm"', b'["atmega128", "aes128-gcm"'):
        assert data.count(text) == 1
        made.write_bytes(data.replace(text, text.replace(b"gcm", b"gcn")))
        lines._kept.clear()  # noqa: SLF001 - as above
        names = [each.name.suite for each in store.programs(place)]
        assert names == ["aes128-gcm", "aes128-ctr"]
        assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
        indexed(place)
        (made,) = folder.iterdir()
        data = made.read_bytes()


@pytest.mark.parametrize("path", FILES[:3], ids=lambda path: path.stem)
def test_heads_tell_what_parsing_tells(path: Path) -> None:
    found = indexed(path)
    unparsed = list(found.unparsed())
    assert [(each.number, each.text()) for each in unparsed] == found.of(())
    assert found.others_than_unparsed() == []
    for each in unparsed:
        assert each.head == heads.head_of(enumerated(json.loads(each.text())))


@pytest.mark.parametrize("path", FILES[:3], ids=lambda path: path.stem)
def test_heads_tell_the_least_of_all_results(path: Path) -> None:
    indexed(path)
    figures = 0
    for program in store.programs(path):
        results, least = list(program), program.head.least
        figures += program.head.has_figures
        assert all(each.verbs == program.head.verbs for each in results)
        assert least == (
            min(each.counts.get(each.verbs.protect, 0) for each in results),
            min(each.protect_energy_uj or 0 for each in results),
            min(each.code_bytes or 0 for each in results),
            min(each.static_ram_bytes or 0 for each in results),
            min(each.stack_bytes or 0 for each in results),
        )
    assert figures > 100


def test_only_lines_that_are_looked_at_are_parsed(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(place)
    parsed: list[str] = []

    def counted(values: dict[str, Any]) -> dict[str, Any]:
        parsed.append(values["suite"])
        return enumerated(values)

    monkeypatch.setattr(store, "enumerated", counted)
    first, second = store.programs(place, wanted=lambda message, _: message == 64)
    assert second.name.suite == "aes128-ctr"
    assert first.sizes == (Sizes(64, 0),)
    assert not parsed
    assert [one.suite for one in first] == ["aes128-gcm"]
    assert parsed == ["aes128-gcm"]
    assert store.programs(place, wanted=lambda message, _: message == 65) == []


@pytest.mark.parametrize("sort", [Sort.CYCLES, Sort.FOM])
def test_only_lines_of_the_first_results_are_parsed_to_sort(
    sort: Sort, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        result("atmega128", "aes128-gcm", cycles=900),
        result("atmega128", "aes256-gcm", cycles=950),
        result("cortex-m3", "aes128-gcm", cycles=100),
    ]
    write(place, rows)
    indexed(place)
    parsed: list[str] = []

    def counted(values: dict[str, Any]) -> dict[str, Any]:
        parsed.append(values["device"])
        return enumerated(values)

    monkeypatch.setattr(store, "enumerated", counted)
    programs = store.programs(place)
    found = sorted_places(programs, sort, programs)
    first = {Sort.CYCLES: rows[2], Sort.FOM: rows[0]}[sort]
    assert next(found).result == first
    assert set(parsed) == {first.device}
    assert [each.result for each in found] == [row for row in rows if row != first]


def test_a_line_whose_head_differs_by_size_has_none(place: Path) -> None:
    line = {**result("atmega128", "aes128-gcm").as_json(), "message_bytes": [16, 32]}
    assert heads.of_line(json.dumps(line))
    assert heads.of_line(json.dumps(line | {"code_bytes": [1, 2]})) is None
    for damaged in ("[]", "{}", "1", '{"suite":', json.dumps(line | {"other": 1})):
        assert heads.of_line(damaged) is None
    with place.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line | {"code_bytes": [1, 2]}) + "\n")
    found = indexed(place)
    assert [each.number for each in found.unparsed()] == [1, 2]
    assert [each.number for each in found.others_than_unparsed()] == [3]
    (changed,) = store.programs(place, suites=())[-1:]
    assert [one.code_bytes for one in changed] == [1, 2]
    assert changed.head.least.code_bytes == 1


def test_damage_of_the_text_is_said_from_the_index_too(place: Path) -> None:
    with place.open("a", encoding="utf-8") as file:
        file.write('{"device":"atmega128","suite":"aes1')
    for _ in range(2):
        with pytest.warns(DamagedWarning, match=r"own\.jsonl is damaged at line 3"):
            assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    indexed(place)


def test_without_a_place_in_the_clone_the_user_s_cache_has_it(
    place: Path, folder: Path, tmp_path: Path
) -> None:
    folder.parent.write_text("no directory")
    indexed(place)
    assert len(list((tmp_path / "cache/samara/index").iterdir())) == 1


def test_without_any_place_the_text_is_read(
    place: Path, folder: Path, tmp_path: Path
) -> None:
    folder.parent.write_text("no directory")
    (tmp_path / "cache").write_text("nor is this")
    for _ in range(2):
        assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    assert isinstance(anew(place), lines.Lines)


def test_files_from_a_size_on_have_an_index(
    place: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = place.stat().st_size
    monkeypatch.setattr(lines, "_INDEXED_BYTES", size + 1)
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]
    assert not folder.exists()
    monkeypatch.setattr(lines, "_INDEXED_BYTES", size)
    indexed(place)


def test_files_of_one_name_have_indexes_of_their_own(
    place: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other" / place.name
    other.parent.mkdir()
    write(other, [result("atmega128", "aes128-ocb")])
    for path in (place, other, place):
        indexed(path)
    assert suites_in(other) == ["aes128-ocb"]
    assert suites_in(place) == ["aes128-gcm", "aes128-ctr"]


_READ_ALL = """
from samara.bench import store
print(len(store.read(store.committed_of("cortex-m0"), suites=["aes128-ccm-8"])))
"""


def test_processes_make_an_index_at_the_same_time(tmp_path: Path) -> None:
    for name in ("core", "devices", "results"):
        (tmp_path / name).symlink_to(store.committed().parent / name)
    reading = [
        subprocess.Popen(
            [sys.executable, "-c", _READ_ALL],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "SAMARA_ROOT": str(tmp_path)},
        )
        for _ in range(3)
    ]
    said = {process.communicate()[0] for process in reading}
    rows = store.read(store.committed_of("cortex-m0"), suites=["aes128-ccm-8"])
    assert said == {f"{len(rows)}\n"}
    # One index, and no temporary file of any.
    (made,) = (tmp_path / "build/bench/index").iterdir()
    assert made.suffix == ".sqlite"
