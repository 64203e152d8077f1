# SPDX-License-Identifier: Apache-2.0
"""The picture of a message: its parts as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.records.painting import plain_log

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

    from samara.energy.message import EnergyMessage


def paint_message(
    figure: Figure, found: Sequence[EnergyMessage], colours: Sequence[str]
) -> None:
    """Draw the parts of one message."""
    figure.set_size_inches(7.2, 4.2)
    parts_uj = {str(part): each.value * 1e6 for part, each in found[0].parts.items()}
    paint_parts(figure, parts_uj, colours, "µJ a message")


def paint_parts(
    figure: Figure, values: Mapping[str, float], colours: Sequence[str], unit: str
) -> None:
    """Draw parts stacked to their whole, and below each of them for itself.

    The lower axis is logarithmic: small parts can be read there.
    """
    shown = {name: value for name, value in values.items() if value > 0}
    whole = sum(shown.values())
    palette = dict(zip(values, [*colours, *_MORE], strict=False))
    above, below = figure.subplots(2, 1, height_ratios=(1, 6))
    begin = 0.0
    for name, value in shown.items():
        above.barh([""], [value], left=begin, color=palette[name])
        begin += value
    above.set(title=f"{whole:,.0f} {unit}", xlim=(0, whole))
    bars = below.barh(
        list(shown), list(shown.values()), color=[palette[name] for name in shown]
    )
    below.bar_label(
        bars,
        [f"{_plain(value)} ({_share(value / whole)})" for value in shown.values()],
        fontsize=7,
        padding=2,
    )
    below.invert_yaxis()
    below.set(xscale="log", xlabel=unit)
    below.margins(x=0.25)
    plain_log(below.xaxis, subs=(1.0,))


_MORE = ("#777777", "#332288", "#999933")
"""Colours behind those that pictures have."""


def _plain(value: float) -> str:
    """Return three digits, without an exponent.

    >>> _plain(125262.8), _plain(53.25), _plain(0.1623)
    ('125,000', '53.2', '0.162')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= _WHOLE else f"{rounded:g}"


_WHOLE = 100


def _share(value: float) -> str:
    """Return a share in percent; what is less than a tenth of one, as that.

    >>> _share(0.0312), _share(0.0004)
    ('3.1%', '<0.1%')
    """
    return "<0.1%" if value < _TENTH_PERCENT else f"{value:.1%}"


_TENTH_PERCENT = 0.001
