# SPDX-License-Identifier: Apache-2.0
"""Whether a node at rest could be used, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.link.node.state import State, StateError

if TYPE_CHECKING:
    from pathlib import Path


def why_refused(folder: Path, identity: str) -> str | None:
    """Return why the state of a node is refused, such as a restored backup, or None.

    It is opened for that, as the next process would open it.
    """
    try:
        State(folder, identity=identity).close()
    except StateError as error:
        return str(error)
    return None
