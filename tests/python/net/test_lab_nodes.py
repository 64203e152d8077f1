# SPDX-License-Identifier: Apache-2.0
"""The nodes of a lab are those that its plan asks for, without a link or a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from samara.errors import MisuseError
from samara.link.node import folder as folders
from samara.net import lab_nodes
from samara.net.addresses import link_addresses_of
from samara.net.plan import Plan
from samara.net.topology import Network


def plan(nodes: int, **fields: Any) -> Plan:  # noqa: ANN401 - fields of a plan
    fields = {"link": "ieee802154", **fields}
    return Plan(network=Network.of("chain", nodes), **fields)


@pytest.mark.parametrize("nodes", [2, 3])
def test_options_of_a_lab_are_those_of_its_link_unless_given(
    nodes: int, tmp_path: Path
) -> None:
    for folder, options, retries in (
        ("usual", {}, 3),
        ("given", {"frame_retries": 0}, 0),
    ):
        (tmp_path / folder).mkdir()
        names = lab_nodes.make(plan(nodes, options=options), tmp_path / folder)
        assert list(names.values()) == [f"n{n}" for n in range(1, nodes + 1)]
        for name in names.values():
            settings = folders.read(tmp_path / folder / name).end.settings
            assert settings["frame_retries"] == retries


def test_nodes_of_a_chain_know_their_neighbours_alone(tmp_path: Path) -> None:
    names = lab_nodes.make(plan(4), tmp_path)
    found = {name: link_addresses_of(tmp_path / name) for name in names.values()}
    assert len({each.own for each in found.values()}) == 4
    assert {name: dict(each.neighbours) for name, each in found.items()} == {
        "n1": {"n2": found["n2"].own},
        "n2": {"n1": found["n1"].own, "n3": found["n3"].own},
        "n3": {"n2": found["n2"].own, "n4": found["n4"].own},
        "n4": {"n3": found["n3"].own},
    }
    shared = [folders.read(tmp_path / name).end.settings for name in names.values()]
    assert len({(each["pan"], each["key_source"]) for each in shared}) == 1


def test_a_lab_does_not_authenticate_by_request_alone(tmp_path: Path) -> None:
    options = {"level": 4}
    with pytest.raises(MisuseError, match="does not authenticate"):
        lab_nodes.make(plan(2, options=options), tmp_path)
    lab_nodes.make(plan(2, options=options, allow_unauthenticated=True), tmp_path)
    assert folders.read(tmp_path / "n2").end.settings["level"] == 4


@pytest.mark.parametrize(
    ("nodes", "fields", "words"),
    [
        (3, {"link": "sdr"}, "sdr joins two nodes; .* have --link ieee802154"),
        (2, {"link": "rf-serial", "capture": Path("x")}, "leave out --pcap"),
    ],
)
def test_what_a_link_cannot_do_is_refused(
    nodes: int, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(MisuseError, match=words):
        lab_nodes.check(plan(nodes, **fields))
    for link in ("ieee802154", "rf-serial", "sdr"):
        lab_nodes.check(plan(2, link=link))
