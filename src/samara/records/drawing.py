# SPDX-License-Identifier: Apache-2.0
"""Drawings that live in a page: Matplotlib's SVG, in the page's own colours.

Matplotlib writes fixed colours. Drawings are therefore made in colours that
nobody would use, each standing for a variable of the page's style sheet, which
has one set of values for a light screen and one for a dark one.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

from samara.extras import needed

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#000001"
MUTED = "#000002"
GRID = "#000003"
SURFACE = "#000004"
SERIES = tuple(f"#0000{0xA0 + i:02x}" for i in range(8))
"""Colours of lines and points; the first ones are the easiest to distinguish."""

_VARIABLES = {
    INK: "ink",
    MUTED: "quiet",
    GRID: "line",
    SURFACE: "card",
    "#000000": "ink",
    **{colour: f"series-{i}" for i, colour in enumerate(SERIES)},
}

_MANY_ACROSS, _MANY_UP = 200, 2_000
"""How many times higher an axis ends than it begins to have ticks enough."""

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "font.size": 9.0,
    "axes.edgecolor": GRID,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": GRID,
    "ytick.color": GRID,
    "xtick.labelcolor": MUTED,
    "ytick.labelcolor": MUTED,
    "xtick.minor.visible": False,
    "lines.linewidth": 1.8,
    "figure.constrained_layout.use": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}

_PROLOGUE = re.compile(r"\A.*?(?=<svg)", re.DOTALL)
_METADATA = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_FONT_FAMILY = re.compile(r"font-family: [^;\"]*;? ?")
_FONT = re.compile(r"font: ((?:\w+ )*?)([\d.]+px) [^;\"]*")
_ID = re.compile(r'(\bid="|href="#|url\(#)')
_COLOUR = re.compile(r"#0000[0-9a-f]{2}")


def draw(
    slug: str,
    paint: Callable[[Figure], None],
    size: tuple[float, float],
    label: str,
) -> str:
    """Return a drawing as an SVG element.

    Parameters
    ----------
    slug
        What its inner names begin with, so that drawings can share a page.
    paint
        Puts everything into an empty figure.
    size
        Width and height; the width is what 100 a unit fills on a page.
    label
        What it is called for those who do not see it.

    Raises
    ------
    samara.extras.MissingPackageError
        If Matplotlib is not installed.
    """
    with needed("bench"):
        # Matplotlib is slow to load: only a command that draws loads it.
        from matplotlib import rc_context  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    # The salt makes names that Matplotlib invents the same in every run.
    with rc_context({**_STYLE, "svg.hashsalt": slug}):
        figure = Figure(figsize=size)
        paint(figure)
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None})
    return _for_page(written.getvalue(), slug, label)


def _for_page(svg: str, slug: str, label: str) -> str:
    svg = _METADATA.sub("", _PROLOGUE.sub("", svg, count=1))
    svg = re.sub(r' (?:width|height)="[\d.]+pt"', "", svg, count=2)
    svg = svg.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
    svg = _FONT.sub(r"font-size: \2", _FONT_FAMILY.sub("", svg))
    svg = _ID.sub(rf"\g<1>{slug}-", svg)
    return _COLOUR.sub(_variable, svg).strip()


def _variable(found: re.Match[str]) -> str:
    name = _VARIABLES.get(found.group())
    return found.group() if name is None else f"var(--{name})"


def set_scales(
    axes: Axes, *, x_logarithmic: bool = False, y_logarithmic: bool = False
) -> None:
    """Give axes few ticks, with plain numbers and without marks."""
    # Slow to load, as in `draw`.
    from matplotlib.ticker import LogLocator, NullLocator  # noqa: PLC0415

    if x_logarithmic:
        axes.set_xscale("log")
    if y_logarithmic:
        axes.set_yscale("log")
    for axis, logarithmic in ((axes.xaxis, x_logarithmic), (axes.yaxis, y_logarithmic)):
        if logarithmic:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(lambda value, _place: f"{value:,.10g}")
    axes.tick_params(length=0)


def thin_out(axes: Axes) -> None:
    """Take ticks between powers of ten from axes that have many of those."""
    # Slow to load, as in `draw`.
    from matplotlib.ticker import LogLocator  # noqa: PLC0415

    for axis, (low, high), many in (
        (axes.xaxis, axes.get_xlim(), _MANY_ACROSS),
        (axes.yaxis, axes.get_ylim(), _MANY_UP),
    ):
        if axis.get_scale() == "log" and high > low * many:
            axis.set_major_locator(LogLocator())
