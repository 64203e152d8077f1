# SPDX-License-Identifier: Apache-2.0
"""The bill of materials is CycloneDX, complete, and the same twice."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tools" / "sbom"


def made(*words: str | Path) -> str:
    return subprocess.run(
        [sys.executable, PROGRAM, *words], capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(made())
    return found


def named(bill: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each for each in bill["components"]}


def test_it_is_valid_by_the_schema(tmp_path: Path) -> None:
    validator = JsonStrictValidator(SchemaVersion.V1_6)
    (tmp_path / "x.whl").write_bytes(b"x")
    text = made(tmp_path / "x.whl")
    assert validator.validate_str(text) is None
    wrong = json.loads(text)
    wrong["components"][0]["type"] = "nonsense"
    assert validator.validate_str(json.dumps(wrong)) is not None


def test_it_is_the_same_twice_and_differs_with_its_content(tmp_path: Path) -> None:
    first, second = tmp_path / "a.whl", tmp_path / "b.tar.gz"
    first.write_bytes(b"1")
    second.write_bytes(b"2")
    assert made(first, second) == made(second, first)
    serials = {json.loads(made(*words))["serialNumber"] for words in ([], [first])}
    assert len(serials) == 2


def test_artifacts_have_their_hashes(tmp_path: Path) -> None:
    path = tmp_path / "samara.whl"
    path.write_bytes(b"the wheel")
    (found,) = named(json.loads(made(path)))["samara.whl"]["hashes"]
    assert found == {
        "alg": "SHA-256",
        "content": hashlib.sha256(b"the wheel").hexdigest(),
    }


def test_an_artifact_that_is_missing_is_refused() -> None:
    done = subprocess.run(
        [sys.executable, PROGRAM, "nowhere.whl"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "no such file: nowhere.whl" in done.stderr


def test_it_has_all_that_the_wheel_requires(bill: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = named(bill)
    for line in project["dependencies"]:
        name = re.split(r"[^\w.-]", line)[0]
        assert found[name]["scope"] == "required"
        assert found[name]["version"]
    assert found["pyserial"]["scope"] == "optional"
    assert bill["metadata"]["component"]["purl"].startswith("pkg:pypi/samara@")


def test_it_has_the_packages_in_the_page(bill: dict[str, Any]) -> None:
    """What runs in a browser: packages that the sources import, or are compiled by."""
    package = json.loads((ROOT / "page" / "package.json").read_text())
    for name in {*package["dependencies"], "svelte"}:
        found = named(bill)[name]
        assert found["purl"] == f"pkg:npm/{name}@{found['version']}"
        assert len(found["hashes"][0]["content"]) == 128
    sources = "\n".join(
        path.read_text()
        for kind in ("*.ts", "*.svelte")
        for path in (ROOT / "page" / "src").rglob(kind)
        if not path.name.endswith(".test.ts")
    )
    imports = r'^\s*import [^;]*?["\']([a-z@][\w/-]*)'
    imported = set(re.findall(imports, sources, re.MULTILINE))
    assert imported
    assert {name.split("/")[0] for name in imported} <= set(named(bill))


def test_all_that_is_part_of_it_is_a_dependency(bill: dict[str, Any]) -> None:
    (graph,) = bill["dependencies"]
    references = {each["bom-ref"] for each in bill["components"]}
    assert set(graph["dependsOn"]) == references
    assert {"samara-c", "nanobind"} <= set(named(bill))
