# SPDX-License-Identifier: Apache-2.0
"""Whole runs: what is good passes, what is bad on purpose is found, and runs go on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import (
    PROGRAM,
    TIMEOUT_S,
    assert_misuse,
    environment,
    objects,
    said,
    samara,
)

from samara.errors import MisuseError
from samara.randomness import programs
from samara.randomness.judging import judge
from samara.randomness.reading import failing
from samara.randomness.settings import Battery, Settings
from samara.randomness.sources import BAD

from .runs import summary_of

if TYPE_CHECKING:
    from pathlib import Path

FOUND_BY = {
    "counter": "serial",
    "biased": "frequency",
    "lcg": "spectral",
    "lfsr": "linear complexity",
    "rc4-head": "non-overlapping template",
    "grain-64": "rank",
    "speck-6": "spectral",
    "air-plain": "serial",
}
"""One of the tests that find each bad source."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FOUND_BY)
def test_a_bad_source_is_found(name: str) -> None:
    # RC4's bias is small: it takes a million bits, and eight sequences.
    size = (8, 1_000_000) if name == "rc4-head" else (4, 100_000)
    summary = summary_of(f"bad:{name}", *size)
    assert not summary.verdict.passes
    assert FOUND_BY[name] in failing(summary)


def test_every_bad_source_is_tried() -> None:
    assert set(FOUND_BY) == set(BAD)


@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    ["aes128-ctr", "modspeck128-128-ctr", "grain128ple", "cbc:aes128",
     "key-avalanche:speck128-128", "predictable:mt19937"],
)  # fmt: skip
def test_a_good_source_passes(source: str) -> None:
    assert summary_of(source, 60, 20_000).verdict.passes


def run(folder: Path, *words: str) -> tuple[int, list[dict[str, object]]]:
    done = samara("randomness", "run", *words, "--jobs", "1", "--json", folder=folder)
    assert b"Traceback" not in done.stderr, done
    return done.returncode, objects(done.stdout)


def test_the_exit_status_is_the_verdict(tmp_path: Path) -> None:
    (tmp_path / "zeros").write_bytes(bytes(2000))
    code, found = run(tmp_path, "file:zeros", "--bits", "8000")
    assert code == 1
    assert found[-1]["sequences"] == 2
    assert found[-1]["passes"] is False
    code, found = run(tmp_path, "aes128-ctr", "--bits", "8000", "--sequences", "3")
    assert code == 0
    assert found[0]["seed"] == 1
    facts = found[0]["facts"]
    assert isinstance(facts, dict)
    assert set(facts) == {"suite", "key", "nonce"}


def test_a_file_that_is_too_short_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "short").write_bytes(bytes(999))
    done = samara("randomness", "run", "file:short", "--bits", "8000", folder=tmp_path)
    assert_misuse(done, "holds 7,992 bits", "takes 8,000", "--bits")
    (tmp_path / "empty").write_bytes(b"")
    done = samara("randomness", "run", "file:empty", folder=tmp_path)
    assert_misuse(done, "file:empty holds 0 bits", "takes 1,000,000")
    done = samara(
        "randomness", "run", "-", "--bits", "8000", given=b"x", folder=tmp_path
    )
    assert_misuse(done, "ended before its first sequence", "--bits")
    done = samara("randomness", "run", "file:none", folder=tmp_path)
    assert_misuse(done, "none: No such file")


def test_a_file_s_name_alone_is_explained(tmp_path: Path) -> None:
    (tmp_path / "bits").write_bytes(bytes(999))
    done = samara("randomness", "run", "bits", folder=tmp_path)
    assert_misuse(done, "unknown suite 'bits'", "file:bits tests the file")
    done = samara("randomness", "run", "bytes", folder=tmp_path)
    assert_misuse(done, "unknown suite 'bytes'", "samara randomness sources lists")


def test_what_is_said_counts_right(tmp_path: Path) -> None:
    words = ["randomness", "run", "aes128-ctr", "--bits", "2000", "--jobs", "1"]
    done = samara(*words, "--sequences", "1", folder=tmp_path)
    assert any("1 sequence says little" in line for line in said(done))
    done = samara(*words, "--sequences", "2", folder=tmp_path)
    assert any("the other sequence of 2,000 bits takes" in line for line in said(done))
    done = samara(*words, "--sequences", "3", folder=tmp_path)
    assert any("the other 2 sequences of 2,000 bits" in line for line in said(done))


@pytest.mark.slow
def test_workers_and_pipes_change_nothing(tmp_path: Path) -> None:
    words = ["--bits", "8000", "--sequences", "6"]
    _, here = run(tmp_path, "aes128-ctr", *words)
    done = samara("randomness", "run", "aes128-ctr", *words, "--jobs", "2", "--json",
                  folder=tmp_path)  # fmt: skip
    assert objects(done.stdout) == here
    facts = here[0]["facts"]
    assert isinstance(facts, dict)
    stream = samara("keystream", "aes128-ctr", "--key", str(facts["key"]), "--nonce",
                    str(facts["nonce"]), "--bytes", "6000", "--raw",
                    folder=tmp_path)  # fmt: skip
    done = samara("randomness", "run", "-", *words, "--jobs", "1", "--json",
                  given=stream.stdout, folder=tmp_path)  # fmt: skip
    assert objects(done.stdout)[1:] == here[1:]


@pytest.mark.slow
def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    words = ["aes128-ctr", "--bits", "200000", "--sequences", "60", "--jobs", "1"]
    call = [str(PROGRAM), "randomness", "run", *words, "-o", "run", "--json"]
    with subprocess.Popen(
        call, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        kept = tmp_path / "run" / "p-values.jsonl"
        end = time.monotonic() + TIMEOUT_S
        while not kept.exists() or kept.read_text().count("\n") < 3:
            assert time.monotonic() < end
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT_S)
    if process.returncode != 130:
        pytest.fail(f"ended before it was interrupted: {err!r}")
    assert b"goes on" in err
    first = objects(out)[-1]["sequences"]
    assert 3 <= first < 60
    # A line that was cut off is computed again.
    with kept.open("a") as file:
        file.write("[0.5, 0.")
    again = subprocess.run(
        call, cwd=tmp_path, env=environment(), capture_output=True,
        timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert again.returncode == 0
    assert len(kept.read_text().splitlines()) == 60
    whole = samara("randomness", "run", *words, "--json", folder=tmp_path)
    assert objects(whole.stdout) == objects(again.stdout)
    other = samara("randomness", "run", *words, "--seed", "2", "-o", "run",
                   folder=tmp_path)  # fmt: skip
    assert_misuse(other, "seed 1, not 2")


def test_bits_as_text_are_warned_of(tmp_path: Path) -> None:
    done = samara("randomness", "run", "-", "--bits", "8000", "--jobs", "1",
                  given=b"01" * 500 + b"\n", folder=tmp_path)  # fmt: skip
    assert done.returncode == 1
    assert any("nothing but the characters 0 and 1" in line for line in said(done))


def test_a_program_does_not_replace_a_run(tmp_path: Path) -> None:
    words = ["aes128-ctr", "--bits", "8000", "--sequences", "1", "-o", "run"]
    assert run(tmp_path, *words)[0] == 0
    done = samara("randomness", "run", *words, "--battery", "ent", folder=tmp_path)
    assert_misuse(done, "has a run of NIST's tests")


def test_what_was_not_stored_cannot_go_on(tmp_path: Path) -> None:
    words = ["randomness", "run", "-", "--bits", "8000", "-o", "run", "--jobs", "1"]
    data = bytes(np.random.default_rng(1).bytes(3000))
    done = samara(*words, given=data, folder=tmp_path)
    assert done.returncode == 0, said(done)
    again = samara(*words, given=data, folder=tmp_path)
    assert_misuse(again, "cannot go on", "another directory")


def test_ent_measures_what_it_should(tmp_path: Path) -> None:
    words = ["--battery", "ent", "--bits", "800000", "--sequences", "1"]
    code, found = run(tmp_path, "aes128-ctr", *words)
    assert code == 0
    assert len(found) == 6
    code, found = run(tmp_path, "bad:biased", *words)
    assert code == 1
    done = samara("randomness", "run", "-", "--battery", "ent", given=bytes(9),
                  folder=tmp_path)  # fmt: skip
    assert_misuse(done, "fewer than 10000 bytes")


def found_by(
    stream: programs.Stream, tests: tuple[programs.Part, ...]
) -> list[programs.BatteryPValue]:
    """Return what Dieharder's tests found, without how far they are."""
    parts = programs.dieharder(stream, tests)
    return [each for each in parts if isinstance(each, programs.BatteryPValue)]


def test_dieharder_finds_a_counter_and_not_aes() -> None:
    # Counting the ones in a stream takes 0.2 s; the whole battery takes minutes.
    for source, passes in (("aes128-ctr", True), ("bad:counter", False)):
        settings = Settings(source, Battery.DIEHARDER, 1, 1, 1)
        stream = programs.Stream(settings, None)
        found = found_by(stream, (programs.Part(8),))
        assert [one.name for one in found] == ["diehard_count_1s_str"]
        names = [one.name for one in found]
        verdict = judge(names, names, programs.as_row(found))
        assert verdict.passes == passes


@pytest.mark.slow
def test_dieharder_s_tests_have_the_widths_that_they_need() -> None:
    # Without one, test 200 is not run, and 201 fails any source.
    for number in range(200, 204):
        widths = [one.width for one in programs.DIEHARDER_TESTS if one.number == number]
        assert len(widths) > 1
        assert None not in widths
    settings = Settings("aes128-ctr", Battery.DIEHARDER, 1, 1, 1)
    parts = tuple(programs.Part(202, width) for width in (2, 3))
    stream = programs.Stream(settings, None)
    found = found_by(stream, parts)
    assert [one.name for one in found] == ["rgb_permutations 2", "rgb_permutations 3"]
    assert judge(["", ""], ["", ""], programs.as_row(found)).passes


def test_a_test_of_dieharder_that_does_not_run_is_an_error() -> None:
    settings = Settings("aes128-ctr", Battery.DIEHARDER, 1, 1, 1)
    stream = programs.Stream(settings, None)
    with pytest.raises(MisuseError, match="no result of its test 200"):
        found_by(stream, (programs.Part(200),))


AS_ON_THE_COMMAND_LINE = """
import signal
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
from samara.randomness import programs
from samara.randomness.settings import Battery, Settings
stream = programs.Stream(Settings("aes128-ctr", Battery.DIEHARDER, 1, 1, 1), None)
twice = (programs.Part(8),) * 2
found = programs.dieharder(stream, twice)
print(sum(isinstance(each, programs.BatteryPValue) for each in found))
"""


def test_a_program_that_has_enough_does_not_end_the_command(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AS_ON_THE_COMMAND_LINE], cwd=tmp_path,
        env=environment(), capture_output=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"2\n"), done


def test_dieharder_ends_with_its_source(tmp_path: Path) -> None:
    done = samara("randomness", "run", "-", "--battery", "dieharder",
                  given=bytes(1000), folder=tmp_path)  # fmt: skip
    assert done.returncode == 2
    assert "too few bytes" in said(done)[-1]
    done = samara("randomness", "run", "urandom", "--battery", "dieharder", "--bits",
                  "100", folder=tmp_path)  # fmt: skip
    assert_misuse(done, "leave out --sequences and --bits")


def test_a_summary_is_read_as_it_was_written(tmp_path: Path) -> None:
    from samara.randomness import storing  # noqa: PLC0415

    summary = summary_of("bad:counter", 2, 8000)
    storing.write_summary(tmp_path / "summary.jsonl", summary)
    (path,) = storing.summaries(tmp_path)
    assert storing.read_summary(path) == summary
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert rows[-1]["passes"] is False
