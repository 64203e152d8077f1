# SPDX-License-Identifier: Apache-2.0
"""The style of the pictures of the physical layer, and their files."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from samara.extras import need, needed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.figure import Figure

#: Okabe and Ito's colours, which people with colour vision deficiency can distinguish.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
GREY = "#777777"
FORMATS = ("png", "svg")

_STYLE: dict[Any, Any] = {
    "font.size": 9.0,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.titlesize": 10.0,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "samara",
}


def need_matplotlib() -> None:
    """Check that pictures can be drawn, before the work for them is done.

    Raises
    ------
    MissingPackageError
        If Matplotlib is not installed.
    """
    need("matplotlib", "phy")


def draw(
    paint: Callable[[Figure], None], size: tuple[float, float], kind: str
) -> bytes:
    """Return a picture as png or svg.

    Parameters
    ----------
    paint
        Draws into an empty figure.
    size
        Width and height in inches.
    kind
        png or svg.

    Raises
    ------
    MissingPackageError
        If Matplotlib is not installed.
    """
    with needed("phy"):
        # Loaded here because it is slow.
        from matplotlib import rc_context  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    with rc_context(_STYLE):
        figure = Figure(figsize=size, dpi=144)
        paint(figure)
        written = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else None
        figure.savefig(written, format=kind, metadata=metadata)
    if kind == "svg":
        # Matplotlib ends lines of paths with a blank, which no text file should have.
        return re.sub(rb" +$", b"", written.getvalue(), flags=re.MULTILINE)
    return written.getvalue()


def write(directory: Path, name: str, files: dict[str, bytes]) -> list[Path]:
    """Write each file as DIRECTORY/NAME.KIND, and return the paths."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{name}.{kind}" for kind in files]
    for path, content in zip(paths, files.values(), strict=True):
        path.write_bytes(content)
    return paths
