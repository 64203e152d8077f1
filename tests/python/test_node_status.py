# SPDX-License-Identifier: Apache-2.0
"""`samara.link.node.status`: what is known of a node, as one record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from samara.cli.running import run
from samara.cli.shared.tables import console, print_figures
from samara.errors import MisuseError
from samara.link.node.folder import make_pair, make_second
from samara.link.node.requests import NodeRequest
from samara.link.node.state import State
from samara.link.node.status import NodeStatus, status
from samara.records import Notice, Title, records_of
from samara.records.json_lines import record_line
from samara.records.tables import Column, Row, Table, words

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    first, second = tmp_path / "first", tmp_path / "second"
    make_pair(first, "ieee802154", {"level": 6}, witnesses=tmp_path / "witnesses")
    make_second(second, first, {}, tmp_path / "witnesses")
    return first, second


def the_status(folder: Path) -> NodeStatus:
    (found,) = records_of(status(NodeRequest(node=folder)))
    return found


def test_a_node_at_rest_is_one_record(pair: tuple[Path, Path]) -> None:
    found, other = map(the_status, pair)
    assert (found.node, found.link) == (pair[0], "ieee802154")
    assert (found.in_use, found.service, found.kept, found.refused) == (
        False,
        None,
        0,
        None,
    )
    assert found.settings["level"] == 6
    assert found.settings["own"] == other.settings["peer"]
    assert found.totals == {"received": 0, "lost": 0, "incomplete": 0, "refused": 0}
    assert (found.neighbours, found.invitations) == ({}, {})


def test_no_key_is_in_a_status(pair: tuple[Path, Path]) -> None:
    for folder in pair:
        line = record_line(the_status(folder))
        keys = json.loads((folder / "keys.json").read_text())["keys"]
        assert keys
        assert not [name for name, key in keys.items() if key in line]


def test_a_node_in_use_says_so_and_is_not_opened(pair: tuple[Path, Path]) -> None:
    with State(pair[0]):
        found = the_status(pair[0])
    assert found.in_use
    assert found.refused is None
    assert not the_status(pair[0]).in_use


def test_a_link_that_does_not_authenticate_is_a_warning(tmp_path: Path) -> None:
    folder, others = tmp_path / "plain", tmp_path / "witnesses"
    given = {"level": 0}
    make_pair(folder, "ieee802154", given, allow_unauthenticated=True, witnesses=others)
    title, found, notice = status(NodeRequest(node=folder))
    assert isinstance(title, Title)
    assert title.text == f"node {folder}"
    assert isinstance(found, NodeStatus)
    assert isinstance(notice, Notice)
    assert notice == Notice(found.warning or "", warns=True)
    assert "not authenticate" in notice.text or "forged" in notice.text


def test_a_directory_that_is_no_node_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MisuseError, match=r"is not a node: .* makes a node"):
        list(status(NodeRequest(node=tmp_path)))
    # Where a file is, `node init` cannot make one.
    (tmp_path / "file").touch()
    with pytest.raises(MisuseError, match="file is a file; name the directory of a"):
        list(status(NodeRequest(node=tmp_path / "file")))


def test_the_command_takes_the_directory_by_its_place(
    pair: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["node", "status", str(pair[1]), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert list(shown)[:3] == ["type", "node", "link"]
    assert shown["node"] == str(pair[1])
    assert run(["node", "status"]) == 2
    assert "'DIR'" in capsys.readouterr().err


def test_cells_cannot_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    row = Row([words("a\x1b[2Jb"), words("c\nd")])
    columns = [Column("one", numeric=False), Column("two", numeric=False)]
    print_figures(Table("slug", "title", columns, [row]), console())
    shown = capsys.readouterr().out
    assert "a\\x1b[2Jb" in shown
    assert "c\\nd" in shown
