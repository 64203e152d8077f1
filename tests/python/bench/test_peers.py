# SPDX-License-Identifier: Apache-2.0
"""Rows of public code are those of the records, and records of what is pinned."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from samara.bench import best_known, devices, peers, published, ways
from samara.bench.peers import Record
from samara.bench.places import root

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE = peers.table_path().read_text(encoding="utf-8")
RECORDS = [
    json.loads(line)
    for line in peers.records_path().read_text(encoding="utf-8").splitlines()
]


def rows(text: str = TABLE) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def stands_for(record: Mapping[str, object], row: Mapping[str, str]) -> bool:
    """Tell whether a row says what a record does; compared cell by cell."""
    place = {
        ("16", "0"): 1,
        ("64", "0"): 0,
        ("95", "14"): 0,
        ("1224", "40"): 1,
    }[row["message_bytes"], row["ad_bytes"]]
    counts = record.get("counts")
    return isinstance(counts, list) and (
        row["suite"] == record["suite"]
        and row["operation"] == ("encrypt" if "block_bytes" in record else "seal")
        and row["implementation"]
        == f"{record['peer']} {record['variant']}, -{record['opt']}"
        and row["source"]
        == f"{record['repository']} {str(record['commit'])[:12]} {record['path']},"
        f" on {record['device']}"
        and row["flags"] == record["flags"]
        and row["language"] == record["language"]
        and row["metric"] == record["metric"]
        and row["count"] == str(counts[place])
        and row["code_bytes"] == str(record["code_bytes"])
        and row["static_ram_bytes"] == str(record.get("static_ram_bytes", 0))
        and row["stack_bytes"] == str(record["stack_bytes"])
    )


# The committed files


def test_the_table_is_what_the_records_give() -> None:
    records = peers.read(peers.records_path())
    assert peers.table(records, peers.rows_without_record(peers.table_path())) == TABLE
    # The records are as the tool writes them: sorted, one for each program.
    assert peers.as_lines(records) == peers.records_path().read_text(encoding="utf-8")
    names = [(r.peer, r.suite, r.variant, r.device, r.opt) for r in records]
    assert len(set(names)) == len(names) > 100


def test_each_row_has_one_record_or_says_that_it_has_none() -> None:
    measured = [row for row in rows() if not row["source"].endswith(peers.ELSEWHERE)]
    assert len(measured) > 20
    for row in measured:
        assert sum(stands_for(record, row) for record in RECORDS) == 1, row
    for row in rows():
        if row["source"].endswith(peers.ELSEWHERE):
            # A paper's figures, of a program that nobody else has; or those of others.
            whose = {
                "published": ("LATINCRYPT 2014",),
                "measured": ("independent harness", "adapter outside of this project"),
            }
            assert any(who in row["source"] for who in whose[row["origin"]])
            assert not row["flags"]


@pytest.mark.parametrize(
    ("column", "other"),
    [
        ("implementation", "ascon-c bi32_lowsize, -O3"),
        ("count", "103832"),
        ("flags", "-O3"),
        ("source", "ascon/ascon-c 446347f21b20, on msp430f1611"),
    ],
)
def test_a_row_that_differs_from_its_record_is_found(column: str, other: str) -> None:
    (row,) = [
        row
        for row in rows()
        if (row["on"], row["suite"], row["message_bytes"], row["note"])
        == ("msp430", "ascon-aead128", "64", "")
    ]
    assert any(stands_for(record, row) for record in RECORDS)
    assert row[column] != other
    assert not any(stands_for(record, {**row, column: other}) for record in RECORDS)


def test_the_tool_checks_the_table() -> None:
    command = [sys.executable, str(root() / "tools" / "measure-peers"), "--check"]
    done = subprocess.run(command, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_record_is_of_what_is_pinned() -> None:
    pins = {
        (peer.name, variant): peer
        for peer in peers.pinned()
        for variant in peer.variants
    }
    for record in RECORDS:
        assert len(record["commit"]) == 40
        if record["suite"] not in {peer.suite for peer in peers.pinned()}:
            # A library with an interface of its own: blocks, and CCM.
            continue
        peer = pins[record["peer"], record["variant"]]
        assert record["variant"] in record["path"].split("/")
        assert record["repository"] == peer.repository
        assert record["commit"] == peer.commit
        assert record["path"] == peer.path(record["variant"])
        assert record["suite"] == peer.suite
        assert record.get("note", "") == peer.note
        assert record["device"] in peer.devices
    found = {(r["peer"], r["variant"], r["device"], r["opt"]) for r in RECORDS}
    for (name, variant), peer in pins.items():
        for device in peer.devices:
            for opt in ways.OPTIMISATIONS:
                assert (name, variant, device, opt) in found


def test_records_of_blocks_are_whole() -> None:
    blocks = [record for record in RECORDS if "block_bytes" in record]
    assert len({(r["peer"], r["variant"]) for r in blocks}) > 10
    commits: dict[str, set[str]] = {}
    for record in blocks:
        commits.setdefault(record["repository"], set()).add(record["commit"])
        assert record["block_bytes"] == 16
        assert record["suite"] in {"aes128", "speck128-128"}
        assert ("counts" in record) != ("problem" in record)
        if "counts" in record:
            set_up, encryption, decryption = record["counts"]
            assert set_up > 0
            # A byte takes 30 instructions at least.
            assert min(encryption, decryption) > 16 * 30
    assert all(len(found) == 1 for found in commits.values())


def test_blocks_counted_apart_are_these() -> None:
    # Earlier counts, by a program that shares nothing with the bench: 2,255 and
    # 860, 19,730, 27,050, 2,466 and 8,624, and CCM by Mbed TLS 98,526.
    def counts(variant: str, opt: str, suite: str) -> list[int]:
        (found,) = [
            record["counts"]
            for record in RECORDS
            if (record["variant"], record["opt"], record["suite"], record["device"])
            == (variant, opt, suite, "atmega128")
        ]
        return list(found)

    assert counts("AES_Encrypt_F", "O2", "aes128")[:2] == [863, 2255]
    assert counts("AES_128_128_v01", "O3", "aes128")[1] == 19_769
    assert counts("AES_128_128_v01", "Os", "aes128")[1] == 27_053
    assert counts("Speck", "O2", "speck128-128")[1] == 2465
    assert counts("SpeckSmall", "O2", "speck128-128")[1] == 8623
    assert counts("ccm.c", "O2", "aes128-ccm-16") == [98_528]


def test_devices_and_metrics_are_those_of_the_bench() -> None:
    for name, on in peers.DEVICES.items():
        device = devices.device(name)
        assert on in {device.name, device.family.name}
        wanted = "cycles" if on in {"avr", "msp430", "ibex"} else "instructions"
        assert peers.metric(device) == wanted


def test_figures_counted_apart_from_the_tool() -> None:
    # By `samara bench add` alone, typed by hand.
    (row,) = [
        r
        for r in RECORDS
        if (r["variant"], r["device"], r["opt"])
        == ("opt32_lowsize", "msp430f1611", "O2")
    ]
    assert row["counts"] == [87_255, 1_037_941]
    assert (row["code_bytes"], row["stack_bytes"]) == (4858, 276)


# The choice


def record(variant: str, code: int, *counts: int, **values: str) -> Record:
    named: dict[str, Any] = {
        "peer": "p",
        "variant": variant,
        "repository": "who/what",
        "commit": "0123456789abcdef" * 2 + "01234567",
        "path": f"dir/{variant}",
        "suite": "ascon-aead128",
        "device": "atmega128",
        "opt": "Os",
        "metric": "cycles",
        **values,
    }
    return Record(**named, code_bytes=code, counts=counts)


def block(variant: str, code: int, *counts: int) -> Record:
    made = record(variant, code, *counts, suite="aes128")
    return replace(made, block_bytes=16)


def chosen(*records: Record) -> list[tuple[str, str, str, str]]:
    names = ("message_bytes", "count", "implementation", "note")
    found = peers.best(records)
    return [tuple(row[name] for name in names) for row in found]  # type: ignore[misc]


def test_the_fastest_and_the_smallest_of_each_scenario_are_chosen() -> None:
    fast = record("fast", 900, 10, 200)
    late = record("late", 800, 11, 190)
    small = record("small", 100, 90, 900)
    assert chosen(small, late, fast) == [
        ("64", "10", "p fast, -Os", ""),
        ("64", "90", "p small, -Os", "smallest code"),
        ("1224", "190", "p late, -Os", ""),
        ("1224", "900", "p small, -Os", "smallest code"),
    ]


def test_equals_are_ordered_by_the_other_figure_and_one_may_be_both() -> None:
    assert chosen(record("a", 500, 10, 20), record("b", 400, 10, 20)) == [
        ("64", "10", "p b, -Os", ""),
        ("1224", "20", "p b, -Os", ""),
    ]
    assert chosen(record("a", 400, 11, 20), record("b", 400, 10, 20))[0][2] == (
        "p b, -Os"
    )


def test_devices_ciphers_and_versions_are_not_mixed_and_failures_do_not_count() -> None:
    found = chosen(
        record("a", 500, 10, 20),
        record("b", 400, 5, 6, device="msp430f1611"),
        record("c", 300, 4, 5, suite="grain128aead"),
        record("d", 200, 3, 4, suite="grain128aead", note="version 1"),
        record("e", 0, problem="does not build"),
    )
    assert [(row[1], row[2][2], row[3]) for row in found] == [
        ("10", "a", ""),
        ("20", "a", ""),
        ("5", "b", ""),
        ("6", "b", ""),
        ("4", "c", ""),
        ("5", "c", ""),
        ("3", "d", "version 1"),
        ("4", "d", "version 1"),
    ]


def test_a_blocks_row_is_of_its_encryption_and_tells_the_set_up() -> None:
    fast = block("fast", 900, 700, 10, 12)
    small = block("small", 100, 40, 90, 8)
    assert [
        (row["message_bytes"], row["ad_bytes"], row["operation"], row["count"])
        for row in peers.best([small, fast])
    ] == [("16", "0", "encrypt", "10"), ("16", "0", "encrypt", "90")]
    assert [row["note"] for row in peers.best([small, fast])] == [
        "key set-up 700 cycles",
        "smallest code, key set-up 40 cycles",
    ]


def test_the_fastest_in_c_has_a_row_beside_assembly() -> None:
    fast = record("fast", 900, 10, 20, language="assembly")
    in_c = record("in-c", 800, 30, 40, language="C")
    slow = record("slow", 850, 50, 60, language="C")
    assert [row[1:] for row in chosen(slow, in_c, fast)[:2]] == [
        ("10", "p fast, -Os", ""),
        ("30", "p in-c, -Os", "fastest in C, smallest code"),
    ]
    # The fastest of all is not named twice.
    assert [row[3] for row in chosen(slow, in_c)] == ["", ""]


def test_ccm_has_a_frame_and_what_does_not_fit_has_no_row() -> None:
    whole = record("whole", 900, 50, 60, suite="aes128-ccm-16")
    frame = record("frame", 800, 10, suite="aes128-ccm-16")
    found = peers.best([whole, frame])
    assert [(row["message_bytes"], row["ad_bytes"], row["count"]) for row in found] == [
        ("95", "14", "10"),
        ("1224", "40", "60"),
    ]


def test_rows_of_others_are_kept_as_they_are() -> None:
    kept = peers.rows_without_record(peers.table_path())
    assert len(kept) > 2
    text = peers.table([record("a", 500, 10, 20)], kept)
    assert len(rows(text)) == len(kept) + 2
    assert [row for row in rows(text) if row in kept] == kept
    assert published.table(best_known.FILE)
