# SPDX-License-Identifier: Apache-2.0
"""Files by CoAP and TFTP over a link: what protecting them costs."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import nets
import pytest
from shell import assert_misuse, objects, samara

if TYPE_CHECKING:
    from pathlib import Path

PROGRAMS = ("coap-client-openssl", "coap-server-openssl", "tftp", "in.tftpd")


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "most"), [("coap", 6), ("tftp", 5)])
def test_files_cross_and_are_accounted_for(
    tmp_path: Path, protocol: str, most: int
) -> None:
    nets.need(*PROGRAMS)
    done = samara(
        *("demo", "--over", protocol, "--size", "300", "--json"), folder=tmp_path
    )
    assert done.returncode == 0, done
    costs, protection, _ = objects(done.stdout)
    assert len(protection["rows"]) == 5
    by_case = defaultdict(list)
    for row in costs["rows"]:
        assert "lost" not in row["file"]
        by_case[row["protection"]].append(row)
    assert len(by_case) == most

    def bytes_of(case: str, layer: str) -> int:
        return sum(int(row[f"{layer} [bytes]"]["value"]) for row in by_case[case])

    plain = bytes_of("no security", "payload")
    assert plain > 300
    assert bytes_of("no security", "security") == 0
    # A header of 6 bytes, and a MIC, in as many frames.
    assert bytes_of("link, level 5", "security") > 0
    assert bytes_of("link, level 5", "security") < bytes_of("link, level 7", "security")
    # Encryption below the program does not change what it says.
    assert bytes_of("link, level 5", "payload") == plain
    # Hex digits double the file.
    assert bytes_of("payload, AES-256-CBC in hex", "payload") > plain + 300


def test_over_stands_alone(tmp_path: Path) -> None:
    over = ("demo", "--over", "coap")
    assert_misuse(samara(*over, "--chat", folder=tmp_path), "--chat")
    assert_misuse(samara("demo", "--size", "9", folder=tmp_path), "--over")
    assert_misuse(samara("demo", "--over", "coop", folder=tmp_path), "coap")
