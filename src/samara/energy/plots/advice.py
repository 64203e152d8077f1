# SPDX-License-Identifier: Apache-2.0
"""The picture of advice: flash against what security takes of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.energy.candidates import LAYERS
from samara.records.painting import plain_log

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from samara.energy.choices import Choice
    from samara.energy.recommending import Recommendation

_MARKERS = dict(zip(LAYERS, "os^", strict=True))


def front(choices: Iterable[Choice]) -> list[Choice]:
    """Return those that no other beats in flash and in energy, by flash."""
    found: list[Choice] = []
    for choice in sorted(choices, key=_place):
        if not found or choice.security_j < found[-1].security_j:
            found.append(choice)
    return found


def _place(choice: Choice) -> tuple[float, float]:
    return choice.flash_bytes, choice.security_j


def paint_choices(
    figure: Figure, found: Recommendation, colours: Sequence[str]
) -> None:
    """Draw what fits by layer, what does not in grey, and the front as a line."""
    axes = figure.subplots()
    out = [choice for choice, _ in found.out]
    axes.plot(*_points(out), "x", color="#bbbbbb", markersize=4, label="does not fit")
    for number, layer in enumerate(LAYERS):
        these = [each for each in found.fitting if each.candidate.layer == layer]
        if these:
            axes.plot(
                *_points(these), _MARKERS[layer], color=colours[number], label=layer
            )
    best = front(found.ties)
    if best:
        axes.step(
            *_points(best), where="post", color="#777777", label="front of equal lives"
        )
        for choice in best:
            axes.annotate(
                f"{choice.candidate.suite} {choice.build.opt}",
                (_points([choice])[0][0], _points([choice])[1][0]),
                xytext=(4, 4),
                textcoords="offset points",
                fontsize=7,
            )
    if found.recommended is not None:
        axes.plot(
            *_points([found.recommended]),
            "*",
            color="#000000",
            markersize=13,
            label=f"recommended: {found.recommended.candidate.suite}",
        )
    axes.set(
        xlabel="flash, bytes",
        ylabel="energy of security a message, µJ",
        xscale="log",
        yscale="log",
    )
    plain_log(axes.xaxis)
    plain_log(axes.yaxis)
    axes.legend(fontsize=7)


def _points(choices: Sequence[Choice]) -> tuple[list[int], list[float]]:
    return (
        [choice.flash_bytes for choice in choices],
        [choice.security_j * 1e6 for choice in choices],
    )
