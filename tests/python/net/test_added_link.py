# SPDX-License-Identifier: Apache-2.0
"""A kind of link that is one folder carries IPv6, and a lab runs over it."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import nets
import pytest
from added_link import WITH_TOY
from shell import Done, assert_misuse, environment

if TYPE_CHECKING:
    from pathlib import Path

# What is not refused runs until it is killed.
_REFUSED_S = 60.0


def lab(folder: Path, *options: str) -> Done:
    return subprocess.run(
        [*WITH_TOY, "ip", "lab", "--link", "toy", *options],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=_REFUSED_S,
        check=False,
    )


@pytest.mark.slow
def test_pings_cross_an_added_link_in_a_lab(tmp_path: Path) -> None:
    nets.need("ping")
    with nets.lab(tmp_path, "--link", "toy", program=WITH_TOY) as (first, second):
        for size in (56, 1232):
            nets.until_reached(first, second, size=size)
        # The mailbox is where the lab says, and not where nodes were made for.
        assert list(tmp_path.iterdir()) == []
        # Nothing but their addresses tells the two ends apart.
        assert first["address"].endswith("ff:fe00:1")
        assert second["address"].endswith("ff:fe00:2")


@pytest.mark.slow
def test_what_a_lab_of_an_added_link_cannot_do_is_refused(tmp_path: Path) -> None:
    assert_misuse(lab(tmp_path, "--nodes", "3"), "toy joins two nodes")
    assert_misuse(lab(tmp_path, "--pcap", "air.pcap"), "frames of ieee802154, and toy")
    assert list(tmp_path.iterdir()) == []
