# SPDX-License-Identifier: Apache-2.0
"""Every figure in a command's tables is that of its --json, in the unit of its head."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from printed import assert_cell, assert_shown, objects, output, tables

from samara.energy.limit_options import relaxing
from samara.energy.limits import Broken
from samara.link.node.receipt import FIGURES

if TYPE_CHECKING:
    from pathlib import Path

NODE = "--draws 60 --link ieee802154 --level 6"
MESSAGE = f"energy message --interval 60 {NODE}"
LIFE = f"energy life --compare none,5,7 --battery cr2032 {NODE}"
NETWORK = f"energy network --nodes 5:10:5 --interval 60:600:540 {NODE}"
SATURATED = f"energy network --nodes 5:205:200 --interval 1:3601:3600 {NODE}"
SIMULATE = "energy simulate --nodes 4 --hours 2 --runs 3 --workers 1 --interval 60"
AIRTIME = "energy airtime --radio cc1350 --bytes 40"


def numbers(pattern: str, text: str) -> list[str]:
    """Return the groups of a sentence, however its lines are broken."""
    match = re.search(pattern, " ".join(text.split()))
    assert match, text
    return list(match.groups())


def assert_in_order(found: Any) -> int:  # noqa: ANN401 - any value of JSON
    """Check low <= median <= high wherever there are such; return their number."""
    if isinstance(found, list):
        return sum(map(assert_in_order, found))
    if not isinstance(found, dict):
        return 0
    trios = [("low", "median", "high")]
    trios += [
        (key, f"{key[:-3]}_50", f"{key[:-3]}_90") for key in found if key[-3:] == "_10"
    ]
    count = sum(map(assert_in_order, found.values()))
    for trio in trios:
        if trio[0] not in found:
            continue
        values = [found[name] for name in trio]
        values = [one["value"] if isinstance(one, dict) else one for one in values]
        if None not in values:
            assert values[0] <= values[1] <= values[2], trio
            count += 1
    return count


@pytest.mark.parametrize(
    ("command", "least"),
    [
        (MESSAGE, 1),
        (LIFE, 8),
        (NETWORK, 8),
        (SIMULATE, 4),
        (AIRTIME, 3),
        ("advise", 20),
    ],
)
def test_ranges_are_in_order(command: str, least: int) -> None:
    assert assert_in_order(objects(command)) >= least


def test_a_message() -> None:
    (record,) = objects(MESSAGE)
    text = output(MESSAGE)
    (rows,) = tables(text)
    by_part = {row["part"]: row for row in rows}
    total_j = record["total"]["value"]
    assert_cell(by_part.pop("total")["energy µJ"], "µJ", record["total"])
    drawn = {part: each for part, each in record["parts"].items() if each["value"]}
    assert set(by_part) == set(drawn)
    for part, row in by_part.items():
        assert_cell(row["energy µJ"], "µJ", drawn[part])
        assert_shown(row["share %"], drawn[part]["value"] / total_j * 100, part)
    *spread, unit = numbers(r"Range: (\S+), (\S+), (\S+) (\S+)\. 10 %, 50 %", text)
    for shown, name in zip(spread, ("low", "median", "high"), strict=True):
        assert_cell(shown, unit, record[name])
    latency, unit = numbers(r"Mean latency of a hop: (\S+) (\S+?)\.", text)
    assert_cell(latency, unit, record["latency"])


def test_lives(tmp_path: Path) -> None:
    file = tmp_path / "lives.csv"
    records = objects(LIFE)
    (rows,) = tables(output(f"{LIFE} -o {file}").replace(f"Wrote {file}", ""))
    with file.open(encoding="utf-8", newline="") as opened:
        written = list(csv.DictReader(opened))
    assert len(rows) == len(records) == len(written) == 4
    for row, one, line in zip(rows, records, written, strict=True):
        assert row["security"] == one["name"] == line["name"]
        assert_cell(row["frame byte"], "bytes", one["frame_bytes"], "bytes")
        for share, name in (("10", "low"), ("50", "median"), ("90", "high")):
            figure = one["life"][name]
            assert_cell(row[f"life {share} % year"], "years", figure)
            assert float(line[f"life_{name}_year"]) == pytest.approx(figure["value"])
            assert line[f"life_{name}_origin"] == figure["origin"] == "assumed"
        taken = one["taken_by_security"]
        assert_cell(row["taken hour"], "hours", taken["median"])
        assert_shown(row["taken share %"], taken["share"]["value"] * 100, "taken share")
        for name, unit in (("median", "_hour"), ("share", "")):
            cell = line[f"taken_by_security_{name}{unit}"]
            assert float(cell) == pytest.approx(taken[name]["value"])


REGIONS = {"works": "works", "doubtful": "at its limit", "saturated": "cannot"}


@pytest.mark.parametrize("command", [NETWORK, SATURATED])
def test_networks(command: str, tmp_path: Path) -> None:
    file = tmp_path / "networks.csv"
    records = {(one["nodes"], one["interval_s"]): one for one in objects(command)}
    (rows,) = tables(output(f"{command} -o {file}"))
    with file.open(encoding="utf-8", newline="") as opened:
        written = list(csv.DictReader(opened))
    assert len(rows) == len(records) == len(written) == 4
    for row in rows:
        one = records[int(row["nodes"]), float(row["interval, s"])]
        assert row["region"] == REGIONS[one["region"]]
        for share in (10, 50, 90):
            for name, key in (("days", "life_days"), ("taken", "taken")):
                head = f"{name}, {share} %"
                assert_cell(row[head], head, one[f"{key}_{share}"], key)
    for line in written:
        one = records[int(line["nodes"]), float(line["interval_s"])]
        for key in ("life_days_10", "life_days_50", "life_days_90", "taken_10"):
            value = one[key]
            assert line[key] == "" if value is None else float(line[key]) == value


def test_the_sentence_about_networks_is_about_those_that_work() -> None:
    records = [one for one in objects(NETWORK) if one["region"] == "works"]
    shortest, longest, least, most = numbers(
        r"lives (\S+) to (\S+) days; security takes (\S+) to (\S+) %", output(NETWORK)
    )
    days = [one["life_days_50"] for one in records]
    taken = [one["taken_50"] * 100 for one in records]
    assert_shown(shortest, min(days))
    assert_shown(longest, max(days))
    assert_shown(least, min(taken))
    assert_shown(most, max(taken))


def test_networks_by_events() -> None:
    *_, records = objects(SIMULATE)
    text = output(SIMULATE)
    (rows,) = tables(text)
    assert [row["by"] for row in rows] == ["closed form", "events"]
    for row, who in zip(rows, ("closed_form", "events"), strict=True):
        for share in (10, 50, 90):
            for unit, key in (("µW", "power_uw"), ("days", "life_days")):
                head = f"{unit}, {share} %"
                assert_cell(row[head], head, records[f"{who}_{key}_{share}"], key)
    delivered, made, lost, waiting, latency, unit, load = numbers(
        r"(\S+) of (\S+) messages delivered, (\S+) lost, (\S+) waiting; mean latency"
        r" (\S+) (\w+)\. Load (?:at most )?(\S+%) of",
        text,
    )
    for name, count in (
        ("delivered", delivered), ("made", made), ("lost", lost), ("waiting", waiting),
        ("load", load),
    ):  # fmt: skip
        assert_shown(count, records[name], name)
    assert_cell(latency, unit, records["latency_s"], "s")
    node, sent = numbers(r"node (\d+) draws the most, and sends (\S+%)", text)
    assert_shown(node, records["bottleneck"])
    assert_shown(sent, records["bottleneck_share"])


def test_air_time() -> None:
    (record,) = objects(AIRTIME)
    (rows,) = tables(output(AIRTIME))
    names = ("frame", "transmit", "messages_per_hour")
    for row, name in zip(rows, names, strict=True):
        assert_cell(row["stated"], row["unit"], record[name])
        for share, key in (("10 %", "low"), ("50 %", "median"), ("90 %", "high")):
            assert_cell(row[share], row["unit"], record["range"][name][key])
        assert row["origin"] == record[name]["origin"]
    assert [row["unit"] for row in rows] == ["ms", "ms", "1/hour"]


ADVISE = (
    "advise --device atmega328p --radio at86rf231 --mac box-mac-2 --allow-proprietary"
)
ADVISED = {
    "air byte": ("air_bytes", "bytes"),
    "message µJ": ("energy", "µJ"),
    "flash byte": ("flash_bytes", "bytes"),
    "RAM byte": ("ram_bytes", "bytes"),
    "latency ms": ("latency", "ms"),
}


@pytest.mark.slow
def test_advice() -> None:
    head, *records = objects(ADVISE)
    text = output(ADVISE)
    by_name = {
        (one["suite"], one["layer"], f"{one['implementation']} {one['opt']}"): one
        for one in records
        if one["type"] == "choice"
    }
    rows = tables(text)[0]
    assert len(rows) > 5
    for row in rows:
        one = by_name[row["suite"], row["layer"], f"{row['build']} {row['opt']}"]
        for name, (key, unit) in ADVISED.items():
            assert_cell(row[name], unit, one[key], unit)
        assert_cell(row["security µJ"], "µJ", one["security_energy"])
        assert_cell(row["life 10 % year"], "years", one["life"]["low"])
    best = head["recommended"]
    low, high, median, energy, security, flash, ram = numbers(
        r"lasts (\S+) to (\S+) years \(10 and 90 %; median (\S+)\); a message takes"
        r" (\S+) µJ, (\S+) µJ of them for security; (\S+) bytes of flash, (\S+) of RAM",
        text,
    )
    for shown, name in ((low, "low"), (median, "median"), (high, "high")):
        assert_cell(shown, "years", best["life"][name])
    assert_cell(energy, "µJ", best["energy"])
    assert_cell(security, "µJ", best["security_energy"])
    assert_shown(flash, best["flash_bytes"])
    assert_shown(ram, best["ram_bytes"])


@pytest.mark.slow
def test_advice_says_what_else_there_is_and_what_is_out() -> None:
    head, *records = objects(ADVISE)
    text = " ".join(output(ADVISE).split())
    for one in head["alternatives"]:
        beside = text.partition(f"Least {one['least']}: ")[2]
        for unit, key, scale in (
            ("µJ a message", "energy_j_more", 1e6),
            ("bytes of flash", "flash_bytes_more", 1.0),
        ):
            shown, which = numbers(rf"^.*?([\d,]+) {unit} (less|more)", beside)
            assert which == ("less" if one[key] < 0 else "more")
            assert_shown(shown, abs(one[key]) * scale)
    assert len(head["alternatives"]) == 2
    out = [one for one in records if one["type"] == "excluded_choice"]
    rows = tables(output(ADVISE))[1]
    assert len(rows) > 2
    for row in rows:
        by_it = [
            one
            for one in out
            if row["limit"] in [each["option"] for each in one["broken"]]
        ]
        alone = [one for one in by_it if len(one["broken"]) == 1]
        for name, kept in (("suites out", by_it), ("by it alone", alone)):
            kinds = {(one["layer"], one["suite"]) for one in kept}
            assert_shown(row[name], len(kinds), name)


# How a limit is given, and whether more of it is looser.
_LOOSER = {
    "years": (1.0, False), "flash_bytes": (1.0, True), "ram_bytes": (1.0, True),
    "latency_s": (1e3, True), "tag_bytes": (1.0, False), "forgery": (1.0, True),
    "frame_counter": (1.0, False),
}  # fmt: skip


@given(
    st.sampled_from([*_LOOSER, "band"]),
    st.floats(1e-9, 1e7) | st.integers(1, 10**7).map(float),
)
def test_what_is_relaxed_is_looser(limit: str, found: float) -> None:
    if limit.endswith("_bytes"):
        found = float(max(int(found), 1))
    elif limit == "forgery":
        found = min(found, 1.0)
    (given_value,) = numbers(
        r" to ([\d.e+-]+)(?:ms)?$", relaxing(Broken(limit, found, found))
    )
    value, near = float(given_value), 1e-9
    if limit == "band":
        # An interval, of which a band asks for a longer one.
        assert value >= 3600 / found * (1 - near)
        assert value <= max(3600 / found * 1.001, 3600 / found + 0.1)
        return
    scale, is_more = _LOOSER[limit]
    if is_more:
        assert value >= found * scale * (1 - near)
        assert value <= max(found * scale * 1.12, found * scale + 0.1)
    else:
        assert value <= found * scale * (1 + near)
        assert value >= min(found * scale * 0.999, found * scale - 0.001)


@pytest.mark.slow
def test_who_relaxes_as_told_gets_what_was_told() -> None:
    asked = "advise --device atmega328p --mac always-listening --interval 1"
    strict = f"{asked} --flash 500 --latency 1ms --radio cc1350 --band eu868"
    (records, *_) = objects(strict, code=1)
    assert records["relax"]
    options = " ".join(f"{one['option']} {one['value']}" for one in records["relax"])
    assert objects(f"{strict} {options}")[0]["recommended"]


def test_results_of_the_bench() -> None:
    command = "bench show --device atmega328p --message 64 --ad 0 --suite"
    for suite in ("aes128-ccm-8", "grain128aead"):
        records = objects(f"{command} {suite}")
        (rows,) = tables(output(f"{command} {suite}"))
        assert len(rows) == len(records) > 2
        for row, one in zip(rows, records, strict=True):
            way = one["implementation"]
            name = suite if way == "portable" else f"{suite} ({way})"
            assert (row["suite"], row["opt"]) == (name, one["opt"])
            shown = {f"{verb} cycles": one["cycles"][key] for verb, key in VERBS}
            shown |= {
                "code bytes": one["code"],
                "RAM bytes": one["static_ram"],
                "stack bytes": one["stack"],
                "seal ms": one["time"]["seal"],
                "seal µJ": one["energy"]["seal"],
            }
            if "times" in row:
                shown |= {"public cycles": one["best_known"], "times": one["times"]}
            for head, figure in shown.items():
                kept = 3 if head in {"seal ms", "seal µJ", "times"} else None
                assert_cell(row[head], head, figure, kept=kept)
            assert (row["same time"] == "yes") is one["constant_time"]


VERBS = (("set-up", "set_up"), ("seal", "seal"), ("open", "open"))


_WORK = {"encrypt": "block", "decrypt": "decrypt", "set_up": "key"}


def test_best_known_code() -> None:
    records = objects("bench best --device atmega328p")
    text = output("bench best --device atmega328p")
    (rows,) = tables(text)
    assert len(rows) == len(records) > 20
    for row, one in zip(rows, records, strict=True):
        assert (row["device"], row["suite"]) == (one["device"], one["suite"])
        work = f"{one['message_bytes']:,}+{one['ad_bytes']}"
        assert row["work"] == _WORK.get(one["operation"], work)
        project = one["implementation"].partition(" ")[0]
        assert row["public code"] == project + " *" * one["secret_tables"]
        assert_cell(row["theirs"], row["unit"], one["public"])
        assert_cell(row["ours"], row["unit"], one["ours"])
        assert_cell(row["times"], "times", one["times"])
        if one["times"]:
            ratio = one["ours"]["value"] / one["public"]["value"]
            assert one["times"]["value"] == pytest.approx(ratio, rel=1e-3)
    lost, pairs = numbers(r"Lost to public code: (\d+) of (\d+) pairs", text)
    kinds = {
        (one["suite"], row["work"], one["implementation"]): one["lost"]
        for row, one in zip(rows, records, strict=True)
    }  # fmt: skip
    assert (int(lost), int(pairs)) == (sum(map(bool, kinds.values())), len(kinds))


def test_devices() -> None:
    records = objects("bench devices")
    text = output("bench devices")
    rows = tables(text)[0]
    assert len(rows) == len(records) >= 8
    for row, one in zip(rows, records, strict=True):
        assert (row["device"], row["cycles"]) == (one["name"], one["cycles"])
        assert_cell(row["clock MHz"], "MHz", one["clock_hz"], "hz")
        assert_shown(row["flash byte"], one["flash_bytes"])
        assert_shown(row["RAM byte"], one["ram_bytes"])
        assert_cell(row["voltage V"], "V", one["supply_voltage"])
        assert_cell(row["current mA"], "mA", one["active_current"])
    doubted = [one["active_current"]["origin"] == "assumed" for one in records]
    lines = text.splitlines()[: len(records) + 4]
    for one, doubt in zip(records, doubted, strict=True):
        (line,) = (line for line in lines if line.split()[:1] == [one["name"]])
        (origin,) = re.findall(r"\(([pa])\) +(?:measured|estimated)", line)
        assert origin == ("a" if doubt else "p")


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", ["", " --message 16 --clock 100kHz", " --wrapper spi"]
)
def test_cores_beside_microcontrollers(options: str) -> None:
    found = objects(f"chip compare{options}")
    text = output(f"chip compare{options}")
    costs = [one for one in found if one["type"] == "chip_cost"]
    (rows,) = tables(text)
    assert len(rows) == len(costs) > 20
    least = min(one["energy"]["value"] for one in costs)
    for row, one in zip(rows, costs, strict=True):
        assert row["core or device"] == one["name"]
        assert row["library or build"] == one["where"]
        assert_cell(row["clock MHz"], "MHz", one["clock_hz"], "hz")
        for name in ("cycles", "time", "energy"):
            (head,) = (head for head in row if head.split()[0] == name)
            kept = None if name == "cycles" else 3
            assert_cell(row[head], head, one[name], kept=kept)
        ratio = one["energy"]["value"] / least
        assert_shown(row["times the least"], ratio, kept=3)
        for name, key in (
            ("core GE", "area"),
            ("wrapper adds GE", "wrapper_area"),
            ("host cycles", "host_cycles"),
        ):
            if one[key] is None:
                assert row[name] in ("-", "not yet")
            else:
                assert_shown(row[name], one[key]["value"])
        # Devices have no wrapper, and wide cores no serial one.
        assert (one["host_cycles"] is None) is (one["wrapper"] is None)
        assert one["name"].startswith("grain-n") or one["wrapper"] is None
    answers = [one for one in found if one["type"] == "chip_answer"]
    assert answers
    sentences = re.findall(
        r"A gate is cheaper than an instruction by a factor of (\S+): (\S+) .*? beside"
        r" (\S+)\. If the core stays powered, this holds for messages less than (\S+)"
        r" (\S+) apart",
        " ".join(text.split()),
    )
    assert len(sentences) == len(answers)
    for (ratio, core, device, apart, unit), one in zip(sentences, answers, strict=True):
        assert (core, device) == (one["core"], one["device"])
        assert float(ratio.replace(",", "")) == pytest.approx(
            one["ratio"]["value"], rel=5e-3
        )
        assert unit == one["break_even"]["unit"]
        wrapper = "spi" if "spi" in options else "axi"
        assert one["wrapper"] == wrapper
        if one["ratio_fed"] is None:
            assert wrapper == "spi"
            continue
        cycles, name, rest = numbers(
            rf"With the (\S+) cycles in which ({device}) feeds it through the {wrapper}"
            r" wrapper, the factor is (\S+)\.(?: |$)",
            text,
        )
        assert name == device
        assert_shown(cycles, one["host_cycles"]["value"])
        assert float(rest.replace(",", "")) == pytest.approx(
            one["ratio_fed"]["value"], rel=5e-3
        )
        assert one["ratio_fed"]["value"] < one["ratio"]["value"]
        assert float(apart.replace(",", "")) == pytest.approx(
            one["break_even"]["value"], rel=5e-3
        )


@pytest.mark.parametrize("size", [5, 300])
def test_receipts(size: int) -> None:
    command = (
        f"receipt explain --link ieee802154 --level 6 --bytes {size}"
        " --device atmega128rfa1"
    )
    (record,) = objects(command)
    text = output(command)
    lines = dict(re.findall(r"^([a-z ,]+): (.+)$", text, re.MULTILINE))
    assert len(record["figures"]) >= 5
    for name, figure in record["figures"].items():
        shown, unit = lines[FIGURES[name].label].split(" ")
        assert_cell(shown, unit, figure)
    for label, value in (
        ("message", record["parts"]["message"]),
        ("tag", record["parts"]["tag"]),
        ("on the air", record["air_bytes"]),
    ):
        shown, unit = lines[label].split(" ")
        assert unit == "bytes"
        assert_shown(shown, value)
    assert sum(record["parts"].values()) == record["air_bytes"]
    assert_shown(lines["expansion"], record["expansion"])
