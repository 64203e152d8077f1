# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import pytest

from testing import planted_choice
from testing.planted_choice import SAMPLE, chosen, sample
from testing.planted_rows import FOLDER, Mutation, rows_in

ROW = Mutation("python", "test_tally", "tools/testing/tally.py", "a", "b", "a-name")
MANY = [replace(ROW, name=f"row-{number}") for number in range(10 * SAMPLE)]


def choose(
    monkeypatch: pytest.MonkeyPatch, rows: list[Mutation], *changed: str
) -> list[Mutation]:
    monkeypatch.setattr(planted_choice, "changed", lambda: set(changed))
    monkeypatch.setattr(planted_choice, "head", lambda: "0123")
    monkeypatch.setattr(planted_choice, "SAMPLE", 0)
    return chosen(rows)


def test_each_commit_draws_others_and_all_have_their_turn() -> None:
    drawn = [sample(MANY, f"commit {number}") for number in range(200)]
    assert {len(set(rows)) for rows in drawn} == {SAMPLE}
    assert drawn[0] != drawn[1]
    assert drawn[0] == sample(MANY, "commit 0")
    assert {row for rows in drawn for row in rows} == set(MANY)


@pytest.mark.parametrize("changed", [ROW.file, "tests/tools/test_tally.py"])
def test_a_row_whose_file_or_test_changed_is_planted(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = replace(ROW, file="src/a.py", only="test_lint", name="other")
    assert choose(monkeypatch, [other, ROW], changed) == [ROW]
    assert choose(monkeypatch, [other, ROW], "README.md") == []


def test_a_row_that_main_does_not_have_is_planted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = FOLDER / "foundations.toml"
    first, second, *others = rows_in(path.read_text(), path.name)
    _, _, before = path.read_text().partition("[[mutation]]")
    before = "[[mutation]]" + before.replace(f'"{first.name}"', '"old-name"')
    monkeypatch.setattr(planted_choice, "of_main", lambda _: before)
    name = "tests/mutations/foundations.toml"
    assert choose(monkeypatch, [second, first, *others], name) == [first]
    monkeypatch.setattr(planted_choice, "of_main", lambda _: "")
    assert len(choose(monkeypatch, [first, second], name)) == 2


def test_the_sample_follows_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planted_choice, "changed", lambda: {"src/a.py"})
    monkeypatch.setattr(planted_choice, "head", lambda: "0123")
    changed = replace(ROW, file="src/a.py", name="changed")
    rows = chosen([*MANY, changed])
    assert rows == [changed, *sample(MANY, "0123")]
