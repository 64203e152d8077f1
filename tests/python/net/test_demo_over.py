# SPDX-License-Identifier: Apache-2.0
"""Files by CoAP and TFTP over a link: what protecting them costs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import nets
import pytest
from shell import assert_misuse, objects, samara

from samara.demo import over, over_programs
from samara.demo.showing import sizes_of
from samara.errors import MisuseError

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = ("coap-client-openssl", "coap-server-openssl", "tftp", "in.tftpd")
SECURITY_SIZES = {5: 6 + 4, 6: 6 + 8, 7: 6 + 16}
"""Bytes of a frame at each level: its security header, and the MIC."""


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "most"), [("coap", 7), ("tftp", 5)])
def test_files_cross_and_are_accounted_for(
    tmp_path: Path, protocol: str, most: int
) -> None:
    nets.need(*PROGRAMS)
    done = samara(
        *("demo", "--over", protocol, "--sizes", "300", "--json"), folder=tmp_path
    )
    assert done.returncode == 0, done
    assert b"left out" not in done.stderr
    costs, layers, protection, _ = objects(done.stdout)
    assert len(protection["rows"]) == 6
    assert not [row for row in costs["rows"] if "lost" in row["what"]]
    by_case: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in layers["rows"]:
        by_case[row["protection"]][row["what"]] = row
    assert len(by_case) == most

    # All that the programs can do, in each case.
    files = {"PUT 300 B", "GET 300 B"}
    observes = {"OBSERVE 6 x 16 B"} if protocol == "coap" else set()
    plain = by_case["no security"]
    assert all(case.keys() == files | observes for case in by_case.values())
    assert all(count(plain[what], "data") > size_of(what) for what in plain)
    assert all(count(row, "security") == 0 for row in plain.values())
    for level, each in SECURITY_SIZES.items():
        for what, row in by_case[f"link, level {level}"].items():
            # In each frame, of which there may be more on a busy machine.
            assert count(row, "security") % each == 0 < count(row, "security")
            if count(row, "packets") == count(plain[what], "packets"):
                # Encryption below the program does not change what it says.
                assert count(row, "data") == count(plain[what], "data")
    for what, row in by_case["AES-256-CBC in hex"].items():
        # Hex digits double the file.
        assert count(row, "data") > 2 * size_of(what)


Row = dict[str, Any]


def count(row: Row, column: str) -> int:
    """Return a number of a row."""
    unit = "" if column == "packets" else " [bytes]"
    return int(row[column + unit]["value"])


def size_of(what: str) -> int:
    """Return the bytes that were to arrive, from the words that tell of them."""
    verb, *numbers, unit = what.split()
    del verb
    size = 1
    for number in numbers:
        size *= 1 if number == "x" else int(number)
    return size * (1000 if unit == "kB" else 1)


def test_sizes_are_a_list() -> None:
    assert sizes_of(["1k,100k", "7"]) == [1000, 100_000, 7]
    for wrong in ("0", "101k", "1m", "-1", "", "1,,2"):
        with pytest.raises(MisuseError, match=r"100000 bytes|number of bytes"):
            sizes_of([wrong])


def test_what_is_left_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = {*over_programs.Aiocoap.needs}
    where = monkeypatch.setattr
    where(over_programs, "_where", lambda name: None if name in gone else name)
    assert "aiocoap" in str(over.left_out("coap"))
    assert not [case for case in over.cases("coap") if case.has_oscore]
    gone.add("tftp")
    with pytest.raises(MisuseError, match="tftp-hpa"):
        over.left_out("tftp")


def test_over_stands_alone(tmp_path: Path) -> None:
    over = ("demo", "--over", "coap")
    assert_misuse(samara(*over, "--chat", folder=tmp_path), "--chat")
    assert_misuse(samara("demo", "--size", "9", folder=tmp_path), "--over")
    assert_misuse(samara("demo", "--over", "coop", folder=tmp_path), "coap")
