# SPDX-License-Identifier: Apache-2.0
"""How requests made from an OpenAPI document are tried on the program it describes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

schemathesis = pytest.importorskip("schemathesis")

# Longest that an answer may take on a busy machine.
ANSWER_S = 120

if TYPE_CHECKING:
    from collections.abc import Mapping


def described_by(document: Mapping[str, Any], app: object, url: str) -> Any:  # noqa: ANN401 - of schemathesis
    """Return the schema of a document, whose requests go to `app`."""
    schema = schemathesis.openapi.from_dict(document)
    schema.app = app
    schema.config.base_url = url
    return schema


def tries(examples: int) -> settings:
    """Return settings for so many requests of each route, the same in each run."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
