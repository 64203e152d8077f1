# SPDX-License-Identifier: Apache-2.0
"""No figure changes unnoticed: `bench check`, `bench accept` and their parts."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed as with_fields
from bench.results import result
from shell import assert_done, assert_misuse, objects, samara

from samara.bench import accepting, checking, devices, running, store, subjects
from samara.bench.places import root

if TYPE_CHECKING:
    from pathlib import Path

    from samara.bench.results import Result

BEFORE = result(
    "atmega128",
    "aes128",
    flags="-Os",
    time_us={"set_up": 1.5, "encrypt": 2.5, "decrypt": 3.5},
    energy_uj={"set_up": 0.5, "encrypt": 0.6, "decrypt": 0.7},
)
FIELDS = BEFORE.as_json()


@pytest.mark.parametrize(
    ("change", "figure", "better"),
    [
        ({"code_bytes": 1001}, "code_bytes", False),
        ({"code_bytes": 999}, "code_bytes", True),
        ({"static_ram_bytes": 41}, "static_ram_bytes", False),
        ({"stack_bytes": 59}, "stack_bytes", True),
        ({"constant_time": False}, "constant_time", False),
        ({"varies": {"encrypt": 1}}, "varies encrypt", False),
        ({"problem": "does not fit"}, "problem", False),
        ({"origin": "estimated"}, "origin", False),
        (
            {"cycles": FIELDS["cycles"] | {"encrypt": 16_001}},
            "cycles encrypt",
            False,
        ),
        ({"cycles": FIELDS["cycles"] | {"decrypt": 1}}, "cycles decrypt", True),
        ({"time_us": FIELDS["time_us"] | {"set_up": 1.6}}, "time_us set_up", False),
        (
            {"energy_uj": FIELDS["energy_uj"] | {"encrypt": 600}},
            "energy_uj encrypt",
            False,
        ),
        ({"instructions": {"encrypt": 5}}, "instructions encrypt", False),
    ],
)
def test_each_figure_that_differs_is_reported(
    change: dict[str, Any],
    figure: str,
    better: bool,  # noqa: FBT001 - a parameter of pytest's
) -> None:
    # Whatever else changed: other sources explain nothing.
    other = {"sources": "1", "revision": "other", "flags": "-O9"}
    after = with_fields(BEFORE, **change, **other)
    compared = checking.compare([after], [BEFORE])
    assert compared.compared == 1
    (difference,) = compared.differences
    assert difference.figure == figure
    assert difference.better is better
    assert ("better" in str(difference)) is better


def test_the_same_figures_pass() -> None:
    after = with_fields(BEFORE, sources="1", revision="other")
    compared = checking.compare([after], [BEFORE])
    assert (compared.compared, compared.differences) == (1, [])


def test_what_cannot_be_compared_is_counted() -> None:
    other_compiler = with_fields(BEFORE, compiler="cc 2.0", code_bytes=1)
    never_committed = with_fields(BEFORE, opt="O2")
    compared = checking.compare([other_compiler, never_committed], [BEFORE])
    assert compared.compared == 0
    assert compared.differences == []
    assert compared.unknown == 1
    assert list(compared.other_compiler.values()) == [1]


def test_sizes_that_were_not_asked_for_are_measured_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is committed about a program is replaced together."""
    (tmp_path / "results").mkdir()
    monkeypatch.setattr(store, "committed", lambda: tmp_path / "results")
    made = [
        result("atmega328p", suite, sizes, opt=opt, cycles=1000 * sizes[0])
        for suite, opt in (("grain128aead", "Os"), ("ascon-aead128", "Os"))
        for sizes in ((16, 0), (64, 0), (64, 8))
    ]
    store.append(tmp_path / "results", made)
    device, subject = devices.device("atmega328p"), subjects.subject("grain128aead")
    planned = running.plan([device], [subject], [(64, 0), (7, 0)], ["Os"])
    (task,) = [each for each in planned if each.build.implementation == "portable"]
    (wider,) = accepting.tasks([task])
    assert wider.sizes == ((64, 0), (7, 0), (16, 0), (64, 8))
    new = [with_fields(each, code_bytes=1001) for each in made[:3]]
    changes = accepting.replace_committed(new, "larger")
    assert [each.figure for each in changes] == ["code_bytes"] * 3
    kept = {each.identity: each for each in store.read(tmp_path / "results")}
    assert kept == {each.identity: each for each in [*new, *made[3:]]}


PORTABLE = ("--implementation", "portable")
PROGRAM = (
    *("--device", "atmega328p", "--suite", "speck128-128", "--opt", "O2"),
    *PORTABLE,
)


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of what the bench builds, with results of one program."""
    for name in ("core", "devices", "firmware", "published"):
        shutil.copytree(root() / name, tmp_path / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    (tmp_path / "results").mkdir()
    words = ("bench", "accept", *PROGRAM, "--why", "the first figures")
    assert "1 results accepted" in assert_done(samara(*words, folder=tmp_path)).decode()
    return tmp_path


def results_of(clone: Path) -> list[Result]:
    return store.read(clone / "results", strict=True)


def add_a_comment(path: Path) -> None:
    path.write_text(path.read_text() + "/* Nothing. */\n")


def slow_down(clone: Path) -> None:
    """Plant a loop that does nothing in each round of the cipher."""
    path = clone / "core" / "block" / "speck_template.h"
    begin, name, end = path.read_text().partition("void round_encrypt(")
    head, brace, body = end.partition("{")
    loop = "for (volatile int i = 0; i < 30; i++) {}"
    path.write_text(begin + name + head + brace + loop + body)


@pytest.mark.slow
def test_a_slower_cipher_is_accepted_by_name_only(clone: Path) -> None:
    (before,) = results_of(clone)
    slow_down(clone)
    assert_done(samara("bench", "run", *PROGRAM, "--store", "own", folder=clone))
    (slow,) = store.read(clone / "own")
    compared = checking.compare([slow], [before])
    assert "cycles encrypt" in {each.figure for each in compared.differences}
    assert slow.sources != before.sources
    refused = ("bench", "accept", *PROGRAM)
    assert_misuse(samara(*refused, folder=clone), "--why")
    assert_misuse(samara(*refused, "--why", " ", folder=clone), "--why is empty")
    nothing = ("bench", "accept", "--why", "no selection")
    assert_misuse(samara(*nothing, folder=clone), "--all")
    assert results_of(clone) == [before]
    done = samara(*refused, "--why", "a loop for the test", folder=clone)
    assert "worse or other" in done.stderr.decode()
    (after,) = results_of(clone)
    assert after.cycles == slow.cycles
    first, second = (
        json.loads(line)
        for line in (clone / "results" / "accepted.jsonl").read_text().splitlines()
    )
    assert first["new_sizes"] == 1
    assert second["why"] == "a loop for the test"
    assert second["changed"]["cycles encrypt"] == {
        "count": 1,
        "from": before.protect_cycles,
        "to": slow.protect_cycles,
    }


@pytest.mark.slow
def test_only_what_an_image_links_is_its_source(clone: Path) -> None:
    """A change elsewhere, or a new device, makes no result old."""
    (before,) = results_of(clone)
    (clone / "core" / "aead" / "ascon_aead128.c").write_text("int other;\n")
    shutil.copytree(clone / "devices" / "atmega328p", clone / "devices" / "new")
    add_a_comment(clone / "core" / "include" / "samara" / "rfserial.h")
    words = ("bench", "accept", *PROGRAM, "--why", "nothing changed")
    assert "0 figures changed" in assert_done(samara(*words, folder=clone)).decode()
    (after,) = results_of(clone)
    assert after.sources == before.sources
    assert len((clone / "results" / "accepted.jsonl").read_text().splitlines()) == 1
    add_a_comment(clone / "core" / "block" / "speck_template.h")
    samara(*words, folder=clone)
    assert results_of(clone)[0].sources == before.sources
    slow_down(clone)
    samara(*words, folder=clone)
    (changed,) = results_of(clone)
    assert changed.sources != before.sources


def rewrite(clone: Path, change: dict[str, Any]) -> None:
    """Change the committed results, as if they had been others."""
    path = clone / "results" / "atmega328p.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    changed = [line | (change if "suite" in line else {}) for line in lines]
    path.write_text("".join(json.dumps(line) + "\n" for line in changed))


@pytest.mark.slow
def test_check_fails_on_any_difference_and_where_nothing_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    (tmp_path / "results").mkdir()
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))
    aes = ("--device", "atmega328p", "--suite", "aes128", *PORTABLE)
    accept = ("bench", "accept", *aes, "--opt", "Os", "--why", "the first figures")
    check = ("bench", "check", *aes)
    assert samara(*check, folder=tmp_path).returncode == 1
    assert_done(samara(*accept, folder=tmp_path))
    done = samara(*check, folder=tmp_path)
    assert done.returncode == 0
    assert b"1 results compared, 0 figures differ" in done.stdout
    (result_,) = results_of(tmp_path)
    for code_bytes, kind in ((-1, b"(worse or other)"), (1, b"(better)")):
        rewrite(tmp_path, {"code_bytes": (result_.code_bytes or 0) + code_bytes})
        done = samara(*check, folder=tmp_path)
        assert done.returncode == 1
        assert kind in done.stderr
        assert b"samara bench accept --device atmega328p --suite aes128" in done.stderr
    # What is not measured again is read, too, and is reason enough.
    rewrite(tmp_path, {"code_bytes": result_.code_bytes})
    with (tmp_path / "results" / "atmega328p.jsonl").open("a") as file:
        file.write(json.dumps(result_.as_json() | {"opt": "O2"}) + "\n")
    fault = "atmega328p aes128 portable O2 16+0: flags are not those of its build"
    done = samara(*check, folder=tmp_path)
    assert f"cannot be true: {fault}" in done.stderr.decode()
    assert b"1 results compared, 0 figures differ" in done.stdout
    assert done.returncode == 1
    done = samara(*check, "--json", folder=tmp_path)
    (record,) = objects(done.stdout)
    assert (record["compared"], record["differences"]) == (1, 0)
    assert record["cannot_be_true"] == [fault]
    assert done.returncode == 1
    rewrite(tmp_path, {"compiler": "avr-gcc 99"})
    done = samara(*check, folder=tmp_path)
    assert done.returncode == 1
    assert b"other compiler: " in done.stderr
