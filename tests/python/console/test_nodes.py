# SPDX-License-Identifier: Apache-2.0
"""Directories of nodes that the command names are shown, without their keys."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.testclient import TestClient

from samara.console import nodes
from samara.link.node import folder as folders

if TYPE_CHECKING:
    from pathlib import Path


def test_a_node_is_told_without_its_key_and_no_node_with_the_reason(
    tmp_path: Path,
) -> None:
    node, nothing = tmp_path / "alice", tmp_path / "nobody"
    folders.make_pair(node, "sdr", {}, witnesses=tmp_path / "witnesses")
    app = FastAPI()
    app.include_router(nodes.routes_of([node, nothing]))
    with TestClient(app) as client:
        answer = client.get("/api/nodes")
    alice, nobody = answer.json()
    assert (alice["type"], alice["node"], alice["link"]) == ("node", str(node), "sdr")
    assert alice["service"] is None
    assert (nobody["type"], nobody["node"]) == ("no_node", str(nothing))
    assert str(nothing) in nobody["reason"]
    keys = json.loads((node / "keys.json").read_bytes())["keys"]
    assert keys
    assert all(key not in answer.text for key in keys.values())
