# SPDX-License-Identifier: Apache-2.0
from pathlib import Path

import pytest

from testing import green_record
from testing.green_record import GreenRecord, record_of


def test_what_passed_is_known_to_the_next_run(tmp_path: Path) -> None:
    path = tmp_path / "new" / "record.txt"
    GreenRecord(path).add("aa", "one of them")
    GreenRecord(path).add("bb", "another")
    assert GreenRecord(path).note("aa") == "one of them"
    assert GreenRecord(path).note("bb") == "another"
    assert GreenRecord(path).note("cc") is None


def test_what_fails_now_is_on_record_no_more(tmp_path: Path) -> None:
    record = GreenRecord(tmp_path / "record.txt")
    record.add("aa", "one")
    record.add("bb", "two")
    record.drop("aa")
    record.drop("cc")
    for each in (record, GreenRecord(tmp_path / "record.txt")):
        assert (each.note("aa"), each.note("bb")) == (None, "two")


def test_another_run_adds_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    one, other = GreenRecord(path), GreenRecord(path)
    one.add("aa", "one")
    other.add("bb", "two")
    one.drop("aa")
    assert path.read_text() == "bb two\n"


def test_only_the_last_lines_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(green_record, "_KEPT_LINES", 2)
    path = tmp_path / "record.txt"
    path.write_text("a 1\nb 2\nc 3\nd 4\ncut-off\n")
    record = GreenRecord(path)
    assert (record.note("c"), record.note("d")) == (None, "4")
    assert path.read_text() == "d 4\ncut-off\n"


def test_an_automatic_builder_takes_nothing_from_a_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CI", raising=False)
    record_of("checks").add("aa", "one")
    assert record_of("checks").note("aa") == "one"
    assert record_of("others").note("aa") is None
    monkeypatch.setenv("CI", "true")
    assert record_of("checks").note("aa") is None
    record_of("checks").add("bb", "two")
    assert (tmp_path / "samara" / "checks.txt").read_text() == "aa one\n"
