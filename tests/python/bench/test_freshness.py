# SPDX-License-Identifier: Apache-2.0
"""Which results are of other sources than those here: what the compiler sees counts."""

from __future__ import annotations

import re
import shutil
import threading
from typing import TYPE_CHECKING

import pytest
from bench.results import changed
from shell import objects, samara

from samara import workers
from samara.bench import (
    devices,
    freshness,
    places,
    preprocessed,
    sources,
    store,
    subjects,
    toolchain,
    units,
    ways,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from samara.bench.results import Result

DEVICES = ("atmega328p", "cortex-m4", "msp430f1611")
SUITES = ("aes128", "ascon-aead128", "speck128-128-ccm-8")
Program = tuple[str, ...]
_LATE_S = 60


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the sources, with current results of some suites."""
    for name in ("core", "devices", "firmware"):
        shutil.copytree(places.root() / name, tmp_path / name)
    (tmp_path / "published").symlink_to(places.root() / "published")
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    (tmp_path / "results").mkdir()
    for device in DEVICES:
        every = store.read(store.committed_of(device), strict=True)
        one_of_each = {row.program: row for row in every if row.suite in SUITES}
        mine = map(as_current, one_of_each.values())
        store.append(tmp_path / "results" / f"{device}.jsonl", list(mine))
    return tmp_path


def as_current(row: Result) -> Result:
    """Return a result as if it were measured now, whatever else is tested of it."""
    build = ways.Build(devices.device(row.device), row.implementation, row.opt)
    digest = sources.hash_of(build, subjects.subject(row.suite), row.files)
    return changed(row, sources=digest, files=row.files)


def programs(clone: Path) -> dict[Program, bool | None]:
    """Return whether each program is current, as `bench show` says."""
    done = samara("bench", "show", "--json", folder=clone)
    found: dict[Program, bool | None] = {}
    for row in objects(done.stdout):
        key = (row["device"], row["suite"], row["implementation"], row["opt"])
        assert found.setdefault(key, row["current"]) == row["current"]
    return found


def stale(clone: Path) -> set[Program]:
    return {program for program, current in programs(clone).items() if not current}


def linking(clone: Path, *files: str) -> set[Program]:
    """Return the programs of which one of these files is a source."""
    found = set()
    for device in DEVICES:
        for row in store.read(clone / "results" / f"{device}.jsonl"):
            if not {*row.files}.isdisjoint(files):
                found.add(tuple(row.program))
    return found


def edit(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text()
    after = change(before)
    assert after != before
    path.write_text(after)


def replace(path: Path, old: str, new: str) -> None:
    edit(path, lambda text: text.replace(old, new))


COMMENTED = (
    *("core/block/aes.c", "core/block/aes_rounds.h", "core/block/speck_template.h"),
    *("core/aead/ascon_aead128.c", "core/common/stack.h", "core/common/machine.h"),
    *("core/arch/avr/aes_avr.c", "core/arch/msp430/speck_msp430.c"),
    *("core/arch/armv7m/ascon_armv7m.c", "firmware/measure/main.c"),
    *("devices/families/cortex-m/link.ld", "devices/families/msp430/support.c"),
    "core/include/samara/aes.h",
)


def commented(text: str) -> str:
    """Return a text with other comments, more of them, and more lines."""
    text = re.sub(r"/\* ([A-Z])", r"/* Well:\n * \1", text)
    lines = text.replace(";\n", ";\n\n", 5)
    return f"/* More\n * words. */\n\n{lines}\n/* The end. */\n"


@pytest.mark.slow
def test_a_comment_makes_nothing_stale(clone: Path) -> None:
    every = programs(clone)
    assert {program[0] for program in every} == {*DEVICES}
    assert len(every) > 30
    for name in COMMENTED:
        path = clone / name
        edit(path, commented)
    # What no device sees, and a new cipher's header in that of all.
    replace(clone / "core" / "arch" / "x86_64" / "cpu_x86_64.c", "0x", "1 + 0x")
    (clone / "core" / "include" / "samara" / "new.h").write_text(
        "int new_call(void);\n"
    )
    replace(
        clone / "core" / "include" / "samara" / "samara.h",
        "#include <samara/aead.h>",
        "#include <samara/aead.h>\n#include <samara/new.h>",
    )
    assert stale(clone) == set()


def texts(clone: Path) -> dict[str, int]:
    """Return what was told of sources: each file, and when it was written."""
    place = clone / "build" / "bench" / "texts"
    files = [path for path in place.rglob("*") if path.is_file()]
    return {str(path.relative_to(place)): path.stat().st_mtime_ns for path in files}


@pytest.mark.slow
def test_a_copy_takes_what_was_told_of_the_same_sources(
    clone: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert stale(clone) == set()
    copy = tmp_path_factory.mktemp("other") / "copy"
    shutil.copytree(clone, copy, symlinks=True)
    monkeypatch.setenv("SAMARA_ROOT", str(copy))
    assert stale(copy) == set()
    assert texts(copy) == texts(clone) != {}
    ascon = "core/aead/ascon_aead128.c"
    replace(copy / ascon, "0x00001000808c0001", "0x00001000808c0003")
    expected = {one for one in linking(copy, ascon) if one[2] == "portable"}
    assert expected <= stale(copy)


@pytest.mark.slow
def test_a_constant_makes_its_programs_stale_and_no_others(clone: Path) -> None:
    every = programs(clone)
    # In C.
    ascon = "core/aead/ascon_aead128.c"
    replace(clone / ascon, "0x00001000808c0001", "0x00001000808c0003")
    # Assembly has all of it instead on AVR and Cortex-M, the permutation on MSP430.
    expected = {
        one
        for one in linking(clone, ascon)
        if one[2] == "portable" or one[0] == "msp430f1611"
    }
    assert {suite for _, suite, _, _ in expected} == {"ascon-aead128"}
    assert expected < linking(clone, ascon)
    assert stale(clone) == expected
    # In generated assembly: of one implementation on one device.
    avr = "core/arch/avr/aes_avr.c"
    replace(clone / avr, '"ldi r26, 0x1b\\n"', '"ldi r26, 0x1d\\n"')
    of_avr = linking(clone, avr)
    assert {(device, suite, way) for device, suite, way, _ in of_avr} == {
        ("atmega328p", "aes128", "assembly")
    }
    expected |= of_avr
    assert stale(clone) == expected
    # For one optimisation.
    speck = "core/arch/msp430/speck_msp430.c"
    replace(clone / speck, '"push r4\\n mov r12, r4\\n', '"push r4\\n mov r13, r4\\n')
    expected |= {one for one in linking(clone, speck) if one[3] == "Os"}
    assert stale(clone) == expected
    assert any(one[3] == "O2" for one in linking(clone, speck) - expected)
    # In a linker script, and in the flags of a family.
    replace(clone / "devices/families/cortex-m/link.ld", "ALIGN(4)", "ALIGN(8)")
    expected |= {one for one in every if one[0] == "cortex-m4"}
    assert stale(clone) == expected
    assert expected < set(every)
    replace(clone / "devices/families/msp430/family.toml", "c11", "c99")
    expected |= {one for one in every if one[0] == "msp430f1611"}
    assert stale(clone) == expected
    shown = samara("bench", "show", "--device", "msp430f1611", folder=clone)
    said = " ".join(shown.stdout.decode().split())
    assert re.search(r"([\d,]+) of \1 results shown are stale", said), said


def test_what_cannot_be_told_is_not_told() -> None:
    one = store.read(store.committed_of("cortex-m0"), suites=["aes128"])[0]
    one = as_current(one)
    assert freshness.is_current(one) is True
    for other in ({"compiler": "cc 1.0"}, {"device": "none"}, {"suite": "none"}):
        unknown = changed(one, **other, files=one.files)
        assert freshness.is_current(unknown) is None
    assert freshness.is_current(changed(one, files=())) is None
    assert freshness.is_current(changed(one, sources="")) is True
    gone = changed(one, files=("core/gone.c", *one.files))
    assert freshness.is_current(gone) is False
    assert freshness.is_current(changed(one, sources="0", files=one.files)) is False
    assert freshness.stale([one, gone]) == [gone]


@pytest.mark.slow
def test_all_processors_look_at_sources_that_nobody_has_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each text is found once, two at a time; the answer is that of one thread."""
    of_device = store.read(store.committed_of("msp430f1611"), suites=["speck128-128"])
    every = [
        as_current(row) for row in {row.program: row for row in of_device}.values()
    ]
    first = every[0]
    rows = [
        *every,
        changed(first, sources="0", files=first.files),
        changed(first, files=("core/gone.c", *first.files)),
        changed(first, compiler="cc 1.0", files=first.files),
        changed(first, suite="none", files=first.files),
        changed(first, sources=""),
    ]
    real, both, commands = toolchain.run, threading.Barrier(2), list[str]()

    def run(
        command: Sequence[str | Path], given: str = "", folder: Path | None = None
    ) -> str:
        if "-E" in command:
            commands.append(" ".join(map(str, command)))
            if meets.pop():
                both.wait(_LATE_S)
        return real(command, given, folder)

    monkeypatch.setattr(toolchain, "run", run)
    monkeypatch.setattr(workers, "PROCESSORS", both.parties)
    monkeypatch.setattr(places, "texts", lambda: tmp_path / "texts")
    as_a_new_process(monkeypatch)
    meets = [*[False] * 1000, *[True] * both.parties]
    shares = [each.share for each in freshness.look_up(rows)]
    count = len(list(places.texts().rglob("*.json")))
    assert shares == [(i + 1) / count for i in range(count)]
    assert count > 10
    looked = sorted(commands)
    found = [freshness.is_current(row) for row in rows]
    assert found == [*[True] * len(every), False, False, None, None, True]
    assert sorted(commands) == looked, "the preprocessor ran again"
    as_a_new_process(monkeypatch)
    assert list(freshness.look_up(rows)) == []
    shutil.rmtree(places.texts())
    as_a_new_process(monkeypatch)
    assert [freshness.is_current(row) for row in rows] == found
    assert sorted(commands) == sorted(looked + looked)


def as_a_new_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what was found, but for what is stored."""
    freshness._is_current.cache_clear()  # noqa: SLF001
    preprocessed.folder.cache_clear()
    monkeypatch.setattr(preprocessed, "_digests", {})


def test_builds_share_a_text_unless_it_asks_for_the_optimisation() -> None:
    device = devices.device("msp430f1611")
    subject = subjects.subject("speck128-128")
    by_name = {unit.source.name: unit for unit in units.measured(subject)}
    # What was found before would be taken for what is found now.
    preprocessed._digests.clear()  # noqa: SLF001 - as a new process begins
    for name in ("aes", "speck_msp430"):
        made = (places.made() / "texts").glob(f"{device.name}-*/**/*{name}.c.json")
        for path in made:
            path.unlink()

    def texts(name: str) -> list[str]:
        return [
            preprocessed.digest(ways.Build(device, "assembly", opt), by_name[name])
            for opt in ways.OPTIMISATIONS
        ]

    size, speed, more = texts("speck_msp430.c")
    assert size != speed == more
    assert len(set(texts("aes.c"))) == 1
    portable = ways.Build(device, "portable", "Os")
    assert preprocessed.digest(portable, by_name["speck_msp430.c"]) != size
