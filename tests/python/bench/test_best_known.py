# SPDX-License-Identifier: Apache-2.0
"""How far our ciphers are from the best public code, by figures counted by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bench.results import changed, refused, result, write

from samara.bench import beside_public, best_known, devices, published, store
from samara.bench.best import BestRequest
from samara.bench.best import best as best_code
from samara.bench.report import best, general, leastwork, linkrows
from samara.bench.report.papers import grain128aead, link_security, modspeck
from samara.bench.report.selecting import Results
from samara.figure import Origin
from samara.records import Digest, Remark, charts, records_of
from samara.records.json_lines import record_line
from samara.records.parts import Plot
from samara.records.tables import NOT_MEASURED, NOTHING, Table

if TYPE_CHECKING:
    from samara.bench.results import Result
    from samara.records.parts import Section
    from samara.records.tables import Cell

ROOT = Path(__file__).parents[3]
UNO = devices.device("atmega328p")
M3 = devices.device("cortex-m3")
FRAME = (95, 14)


def section(*rows: Result, device: str = "atmega328p") -> Section:
    return general.section(devices.device(device), Results(rows))


def row_of(found: Section, slug: str, name: str) -> dict[str, Cell]:
    (table,) = [each for each in found.tables() if each.slug == slug]
    (row,) = [each for each in table.rows if each.cells[0].text == name]
    titles = [column.title for column in table.columns]
    return dict(zip(titles, row.cells, strict=True))


def findings(found: Section) -> str:
    return "\n".join(part.text for part in found.parts if isinstance(part, Remark))


# The data


def test_every_row_is_of_a_device_or_family_and_says_where_it_is_from() -> None:
    names = {device.name for device in devices.devices()}
    families = {device.family.name for device in devices.devices()}
    for row in best_known.known():
        assert row.processor in names | families
        assert row.source
        assert row.operation in {"seal", "encrypt", "decrypt", "set_up"}
        # Where our cycles are estimates, what is exact is compared.
        exact = row.processor in {"atmega328p", "avr", "msp430", "ibex"}
        assert row.metric == ("cycles" if exact else "instructions")


@pytest.mark.parametrize(
    ("device", "suite", "sizes", "count"),
    [
        ("atmega128", "aes128-ccm-16", FRAME, 38_584),
        ("atmega128", "aes128-ccm-16", (1224, 40), 396_085),
        ("atmega128", "grain128aead", (1224, 40), 1_549_227),
        ("atmega128", "ascon-aead128", (1224, 40), 489_052),
        ("atmega328p", "aes128", (16, 0), 2095),
        ("atmega328p", "speck128-128", (16, 0), 2465),
        ("msp430f1611", "grain128aead", (1224, 40), 1_029_510),
        ("msp430f1611", "aes128", (16, 0), 2112),
        ("cortex-m3", "ascon-aead128", (1224, 40), 49_963),
        ("cortex-m3", "grain128aead", (1224, 40), 229_276),
    ],
)
def test_the_fastest_is_the_best(
    device: str, suite: str, sizes: tuple[int, int], count: int
) -> None:
    found = best_known.best(devices.device(device), suite, sizes)
    assert found is not None
    assert found.count == count


def test_nothing_is_known_of_others() -> None:
    assert best_known.best(UNO, "aes128-ccm-16", (95, 13)) is None
    assert best_known.best(UNO, "simon128-128") is None
    assert best_known.best(M3, "speck128-128") is None
    assert beside_public.rated(result("a-device", "aes128")) is None


# Ratios


def test_sealing_counts_set_up_and_a_block_does_not() -> None:
    frame = best_known.best(UNO, "aes128-ccm-16", FRAME)
    block = best_known.best(UNO, "aes128")
    assert frame is not None
    assert block is not None
    # Set-up is 100 cycles: (77,068 + 100) / 38,584; 4,190 / 2,095.
    sealed = result("atmega328p", "aes128-ccm-16", FRAME, cycles=77_068)
    assert best_known.ratio(sealed, frame) == pytest.approx(77_168 / 38_584)
    assert best_known.ratio(result("atmega328p", "aes128", cycles=4190), block) == 2


def test_instructions_are_compared_with_instructions() -> None:
    row = best_known.best(M3, "ascon-aead128", (1224, 40))
    assert row is not None
    counts = {"set_up": 0, "seal": 2 * 49_963, "open": 1}
    ours = result("cortex-m3", "ascon-aead128", (1224, 40), instructions=counts)
    assert best_known.ratio(ours, row) == 2
    assert best_known.ratio(changed(ours, instructions=None), row) is None


def test_a_row_tells_ratio_and_source() -> None:
    found = section(
        result("atmega328p", "aes128-ccm-16", cycles=50_000, opt="O2"),
        result("atmega328p", "aes128-ccm-16", FRAME, cycles=77_068, opt="O2"),
        # Faster, but its flags are not the row's.
        result("atmega328p", "aes128-ccm-16", cycles=50_000, opt="O3", code=9000),
        result("atmega328p", "aes128-ccm-16", FRAME, cycles=40_000, opt="O3"),
        result("atmega328p", "ketje-jr", (16, 0)),
        result("atmega328p", "ascon-aead128", (16, 0)),
    )
    name = "best known [our times its]"
    row = row_of(found, "atmega328p-suites", "aes128-ccm-16")
    assert row["flags"].text == "-O2"
    cell = row[name]
    assert (cell.value, cell.text) == (2, "2.0 x avr-aes-faster AES_Encrypt_F, -O3")
    assert cell.origin == Origin.MEASURED
    assert "95 + 14 bytes: 38,584 cycles" in cell.remark
    assert row_of(found, "atmega328p-all-suites", "ketje-jr")[name] == NOTHING
    assert row_of(found, "atmega328p-suites", "ascon-aead128")[name] == NOT_MEASURED


def test_all_that_is_known_has_a_table() -> None:
    found = section(result("atmega328p", "aes128", cycles=2 * 2255))
    (table,) = [t for t in found.tables() if t.slug == "atmega328p-best-known"]
    rows = {row.cells[2].text: [cell.value for cell in row.cells] for row in table.rows}
    titles = [column.title for column in table.columns]
    # Without tables in RAM.
    public = "avr-aes-faster AES_Encrypt_F, -O2 (assembly, key set-up 863 cycles)"
    ours = dict(zip(titles, rows[public], strict=True))
    assert (ours["count"], ours["ours"], ours["our times its"]) == (2255, 4510, 2)
    assert ours["code [bytes]"] == 2272
    assert list(best.table(devices.device("cortex-m0"), Results([])))


def test_each_implementation_has_its_row_beside_public_code() -> None:
    found = section(
        result("atmega328p", "speck128-128", cycles=2 * 2465),
        result("atmega328p", "speck128-128", cycles=5000, opt="O2", code=9000),
        result("atmega328p", "speck128-128", cycles=493, implementation="assembly"),
    )
    (table,) = [t for t in found.tables() if t.slug == "atmega328p-best-known"]
    titles = [column.title for column in table.columns]
    rows = [dict(zip(titles, row.cells, strict=True)) for row in table.rows]
    ours = [
        (row["ours"].value, row["our times its"].value)
        for row in rows
        if row["count"].value == 2465
    ]
    assert ours == [(4930, 2), (493, 0.2)]


def test_show_tells_the_nearest_of_all_flags() -> None:
    rows = [
        result("atmega328p", "aes128", cycles=9020, opt="Os"),
        result("atmega328p", "aes128", cycles=4190, opt="O3"),
        result("atmega328p", "aes128-ccm-16", (64, 0)),
        result("atmega2560", "speck128-128", cycles=4930),
        refused("atmega328p", "speck128-128", "does not fit"),
    ]
    lines = list(beside_public.lines(rows))
    assert len(lines) == 2
    assert lines[0].startswith(
        "atmega328p aes128, 16+0: 2.0 times the best known, 2,095 cycles:"
    )
    assert "atmega2560 speck128-128, 16+0: 2.0 times" in lines[1]


def test_best_lists_all_pairs_the_lost_ones_first(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(store, "committed", lambda: tmp_path)
    monkeypatch.setattr(store, "own", lambda: tmp_path / "own.jsonl")
    won = result("atmega328p", "aes128", cycles=1000)
    rows = [
        # Lost to the fastest of two only; C is slower than assembly.
        result("atmega328p", "speck128-128", cycles=2 * 2465),
        changed(won, implementation="assembly"),
        changed(won, cycles={"set_up": 9, "encrypt": 4_000, "decrypt": 9}),
    ]
    write(tmp_path / "atmega328p.jsonl", rows)
    asked = BestRequest(devices=("atmega328p", "atmega2560"))
    found = [json.loads(record_line(each)) for each in records_of(best_code(asked))]
    pairs = {
        (name, row)
        for name in ("atmega328p", "atmega2560")
        for row in best_known.known()
        if row.processor in (name, "avr")
    }
    assert len(
        {
            (
                row["device"],
                row["public"]["value"],
                row["implementation"],
                row["suite"],
                row["message_bytes"],
                row["ad_bytes"],
                row["operation"],
            )
            for row in found
        }
    ) == len(pairs)
    lost = [row["lost"] for row in found]
    assert lost == sorted(lost, key=[True, False, None].index)
    assert lost.count(True) > 0 < lost.count(None)
    assert found[0]["times"]["value"] == 2
    assert (found[0]["suite"], found[0]["lost"]) == ("speck128-128", True)
    # The slower implementation stays beside the faster one, which decides.
    of_aes = [row for row in found if row["ours"] and row["suite"] == "aes128"]
    assert {row["lost"] for row in of_aes} == {False}
    assert [row["ours"]["value"] for row in of_aes[:2]] == [1000, 4000]
    (digest,) = best_code(BestRequest(devices=("atmega328p",)))
    assert isinstance(digest, Digest)
    (table,) = digest.parts
    assert isinstance(table, Table)
    wholly = sum(row.processor in {"avr", "atmega328p"} for row in best_known.known())
    assert f"1 of {wholly} pairs, which come first; 0 of them to code" in table.caption
    (digest,) = best_code(BestRequest(devices=("cortex-m3",)))
    assert isinstance(digest, Digest)
    (table,) = digest.parts
    assert isinstance(table, Table)
    names = {row.cells[3].text for row in table.rows}
    assert {"felics *", "mbedtls *", "ascon-c"} <= names
    assert not names & {"felics", "mbedtls", "ascon-c *"}


def test_the_page_on_performance_names_what_public_code_wins() -> None:
    page = (ROOT / "docs" / "performance.md").read_text()
    part = page.partition("### What public code still wins\n")[2].partition("\n###")[0]
    # Without a table when nothing but the sentence below it is left.
    rows = [line for line in part.splitlines() if line.startswith("|")][2:]
    named = {row.split("|")[5].split()[0] for row in rows}
    lost = [row for row in records_of(best_code(BestRequest())) if row.lost]
    by_tables = [row for row in lost if row.secret_tables]
    others = [row for row in lost if row not in by_tables]
    assert {f"{row.public.value:,}" for row in others} == named
    assert by_tables
    for row in by_tables:
        assert (row.suite[:3], row.device[:8]) == ("aes", "cortex-m")


# Papers


def test_counts_far_below_the_best_public_code_are_flagged() -> None:
    found = grain128aead.section(Results([]))
    text = findings(found)
    assert "53,272 cycles of ASCON on the ATmega128" in text
    assert "9.2 times as many" in text
    for count in ("263,101", "184,104"):
        assert f"The published {count} cycles" in text
    for count in ("362,589", "417,711", "1,460,677"):
        assert count not in text
    (table,) = [t for t in found.tables() if t.slug == "grain128aead-table1"]
    doubted = [c for row in table.rows for c in row.cells if c.text.endswith("‡")]
    assert [cell.value for cell in doubted] == [
        *(53_272, 263_101, 124_062),
        *(184_104, 71_419),
    ]


def test_counts_below_what_a_cipher_must_do_are_flagged() -> None:
    # Counted by hand: G takes 4 (2 + 4 + 4 + 4 + 4) + 16 + 4 x 4 = 104 cycles of
    # logic on an AVR, and 32 bytes loaded and stored for four of them, 4 cycles each.
    assert leastwork.least_cycles(leastwork.AVR, 1224, 40) == 30 * 32 * (104 + 32)
    # On an MSP430: 4 (2 + 8) + 8 + 4 x 2 = 56, and 20 words, 6 cycles each.
    assert leastwork.least_cycles(leastwork.MSP430, 1224, 40) == 30 * 32 * (56 + 30)
    text = findings(grain128aead.section(Results([])))
    for count, least in (("124,062", "130,560"), ("71,419", "82,560")):
        assert f"The published {count} cycles of NORX" in text
        assert f"{least} cycles, without" in text


@pytest.mark.parametrize(
    ("message", "ad", "count"),
    [(0, 0, 3), (1, 0, 4), (47, 0, 4), (48, 0, 5), (0, 48, 5), (1224, 40, 30)],
)
def test_permutations_of_norx(message: int, ad: int, count: int) -> None:
    assert leastwork.permutations(message, ad) == count


def test_no_program_of_ours_is_below_the_least() -> None:
    rows = [
        row
        for row in store.read(store.committed(), suites=["norx32"])
        if row.sizes == (1224, 40) and row.cycles
    ]
    for device, processor in (
        ("atmega128", leastwork.AVR),
        ("msp430f1611", leastwork.MSP430),
    ):
        least = leastwork.least_cycles(processor, 1224, 40)
        mine = [row.total_cycles for row in rows if row.device == device]
        assert mine
        assert min(mine) > least


def test_public_c_of_all_kinds_stands_beside_the_papers_software() -> None:
    text = findings(link_security.section(Results([])))
    assert "takes 5,233 to 27,053 (9 programs, each with three optimisations)" in text
    # The paper prints 46,080.
    assert "assembly 2,095: that is 1.7 to 22 times fewer" in text


def test_table_vs_energy_is_one_power() -> None:
    powers = link_security.printed_powers_mw()
    assert len(powers) == 10
    # Times are printed with two to four digits.
    assert powers == pytest.approx([79.2] * 10, rel=0.002)
    text = findings(link_security.section(Results([])))
    device = devices.device(linkrows.DEVICE)
    ours = device.active_current_a.value * device.supply_voltage_v.value * 1e3
    assert "Table V's energy is 79.2 mW times its time" in text
    assert f"Ours is {ours:.1f} mW, the microcontroller alone" in text


def boards(suite: str, *, cycles: int, code: int = 1000) -> list[Result]:
    return [
        result(name, suite, cycles=cycles, code=code)
        for name in ("atmega328p", "atmega2560")
    ]


@pytest.mark.slow
def test_a_slow_speck_is_called_that_until_it_is_not() -> None:
    # Code and RAM are the same: the parameter is 2 and cycles over the least, with
    # 100 for set-up: 2 + 1 for AES, 2 + 20,000 / 9,000 for Speck. With 2,465 for
    # a block, the best public code's, 2 + 1 for Speck and 2 + 9,000 / 2,565.
    slow = boards("speck128-128", cycles=19_900) + boards("aes128", cycles=8900)
    text = findings(modspeck.section(Results(slow)))
    assert "AES (3.00) is before Speck (4.22)" in text
    assert "our Speck takes 8.1 times" in text
    assert "our AES 4.2 times" in text
    assert "Speck would have 3.00, and our AES 5.51" in text
    # As fast as the best, and still behind AES: then it is AES.
    aes = boards("aes128", cycles=8900)
    fast = boards("speck128-128", cycles=2465, code=9000) + aes
    assert "tells of our programs" not in findings(modspeck.section(Results(fast)))
    before = boards("speck128-128", cycles=8000) + aes
    assert "tells of our programs" not in findings(modspeck.section(Results(before)))
    assert "tells of our programs" not in findings(modspeck.section(Results([])))


def test_unauthenticated_suites_stand_apart_and_tags_share_a_row() -> None:
    rows = [
        result("atmega328p", name, cycles=cycles)
        for name, cycles in (
            ("aes128-ccm-4", 100),
            ("aes128-ccm-8", 200),
            ("aes128-ccm-16", 300),
            ("aes128-ccm-0", 400),
            ("aes128-ctr", 500),
            ("grain128ple", 600),
            ("grain128aead", 700),
        )
    ]
    rows += [
        result("atmega328p", f"ieee802154-aes128-ccm-{mic}", (64, 14))
        for mic in (0, 4, 8, 16)
    ]
    found = section(*rows)
    names = {
        table.slug.removeprefix("atmega328p-"): [r.cells[0].text for r in table.rows]
        for table in found.tables()
    }
    assert names["suites"] == ["aes128-ccm-16", "grain128aead"]
    assert names["unauthenticated"] == ["grain128ple"]
    assert set(names["all-suites"]) == {"aes128-ccm-4/8/16", "grain128aead"}
    assert set(names["all-unauthenticated"]) == {
        "aes128-ccm-0",
        "aes128-ctr",
        "grain128ple",
    }
    assert names["frames"] == ["ieee802154-aes128-ccm-4/8/16"]
    assert names["frames-unauthenticated"] == ["ieee802154-aes128-ccm-0"]
    row = row_of(found, "atmega328p-all-suites", "aes128-ccm-4/8/16")
    assert row["seal 64 B [cycles]"].value == 300
    titles = [t.title for t in found.tables() if "unauthenticated" in t.slug]
    assert all("messages can be changed unnoticed" in title for title in titles)


def test_implementations_do_not_share_a_row() -> None:
    rows = [
        result("atmega128rfa1", f"aes128-ccm-{tag}", implementation=name)
        for tag in (8, 16)
        for name in ("portable", "engine")
    ]
    (table,) = [
        t
        for t in section(*rows, device="atmega128rfa1").tables()
        if t.slug == "atmega128rfa1-all-suites"
    ]
    assert sorted(row.cells[0].text for row in table.rows) == [
        "aes128-ccm-8/16",
        "aes128-ccm-8/16 (engine)",
    ]


def test_the_plot_ends_where_frames_end() -> None:
    sizes = (0, 16, 128, 256, 1224)
    made = section(*(result("atmega328p", "aes128-gcm", (size, 0)) for size in sizes))
    (plot,) = (each for each in made.parts if isinstance(each, Plot))
    (chart,) = plot.charts
    assert isinstance(chart, charts.Chart)
    (line,) = chart.series
    assert [point.x for point in line.points] == [0, 16, 128]
    # Set-up, 100 cycles, and sealing.
    assert [point.y for point in line.points] == [16_100] * 3
    assert {point.origin for point in line.points} == {Origin.MEASURED}


def test_the_file_is_plain_data() -> None:
    rows = published.table(best_known.FILE)
    assert len(rows) == len(best_known.known())
    json.dumps([row.text("suite") for row in rows])
