# SPDX-License-Identifier: Apache-2.0
"""Pictures of a recording: power over time, spectrum, waterfall, constellation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from samara.phy import inspection, pictures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from samara.phy.channel import Samples
    from samara.phy.recordings import Recording

# As many rows and points as a picture can show.
_MOST_ROWS = 400
_MOST_POINTS = 2000
# Below the loudest, what a waterfall shows.
_RANGE_DB = 60


@dataclass(frozen=True, slots=True)
class InspectionData:
    """What a picture of a recording is made from."""

    recording: Recording
    samples: Samples
    samples_per_symbol: int


def files(drawn: InspectionData) -> dict[str, bytes]:
    """Return one png: what is in a recording, in four parts."""
    recording = drawn.recording

    def draw(figure: Figure) -> None:
        paint(figure, recording, drawn.samples, drawn.samples_per_symbol)

    return {f"{recording.data.stem}.png": pictures.draw(draw, (10, 8), "png")}


def paint(
    figure: Figure, recording: Recording, samples: Samples, samples_per_symbol: int
) -> None:
    """Put the four parts into an empty figure."""
    found = inspection.spectrum(samples, recording.sample_rate)
    symbols = inspection.constellation(samples, samples_per_symbol)
    axes = figure.subplots(2, 2)
    _paint_power(axes[0, 0], samples, recording.sample_rate)
    _paint_spectrum(axes[0, 1], found)
    _paint_waterfall(axes[1, 0], found)
    _paint_constellation(axes[1, 1], symbols, samples_per_symbol)
    figure.suptitle(recording.data.name, fontsize=10)


def _paint_power(axes: Axes, samples: Samples, sample_rate: float) -> None:
    step = max(1, len(samples) // _MOST_POINTS)
    power = np.abs(samples[: len(samples) // step * step].reshape(-1, step)) ** 2
    times = np.arange(len(power)) * step / sample_rate * 1e3
    axes.plot(times, _decibels(power.mean(axis=1)), lw=0.7, color=pictures.COLOURS[0])
    axes.set_title("power")
    axes.set_xlabel("ms")
    axes.set_ylabel("dB, of magnitude 1")


def _paint_spectrum(axes: Axes, found: inspection.Spectrum) -> None:
    level = _decibels(found.power / max(found.power.max(), 1e-30))
    axes.plot(found.frequencies / 1e3, level, lw=0.9, color=pictures.COLOURS[0])
    axes.set_title("spectrum")
    axes.set_xlabel("kHz from the carrier")
    axes.set_ylabel("dB, of the highest")


def _paint_waterfall(axes: Axes, found: inspection.Spectrum) -> None:
    rows = max(1, len(found.waterfall) // _MOST_ROWS)
    whole = found.waterfall[: len(found.waterfall) // rows * rows]
    means = whole.reshape(-1, rows, whole.shape[1]).mean(axis=1)
    if not len(means):
        return
    level = _decibels(means / max(means.max(), 1e-30))
    left, right = found.frequencies[[0, -1]] / 1e3
    # A row is as long as the window that has lines so far apart.
    row_s = 1 / float(found.frequencies[1] - found.frequencies[0])
    end = (float(found.times[-1]) + row_s) * 1e3
    image = axes.imshow(
        level,
        aspect="auto",
        extent=(left, right, end, 0.0),
        cmap="viridis",
        vmin=-_RANGE_DB,
        vmax=0,
        interpolation="nearest",
    )
    axes.grid(visible=False)
    bar = axes.figure.colorbar(image, ax=axes, pad=0.02)
    bar.set_label("dB, of the highest")
    axes.set_title("waterfall")
    axes.set_xlabel("kHz from the carrier")
    axes.set_ylabel("ms")


def _paint_constellation(axes: Axes, symbols: Samples, samples_per_symbol: int) -> None:
    some = symbols[:_MOST_POINTS]
    axes.scatter(some.real, some.imag, s=4, alpha=0.5, color=pictures.COLOURS[0])
    axes.set_aspect("equal")
    axes.set_xlim(-2, 2)
    axes.set_ylim(-2, 2)
    what = "samples" if samples_per_symbol == 1 else "constellation"
    axes.set_title(f"{what} of the longest burst")
    axes.set_xlabel("real")
    axes.set_ylabel("imaginary")


def _decibels(power: inspection.Reals) -> inspection.Reals:
    level: inspection.Reals = 10 * np.log10(np.maximum(power, 1e-12))
    return level
