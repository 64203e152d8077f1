# SPDX-License-Identifier: Apache-2.0
"""The addresses of nodes whose frames have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shell import assert_done, samara

from samara.link.node.link_addresses import LinkAddresses
from samara.net.addresses import link_addresses_of

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = bytes.fromhex("0001"), bytes.fromhex("0002")


@pytest.mark.slow
def test_who_is_made_first_is_end_1(tmp_path: Path) -> None:
    assert_done(samara("node", "init", "a", "--link", "rf-serial", folder=tmp_path))
    assert_done(samara("node", "init", "b", "--pair-with", "a", folder=tmp_path))
    assert link_addresses_of(tmp_path / "a") == LinkAddresses(FIRST, {None: SECOND})
    assert link_addresses_of(tmp_path / "b") == LinkAddresses(SECOND, {None: FIRST})
