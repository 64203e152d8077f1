# SPDX-License-Identifier: Apache-2.0
"""What README and docs advise is what results/ say."""

from __future__ import annotations

import itertools
import random
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench.results import changed, refused, result

from doc_figures import ledger
from doc_figures.blocks import blocks
from doc_figures.found import figures, replaced
from doc_figures.pages import Page, pages
from doc_figures.values import value_of
from samara.bench.report import choosing

if TYPE_CHECKING:
    from samara.bench.results import Result

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "figures-in-docs"
ADVISE = ("README.md", "docs/ciphers.md")


def called(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [TOOL, *arguments], capture_output=True, text=True, timeout=600, check=False
    )


def row(device: str, suite: str, cycles: int, code: int, **other: Any) -> Result:  # noqa: ANN401 - fields have all kinds of values
    counts = {"set_up": 9, "seal": cycles}
    made = result(device, suite, (32, 14), code=code)
    return changed(made, cycles=counts, **other)


ROWS = [
    row("small", "aes128-ccm-8", 70_752, 3_332),
    row("small", "ascon-aead128", 119_538, 5_480),
    row("small", "grain128aead", 458_721, 14_278),
    row("wide", "aes128-ccm-8", 77_000, 2_720),
    row("wide", "ascon-aead128", 8_610, 1_736),
    row("wide", "grain128aead", 16_455, 3_500),
    # None of these counts: other flags, sizes, suites, or without figures.
    row("small", "ascon-aead128", 1, 1, opt="O3"),
    row("small", "ascon-aead128", 1, 1, message_bytes=16),
    row("small", "ascon-aead128", 1, 1, ad_bytes=0),
    row("small", "aes128-ccm-16", 1, 1),
    refused("small", "ascon-aead128", "does not fit"),
    # Of two implementations the better one counts; a device needs all three.
    row("wide", "ascon-aead128", 9_000, 2_000),
    row("lone", "aes128-ccm-8", 5, 5),
]


def test_the_advice_follows_from_the_figures() -> None:
    found = choosing.costs(ROWS)
    assert sorted(found) == ["small", "wide"]
    assert found["small"]["ascon-aead128"] == choosing.Cost(119_538, 5_480)
    assert found["wide"]["ascon-aead128"] == choosing.Cost(8_610, 1_736)
    said = choosing.sentence(ROWS)
    assert "take `aes128-ccm-8` on small; `ascon-aead128` on wide." in said
    assert said.endswith("On none it is `grain128aead`.")
    lines = choosing.table(ROWS).splitlines()
    assert lines[2] == (
        "| small | 70,752 cycles, 3,332 bytes | 119,538 cycles, 5,480 bytes"
        " | 458,721 cycles, 14,278 bytes | `aes128-ccm-8` |"
    )
    assert lines[3].endswith("| `ascon-aead128` |")
    # Neither the fewest cycles nor the least code alone: their product.
    odd = {
        "aes128-ccm-8": choosing.Cost(100, 100),
        "ascon-aead128": choosing.Cost(1000, 90),
        "grain128aead": choosing.Cost(90, 1000),
    }
    assert choosing.choice(odd) == "aes128-ccm-8"
    better = [*ROWS, row("small", "grain128aead", 10, 10)]
    assert "`grain128aead` on small" in choosing.sentence(better)


@pytest.mark.slow
def test_docs_have_the_figures_of_results() -> None:
    generated = blocks(ROOT / "results")
    for page in pages(ROOT):
        assert page.with_blocks(generated) == page, page.path
    for name in ADVISE:
        assert "<!-- figures: choice -->\nFor a new" in (ROOT / name).read_text()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a directory with the pages of the project, and its results."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "README.md", tmp_path)
    (tmp_path / "results").symlink_to(ROOT / "results")
    return tmp_path


@pytest.mark.slow
def test_other_figures_are_found_and_mended(project: Path) -> None:
    ciphers, energy = project / "docs" / "ciphers.md", project / "docs" / "energy.md"
    rows = project / "docs" / "figures" / "energy.csv"
    right = [path.read_text() for path in (ciphers, energy, rows)]
    ciphers.write_text(right[0].replace("| atmega328p | ", "| atmega328p | 1"))
    energy.write_text(
        right[1].replace("software at most 24.6", "software at most 26.4")
    )
    rows.write_text(right[2].replace(",22.9,", ",29.2,"))
    check = called("--check", "--root", project)
    assert check.returncode == 1
    assert "docs/ciphers.md is out of date: run tools/figures-in-docs" in check.stdout
    assert "docs/energy.md: 26.4 is 24.6 by paper.ours(1): " in check.stdout
    assert "docs/energy.md: 29.2 is 22.9 by paper.software_least: " in check.stdout
    assert "at most 26.4" in energy.read_text()
    assert called("--root", project).returncode == 0
    assert [path.read_text() for path in (ciphers, energy, rows)] == right


def test_notebooks_are_checked_as_their_pages_are(project: Path) -> None:
    checked = {page.path: page for page in pages(project) if page.rows}
    docs = project / "docs"
    notebooks = [
        path
        for path in (docs / "notebook").glob("*.md")
        if docs / path.name in checked and figures(path.read_text())
    ]
    assert len(notebooks) >= 2
    for path in notebooks:
        assert path in checked, path
        path.write_text(path.read_text() + "\nA block takes 1,234.5 cycles.\n")
    for page in pages(project):
        if page.path in notebooks:
            (differences,) = page.differences(VALUE)
            assert differences.startswith("1,234.5 has no row: ")


def test_a_new_figure_gets_a_row(project: Path) -> None:
    energy = project / "docs" / "energy.md"
    energy.write_text(energy.read_text() + "\nA frame takes 1.25 mJ.\n")
    (page,) = (page for page in pages(project) if page.path == energy)
    page.with_rows().write(page)
    rows = (project / "docs" / "figures" / "energy.csv").read_text()
    assert rows.endswith(",A frame takes [] mJ.,1.25,?,\n")


PAGES = [page for page in pages(ROOT) if page.rows]
VALUE = value_of(ROOT / "results")


def named(page: Page) -> str:
    """Return the name of a test of a page: notebooks have those of other pages."""
    return str(page.path.relative_to(ROOT).with_suffix(""))


def exchanged(figure: str, chance: random.Random) -> str:
    """Return a figure with two digits exchanged, or one that is another."""
    places = [i for i, letter in enumerate(figure) if letter.isdigit()]
    pairs = [
        (i, j) for i, j in itertools.combinations(places, 2) if figure[i] != figure[j]
    ]
    letters = list(figure)
    if pairs:
        i, j = chance.choice(pairs)
        letters[i], letters[j] = letters[j], letters[i]
    else:
        letters[places[0]] = "7" if letters[places[0]] != "7" else "2"
    return "".join(letters)


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_figure_has_an_origin(page: Page) -> None:
    assert not page.differences(VALUE)
    assert len(figures(page.text)) == len(page.rows)
    for row in page.rows:
        assert row.origin in {
            *("computed", "defined", "measured", "published", "estimated"),
            *("host clock", "emulated", "assumed"),
        }
        assert row.source.strip()


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_an_exchanged_digit_is_found(page: Page) -> None:
    chance = random.Random(page.path.stem)  # noqa: S311 - no secrets
    found = figures(page.text)
    for i in chance.sample(range(len(found)), min(25, len(found))):
        other = exchanged(found[i].figure, chance)
        text = replaced(page.text, iter([(found[i], other)]))
        differences = ledger.differences(text, page.rows, VALUE)
        assert differences, (found[i], other)
        assert all(one.startswith(other) for one in differences)
        if page.rows[i].origin != "computed":
            continue
        rows = list(page.rows)
        rows[i] = replace(rows[i], figure=other)
        assert ledger.differences(text, rows, VALUE), (found[i], other)


def test_what_is_a_figure() -> None:
    page = """# Costs
## Costs of 3 kinds
In 2015, AES-128 of IEEE 802.15.4 (RFC 6298, levels 5 to 7) took 1,234 cycles,
3 to 5 ms or -0.5 %; `sealed 17 bytes`, [18](x19.md). One of 3 has 42.

    samara 77 bytes

| what | 16 MHz | 8 MHz |
|---|---|---|
| seal | 2 ms | 4.5 |
<!-- figures: x -->
99 bytes
<!-- end of figures -->
### At AES-128, 5 %

Then \N{MINUS SIGN}12.5 to +3 °C.
"""
    found = figures(page)
    assert [one.figure for one in found] == [
        *("1,234", "3", "5", "-0.5", "18", "42", "16", "8", "2", "4.5"),
        *("5", "\N{MINUS SIGN}12.5", "+3"),
    ]
    assert found[0].section == "Costs of # kinds"
    assert found[-1].section == "Costs of # kinds / At AES-128, # %"
    assert found[-1].text == "Then # to [] °C."
    assert found[8].text == "seal | # MHz | [] ms"
    assert all(page[one.start : one.end] == one.figure for one in found)


def test_figures_that_come_and_go_are_found() -> None:
    (page,) = (page for page in PAGES if named(page) == "docs/energy")
    longer = page.text + "\nA frame takes 1.25 mJ.\n"
    (differences,) = ledger.differences(longer, page.rows, VALUE)
    assert differences.startswith("1.25 has no row: ")
    fitted = ledger.fitted(longer, page.rows)
    assert fitted[:-1] == page.rows
    assert (fitted[-1].figure, fitted[-1].origin) == ("1.25", "?")
    (differences,) = ledger.differences(longer, fitted, VALUE)
    assert differences.startswith("1.25 has no origin: ")
    (differences,) = ledger.differences(page.text, fitted, VALUE)
    assert differences.endswith(": 1.25 was")
    assert ledger.fitted(page.text, fitted) == page.rows
    # Other words around a figure: it keeps its origin, and is held to its row.
    edited = page.text.replace("software at most 24.6", "software no more than 24.6")
    assert ledger.differences(edited, page.rows, VALUE)
    kept = ledger.fitted(edited, page.rows)
    assert not ledger.differences(edited, kept, VALUE)
    assert [row.origin for row in kept] == [row.origin for row in page.rows]


def test_a_value_is_shown_as_the_page_has_it() -> None:
    assert ledger.shown(24.593, "26.4") == "24.6"
    assert ledger.shown(1234.5678, "9,999.99") == "1,234.57"
    assert ledger.shown(20000, "1000") == "20000"
    assert ledger.shown(12_345, "999") == "12,345"
    assert ledger.shown(-3.4, "\N{MINUS SIGN}1") == "\N{MINUS SIGN}3"
    assert ledger.shown(3.4, "+1.0") == "+3.4"


def test_the_directories_of_the_design_exist() -> None:
    design = (ROOT / "docs" / "design.md").read_text()
    section = design.partition("## Directories")[2].partition("\n## ")[0]
    listed = section.partition("\n    ")[2].partition("\n\n")[0]
    named = re.findall(r"([A-Za-z0-9_.]+)/", listed)
    folders = {path.name for path in ROOT.glob("[!.b]*/**") if path.is_dir()} | {".ci"}
    assert len(named) > 30
    # `<machine>/` and `<name>/` stand for several.
    assert set(named) <= folders, set(named) - folders


def test_what_is_planned_is_not_there() -> None:
    design = (ROOT / "docs" / "design.md").read_text()
    planned = design.partition("## Planned")[2]
    folders = [ROOT / name for name in re.findall(r"`([a-z0-9_/]+)/`", planned)]
    there = {str(path.relative_to(ROOT)) for path in folders if path.is_dir()}
    assert there == {"firmware"}
    assert len(folders) == len(there)
