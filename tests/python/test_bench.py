# SPDX-License-Identifier: Apache-2.0
"""What the bench finds out about ciphers, sound and otherwise."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bench_toys import ONE_OF_EACH, cipher_folder, task, toy
from shell import assert_done, assert_misuse, objects, samara

from samara.bench import devices, running, store, subjects
from samara.bench.added import AddedCipher, Source
from samara.bench.foreign import Sizes
from samara.bench.measuring import WrongAnswerError, measure
from samara.bench.places import root
from samara.bench.results import OPENING_PARTS, SEALING_PARTS, Operation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_sound_cipher_has_figures_and_the_same_twice(
    device: str, tmp_path: Path
) -> None:
    subject = toy(cipher_folder(tmp_path / "sound"))
    rows = measure(task(device, subject, (0, 0), (33, 5)))
    assert rows == measure(task(device, subject, (0, 0), (33, 5)))
    for row in rows:
        assert row.constant_time
        assert row.problem is None
        assert row.code_bytes
        assert row.set_up_cycles == 0
        assert row.protect_cycles > 0
    assert rows[0].cycles != rows[1].cycles


@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_leaky_cipher_is_found(device: str, tmp_path: Path) -> None:
    body = "for (volatile byte i = 0; i < (k[2] & 7); i++) {}"
    (row,) = measure(task(device, toy(cipher_folder(tmp_path / "leaky", body))))
    assert row.constant_time is False
    assert row.varies is not None
    assert row.varies[Operation.SEAL] > 0
    assert "open" not in row.varies


@pytest.mark.slow
@pytest.mark.parametrize("device", ONE_OF_EACH)
def test_a_wrong_cipher_has_no_figure(device: str, tmp_path: Path) -> None:
    # Right on this machine, wrong where pointers are short: as a shift of a
    # 16-bit int is.
    body = "if (sizeof(void *) < 8 && m != 0 && mlen > 20) c[20] ^= 1;"
    subject = toy(cipher_folder(tmp_path / "wrong", body))
    with pytest.raises(WrongAnswerError, match="wrong answer to seal"):
        measure(task(device, subject, (32, 4)))


def test_what_does_not_fit_is_reported(tmp_path: Path) -> None:
    (row,) = measure(task("atmega328p", toy(cipher_folder(tmp_path / "a")), (1500, 0)))
    assert row.cycles is None
    assert row.problem is not None
    assert "atmega328p has 2,048" in row.problem
    assert row.code_bytes


def test_variables_that_do_not_fit_are_reported(tmp_path: Path) -> None:
    folder = cipher_folder(
        tmp_path / "ram", "table[k[0]] = 1;", "volatile byte table[3000];"
    )
    (row,) = measure(task("atmega328p", toy(folder)))
    assert row.problem is not None
    assert "memory" in row.problem


def test_code_that_does_not_fit_is_reported(tmp_path: Path) -> None:
    folder = cipher_folder(
        tmp_path / "flash",
        "(void)*(const volatile byte *)&table[k[0]];",
        '__attribute__((section(".text"))) const byte table[32000] = {1};',
    )
    (row,) = measure(task("atmega328p", toy(folder)))
    assert row.problem is not None
    assert "memory" in row.problem


@pytest.mark.slow
def test_engine_and_assembly_give_the_answers_of_the_portable_code() -> None:
    device = devices.device("atmega128rfa1")
    for slug in ("aes128", "aes128-ccm-16", "aes128-cbc"):
        tasks = running.plan([device], [subjects.subject(slug)], [(33, 14)], ["O2"])
        rows = [measure(replace(t, samples=4))[0] for t in tasks]
        by_name = {row.implementation: row for row in rows}
        assert set(by_name) == {"portable", "engine", "assembly"}
        assert all(row.cycles is not None for row in rows)
        cycles = {name: row.protect_cycles for name, row in by_name.items()}
        assert cycles["engine"] < cycles["portable"] / 3
        assert cycles["assembly"] < cycles["portable"] / 3


@pytest.mark.slow
@pytest.mark.parametrize("device", [*ONE_OF_EACH, "atmega128rfa1"])
def test_the_phases_of_ccm_are_parts_of_the_whole(device: str) -> None:
    subject = subjects.subject("aes128-ccm-16-phases")
    tasks = running.plan([devices.device(device)], [subject], [(95, 14)], ["Os"])
    for each in tasks:
        (row,) = measure(replace(each, samples=3))
        cycles = row.cycles
        assert cycles is not None
        ends = (Operation.SEAL, SEALING_PARTS), (Operation.OPEN, OPENING_PARTS)
        for operation, parts in ends:
            assert sum(cycles[part] for part in parts) == cycles[operation]
            assert all(cycles[part] > 0 for part in parts)
        # Eight blocks are authenticated; seven are encrypted, with the tag's.
        assert cycles[Operation.VERIFICATION] > cycles[Operation.AUTHENTICATION]


def test_the_later_of_two_lines_counts(tmp_path: Path) -> None:
    subject = toy(cipher_folder(tmp_path / "sound"))
    (row,) = measure(task("atmega328p", subject))
    place = tmp_path / "results.jsonl"
    store.append(place, [row, replace(row, code_bytes=1)])
    (result,) = store.read(place)
    assert result.code_bytes == 1


def test_sizes_of_one_program_are_one_line(tmp_path: Path) -> None:
    subject = toy(cipher_folder(tmp_path / "sound"))
    # The last does not fit: it has no figures, only a reason.
    sizes = ((0, 0), (16, 0), (16, 4), (3000, 0))
    rows = measure(task("atmega328p", subject, *sizes))
    place = tmp_path / "results.jsonl"
    store.append(place, rows)
    # And one that names the files of which the program is made.
    assert len(place.read_text().splitlines()) == 3
    found = {one.identity: one for one in store.read(place)}
    assert found == {row.identity: row for row in rows}
    of_16_bytes = store.read(place, wanted=lambda message, ad: (message, ad) == (16, 4))
    assert of_16_bytes == [rows[2]]


@pytest.mark.slow
def test_run_prints_what_it_stores(tmp_path: Path) -> None:
    words = "bench run --device atmega328p --suite aes128-ccm-8 --opt O2 --message 16"
    chosen = (*words.split(), "--implementation", "assembly")
    done = samara(*chosen, "--json", "--store", "own.jsonl", folder=tmp_path)
    (result,) = objects(assert_done(done))
    assert result["implementation"] == "assembly"
    assert result["cycles"]["seal"]["value"] > 0
    assert result["cycles"]["seal"]["origin"] == "measured"
    (stored,) = store.read(tmp_path / "own.jsonl")
    assert stored.protect_cycles == result["cycles"]["seal"]["value"]


@pytest.mark.parametrize(
    ("name", "expected"), [("asembly", b"portable, "), ("engine", b"have portable")]
)
def test_an_implementation_that_is_not_there_is_reported(
    name: str, expected: bytes, tmp_path: Path
) -> None:
    words = f"--device atmega328p --suite aes128 --implementation {name}"
    done = samara("bench", "run", *words.split(), folder=tmp_path)
    assert_misuse(done, f"--implementation {name}")
    assert expected in done.stderr


def test_any_executor_can_measure(tmp_path: Path) -> None:
    tasks = [task("atmega328p", toy(cipher_folder(tmp_path / "sound")))]
    with ThreadPoolExecutor(1) as executor:
        (result,) = running.carry_out(tasks, executor)
    assert result.error == ""
    assert [one.has_figures for one in result.results] == [True]


@pytest.fixture
def own_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what is added remembered for one test only."""
    for name in ("core", "devices", "firmware", "published"):
        (tmp_path / name).symlink_to(root() / name)
    monkeypatch.setenv("SAMARA_ROOT", str(tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("own_root")
def test_add_measures_a_cipher_of_somebody_else(tmp_path: Path) -> None:
    folder = cipher_folder(tmp_path / "sound")
    words = "--name test-toy --device atmega328p --opt Os --message 16 --json"
    done = samara("bench", "add", folder, *words.split(), folder=tmp_path)
    result, kept = objects(assert_done(done))
    assert result["suite"] == "test-toy"
    assert (kept["type"], kept["name"]) == ("added_cipher", "test-toy")


@pytest.mark.slow
@pytest.mark.usefixtures("own_root")
def test_add_finds_headers_elsewhere_and_compares_with_a_suite(tmp_path: Path) -> None:
    folder = cipher_folder(tmp_path / "asks", extra='#include "elsewhere.h"')
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "elsewhere.h").write_text("#define UNUSED 1\n")
    words = "--name test-asks --device atmega328p --opt Os --message 16 --json"
    base: list[str | Path] = ["bench", "add", folder, *words.split()]
    assert_misuse(samara(*base, folder=tmp_path), "elsewhere.h")
    include: list[str | Path] = ["--include", tmp_path / "headers"]
    result, _ = objects(assert_done(samara(*base, *include, folder=tmp_path)))
    assert result["cycles"]["seal"]["value"] > 0
    # The name is that folder's now, and no suite of the registry's.
    assert_misuse(samara(*base, folder=tmp_path), "--replace")
    taken: list[str | Path] = ["bench", "add", folder, "--name", "aes128-gcm"]
    assert_misuse(samara(*taken, folder=tmp_path), "samara's own")
    other = [*base, "--replace", *include, "--same-as", "aes128-gcm"]
    assert_misuse(samara(*other, folder=tmp_path), "aes128-gcm takes 16, 12 and 16")


def test_a_cipher_in_assembly_is_compared_with_the_suite_it_claims_to_be(
    tmp_path: Path,
) -> None:
    # Every machine has this return: a cipher that does nothing.
    folder = tmp_path / "assembly"
    folder.mkdir()
    (folder / "api.h").write_text(
        "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NPUBBYTES 12\n"
        "#define CRYPTO_ABYTES 8\n"
    )
    names = ("crypto_aead_encrypt", "crypto_aead_decrypt")
    lines = "".join(f".global {name}\n{name}:\n" for name in names)
    (folder / "all.S").write_text(f".section .text\n{lines}  ret\n")
    source = Source(folder, same_as="grain128aead")
    subject = replace(
        toy(folder),
        source=source,
        reference=AddedCipher("toy", source, Sizes(16, 12, 8)),
        key_size=16,
        nonce_size=12,
        tag_size=8,
    )
    with pytest.raises(WrongAnswerError, match="wrong answer to seal"):
        measure(task("atmega328p", subject))


@pytest.mark.slow
def test_misuse_is_answered_with_one_sentence(tmp_path: Path) -> None:
    done = samara("bench", "run", "--device", "atmega32", folder=tmp_path)
    assert_misuse(done, "unknown device or chip 'atmega32'", "atmega328p")
    done = samara("bench", "run", "--opt", "O9", folder=tmp_path)
    assert_misuse(done, "O9")
    done = samara("bench", "add", tmp_path, "--name", "x", folder=tmp_path)
    assert_misuse(done, "api.h")


def test_every_device_says_where_its_figures_come_from(tmp_path: Path) -> None:
    found = objects(assert_done(samara("bench", "devices", "--json", folder=tmp_path)))
    assert len(found) >= 8
    for device in found:
        assert device["active_current"]["source"]
        assert device["supply_voltage"]["source"]
