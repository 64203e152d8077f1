# SPDX-License-Identifier: Apache-2.0
"""Files of results that were cut off, and what their sources say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from bench.results import result, write
from bench_toys import cipher_folder, task, toy
from shell import assert_done, objects, samara

from samara.bench import sources, store
from samara.bench.measuring import measure
from samara.bench.places import root
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path


def torn(path: Path) -> Path:
    """Cut off the last line of a file, as a full disk does."""
    path.write_bytes(path.read_bytes()[:-40])
    return path


def test_a_torn_line_loses_nothing_but_itself(tmp_path: Path) -> None:
    rows = [result("atmega128", suite) for suite in ("aes128-gcm", "aes128-ctr")]
    place = torn(write(tmp_path / "own.jsonl", rows))
    with pytest.warns(UserWarning, match=r"own\.jsonl is damaged at line 2"):
        assert [r.suite for r in store.read(place)] == ["aes128-gcm"]
    (row,) = measure(task("atmega328p", toy(cipher_folder(tmp_path / "sound"))))
    store.append(place, [row])
    with pytest.warns(UserWarning, match="damaged at line 2"):
        assert [r.suite for r in store.read(place)] == ["aes128-gcm", "toy"]
    # Committed results are whole, or an error.
    with pytest.raises(MisuseError, match="damaged at line 2"):
        store.read(place, strict=True)


@pytest.mark.parametrize("text", ["[]", "7", '{"device": "x"}', "\xff\x00", "{"])
def test_a_line_that_is_no_result_is_left_out(text: str, tmp_path: Path) -> None:
    place = write(tmp_path / "own.jsonl", [result("atmega128", "aes128-gcm")])
    place.write_text(f"{text}\n{place.read_text()}")
    with pytest.warns(UserWarning, match="line 1"):
        assert len(store.read(place)) == 1


def test_a_whole_last_line_without_its_end_is_kept(tmp_path: Path) -> None:
    place = write(tmp_path / "own.jsonl", [result("atmega128", "aes128-gcm")])
    place.write_text(place.read_text().rstrip("\n"))
    (row,) = measure(task("atmega328p", toy(cipher_folder(tmp_path / "sound"))))
    store.append(place, [row])
    assert [r.suite for r in store.read(place, strict=True)] == ["aes128-gcm", "toy"]


@pytest.mark.slow
def test_own_results_that_are_damaged_do_not_block_the_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core", "devices", "firmware", "published", "results"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    own = tmp_path / "build" / "bench" / "results.jsonl"
    own.parent.mkdir(parents=True)
    own.write_text('{"device":"atmega128","suite":"aes1')
    words = "bench show --device atmega128 --suite aes128 --implementation portable"
    done = samara(*words.split(), "--json", folder=tmp_path)
    shown = assert_done(done, "results.jsonl is damaged at line 1")
    assert len(objects(shown)) == 3


def test_results_name_their_sources_once(tmp_path: Path) -> None:
    folder = cipher_folder(tmp_path / "sound")
    rows = measure(task("atmega328p", toy(folder), (0, 0), (16, 4)))
    place = tmp_path / "own.jsonl"
    store.append(place, rows)
    store.append(place, rows)
    lines = [json.loads(line) for line in place.read_text().splitlines()]
    (naming,) = [line for line in lines if "files" in line]
    assert str(folder / "encrypt.c") in naming["files"]
    assert "firmware/measure/main.c" in naming["files"]
    # What the linker threw away, and what the cipher has no use for.
    assert not [name for name in naming["files"] if name.startswith("core/")]
    assert {row.files for row in store.read(place)} == {tuple(naming["files"])}
    # A reader that wants some lines only gets their files, too.
    (row, _) = store.read(place, suites=["toy"])
    assert row.files == tuple(naming["files"])


GNU_MAP = """
Archive member included to satisfy reference by file (symbol)

Discarded input sections

 .text.unused   0x00000000       0x20 /b/gone.o

Linker script and memory map

LOAD /b/gone.o
LOAD /b/kept.o
 .text          0x00000100        0x0 /b/empty.o
 .text.short    0x00000100       0x14 /b/kept.o
 .text.a_name_that_takes_a_line_of_its_own
                0x00000114       0x10 /b/long name.o
 COMMON         0x20000000        0x4 /b/common.o
 .comment       0x00000000       0x2a /b/commented.o
 .debug_info    0x00000000       0x2a /b/commented.o
"""

LLD_MAP = """
             VMA              LMA     Size Align Out     In      Symbol
            4000             4000       42     2 .text
            4000             4000        c     2         /b/kept.o:(.text.f)
            4000             4000        c     1                 f
            400c             400c        0     2         /b/empty.o:(.text)
               0                0        9     1         /b/said.o:(.comment)
"""


def test_what_the_linker_kept_is_read_from_its_map() -> None:
    assert sources.kept(GNU_MAP) == {"/b/kept.o", "/b/long name.o", "/b/common.o"}
    assert sources.kept(LLD_MAP) == {"/b/kept.o"}


def test_what_the_compiler_read_is_read_from_its_list(tmp_path: Path) -> None:
    listing = tmp_path / "x.d"
    listing.write_text("x.o: /a/x.c /a/with\\ blank.h \\\n  /a/y.h\n")
    names = [str(p) for p in sources.dependencies(listing, tmp_path / "x.c")]
    assert names[1:] == ["/a/x.c", "/a/with blank.h", "/a/y.h"]
    missing = tmp_path / "none.d"
    assert sources.dependencies(missing, tmp_path / "x.s") == [tmp_path / "x.s"]
