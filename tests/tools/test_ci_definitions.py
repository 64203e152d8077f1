# SPDX-License-Identifier: Apache-2.0
"""Definitions for hosts of repositories run .ci/run and have no steps of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PREPARING = "apt-get update && apt-get install -y ca-certificates git"
"""What a bare image needs before the clone can be read."""


def read(name: str) -> Any:  # noqa: ANN401 - what YAML holds
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def of_github() -> list[str]:
    (job,) = read(".github/workflows/check.yml")["jobs"].values()
    used = [step["uses"].partition("@")[0] for step in job["steps"] if "uses" in step]
    assert used == ["actions/checkout"]
    return [step["run"] for step in job["steps"] if "run" in step]


def of_gitlab() -> list[str]:
    (job,) = read(".gitlab-ci.yml").values()
    return list(job["script"])


def of_woodpecker() -> list[str]:
    (step,) = read(".woodpecker.yml")["steps"]
    return list(step["commands"])


@pytest.mark.parametrize("commands", [of_github, of_gitlab, of_woodpecker])
def test_a_definition_calls_the_one_script(commands: Any) -> None:  # noqa: ANN401
    assert commands() == [PREPARING, ".ci/run"]
    assert (ROOT / ".ci" / "run").stat().st_mode & 0o100


def test_github_gives_no_more_rights_than_reading() -> None:
    table = read(".github/workflows/check.yml")
    assert table["permissions"] == {"contents": "read"}
