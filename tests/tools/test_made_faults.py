# SPDX-License-Identifier: Apache-2.0
"""Faults made by rule, by hand for small sources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from testing.edit import whole_edit
from testing.made_faults import edits, made_in, repeated
from testing.planted_rows import Mutation, RowError
from testing.repeated_rows import without
from testing.session import ROOT


def made(name: str, source: str) -> set[str]:
    return {edit.made(source) for edit in edits(name, source)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = b < c", {"a = b <= c", "pass"}),
        ("a = b is not c", {"a = b is c", "pass"}),
        ("a = b + c", {"a = b - c", "a = b", "a = c", "pass"}),
        ("a = b and c", {"a = b or c", "a = b", "a = c", "pass"}),
        ("a = not b", {"a = (b)", "pass"}),
        ("a = 9", {"a = 10", "a = 8", "pass"}),
        ("a = 0xF", {"a = 0x10", "a = 0xe", "pass"}),
        ("a = 0.5", {"a = 5.0", "pass"}),
        ("a = True", {"a = False", "pass"}),
        ("f(b, c)", {"f(c, b)", "f(b)", "f(c)", "pass"}),
        ("min(b, key=c)", {"max(b, key=c)", "min(b)", "min(key=c)", "pass"}),
        # The places of a tree count bytes.
        ("a = 'µµ', b < c", {"a = 'µµ', b <= c", "a = 'µµ'", "a = b < c", "pass"}),
        ("a: int = b", set()),
        ('"""A text."""', set()),
    ],
)
def test_faults_of_a_line_of_python(source: str, expected: set[str]) -> None:
    assert made("one.py", source) == expected


def test_a_statement_among_others_goes_with_its_line() -> None:
    source = "def f():\n    a()\n    return b\n"
    assert made("one.py", source) == {
        "def f():\n    return b\n",
        "def f():\n    a()\n    return None\n",
    }


def test_conditions_of_python() -> None:
    changed = made("one.py", "if a:\n    b()\n")
    tests = ("not (a)", "True", "False")
    assert changed == {
        *(f"if {test}:\n    b()\n" for test in tests),
        "if a:\n    pass\n",
    }


def test_faults_of_c() -> None:
    source = "#define A 1\nvoid f(void) {\n  // b < 1\n  if (a < 0x0fu) b = 7;\n}\n"
    line = "  if (a < 0x0fu) b = 7;"
    changed = {text.splitlines()[3] for text in made("one.c", source)}
    assert changed == {
        line.replace("<", "<="),
        line.replace("0x0fu", "0x10u"),
        line.replace("0x0fu", "0xeu"),
        line.replace("7", "8"),
        line.replace("7", "6"),
        *(line.replace("a < 0x0fu", test) for test in ("!(a < 0x0fu)", "0", "1")),
    }
    assert all(text.startswith("#define A 1\n") for text in made("one.c", source))


def test_statements_of_c_are_left_out() -> None:
    source = "  wipe(a, b);\n  c ^= d;\n  return e;\n"
    assert made("one.c", source) >= {
        "  ;\n  c ^= d;\n  return e;\n",
        "  wipe(a, b);\n  return e;\n",
        "  wipe(a, b);\n  c = d;\n  return e;\n",
    }


def test_changes_that_make_the_same_text_are_equal() -> None:
    source = "one\none\ntwo\n"
    first, second = "one\ntwo\n", "one\ntwo\n"
    assert whole_edit(source, first) == whole_edit(source, second)
    assert whole_edit("aab", "ab") == whole_edit("aab", "ab").least("aab")
    assert whole_edit("ab", "aab").shown("ab") == "line 1: '' -> 'a'"
    assert whole_edit("ab", "aab").begin == 1


def row_of(find: str, text: str) -> Mutation:
    name = "tools/testing/counts.py"
    assert (ROOT / name).read_text().count(find) == 1
    return Mutation("python", "test_tally", name, find, text, "a-row")


@pytest.mark.slow
def test_a_row_whose_text_is_made_by_rule_is_reported() -> None:
    made_too = row_of("skipped=1", "skipped=2")
    by_hand = row_of("skipped=1", "skipped=7")
    # Neither of these is found by what is run for the rule's.
    elsewhere = replace(made_too, stage="lint")
    by_another = replace(made_too, only="test_modem")
    rows = [made_too, by_hand, elsewhere, by_another]
    assert list(repeated(rows)) == [made_too]


@pytest.mark.slow
def test_faults_of_a_file_have_the_tests_that_import_it() -> None:
    rows = made_in("tools/testing/tally.py")
    assert len({row.name for row in rows}) > 10
    assert all(row.stage == "python" for row in rows)
    assert "test_tally" in rows[0].only.split(" or ")
    assert [row.name for row in made_in("tools/testing/tally.py")] == [
        row.name for row in rows
    ]
    assert {made_in("core/common/overlap.h")[0].test} == {"c -k 'gcc-O2'"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README.md", "core/arch/avr/aes.c", "tools/setup"])
def test_files_without_a_test_or_a_rule_are_refused(name: str) -> None:
    with pytest.raises((RowError, OSError)):
        made_in(name)


def test_rows_are_dropped_by_name() -> None:
    rows = [f'[[mutation]]\nname = "{name}"\nfile = "f"\n' for name in ("a", "b", "c")]
    text = "# What these are.\n\n" + "\n".join(rows)
    expected = "# What these are.\n\n" + "\n".join([rows[0], rows[2]])
    assert without(text, {"b"}) == expected
    assert without(text, {"c", "a"}) == f"# What these are.\n\n{rows[1]}"
