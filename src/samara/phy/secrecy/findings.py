# SPDX-License-Identifier: Apache-2.0
"""Records of what eavesdroppers gain, of estimators' biases, and of costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from samara.figure import Figure, Origin
from samara.phy.intervals import RateFigure
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.phy.intervals import Rate
    from samara.phy.secrecy.known_channels import ChannelEstimate

SOURCE = "simulated frames"


@record_class
class _FindingRow:
    """A row for what an attack gained. Texts are numbers as they are shown."""

    attack: Annotated[str, Field("Its name.", heading="attack", rank=0)]
    measure: Annotated[str, Field("What is measured.", heading="measured", rank=0)]
    value: Annotated[str, Field("Value.", heading="value", rank=0)]
    interval: Annotated[str, Field("Interval.", heading="interval")]
    by_chance: Annotated[str, Field("By chance.", heading="by\xa0chance", rank=2)]
    verdict: Annotated[str, Field("In words.", heading="eavesdropper", rank=0)]


@record_class
class SecrecyFinding(Record):
    """What an eavesdropper gains from a scheme by one attack."""

    scheme: Annotated[str, Field("Scheme of encryption.")]
    attack: Annotated[str, Field("Attack.")]
    measure: Annotated[
        str,
        Field(
            "What is measured: `advantage` of a game with two outcomes, `information` "
            "in bits a symbol, or a share."
        ),
    ]
    value: Annotated[
        RateFigure, Field("What the attack gained, with its interval.", unit="1")
    ]
    by_chance: Annotated[float, Field("The value without listening.")]
    wins: Annotated[bool, Field("Whether the interval is above that value.")]
    trials: Annotated[int, Field("Number of trials.")]
    modulation: Annotated[str, Field("Modulation.")]
    payload_bytes: Annotated[int, Field("Payload of a frame.", unit="byte")]
    ebn0_db: Annotated[float, Field("Eb/N0 of the eavesdropper.", unit="dB")]
    confidence: Annotated[
        float, Field("Of the interval alone; all of a run hold together with 0.95.")
    ]
    seed: Annotated[int, Field("Random seed.")]

    def table_rows(self) -> Sequence[_FindingRow]:
        """Return the row of tables."""
        value = self.value
        unit = "" if value.unit == "1" else f"\xa0{value.unit}"
        return [
            _FindingRow(
                self.attack,
                self.measure,
                f"{value.value:.3f}{unit}",
                f"{value.low:.3f} to {value.high:.3f}",
                f"{self.by_chance:g}",
                "wins" if self.wins else "gains nothing",
            )
        ]


@record_class
class _KnownRow:
    """A row for an estimator. Texts are numbers as they are shown."""

    channel: Annotated[str, Field("What is sent.", heading="known channel", rank=0)]
    estimator: Annotated[str, Field("Estimator.", heading="estimator")]
    truth: Annotated[str, Field("Truth.", heading="true\xa0bits", rank=0)]
    found: Annotated[str, Field("Estimate.", heading="estimated", rank=0)]
    interval: Annotated[str, Field("Interval.", heading="95\xa0%")]
    bias: Annotated[str, Field("Difference.", heading="bias", rank=0)]


@record_class
class EstimatorBias(Record):
    """What an estimator of information finds on a channel where it is known."""

    channel: Annotated[str, Field("What is sent: the noise is Gaussian.")]
    estimator: Annotated[str, Field("Estimator: `Kraskov` or `Ross`.")]
    truth: Annotated[Figure, Field("Information in theory.", unit="bit")]
    estimate: Annotated[
        RateFigure, Field("Mean estimate, with its interval.", unit="bit")
    ]
    bias: Annotated[Figure, Field("Estimate minus truth.", unit="bit")]
    samples: Annotated[int, Field("Symbols in all.")]

    def table_rows(self) -> Sequence[_KnownRow]:
        """Return the row of tables."""
        found = self.estimate
        return [
            _KnownRow(
                self.channel,
                self.estimator,
                f"{self.truth.value:.4f}",
                f"{found.value:.4f}",
                f"{found.low:.4f} to {found.high:.4f}",
                f"{self.bias.value:+.4f}",
            )
        ]


@record_class
class _CostRow:
    """A row for what a scheme costs. Texts are numbers as they are shown."""

    scheme: Annotated[str, Field("Scheme.", heading="scheme", rank=0)]
    needed: Annotated[str, Field("Eb/N0.", heading="Eb/N0,\xa0dB", rank=2)]
    cost: Annotated[str, Field("Cost.", heading="cost,\xa0dB", rank=0)]
    cost_range: Annotated[str, Field("Interval.", heading="95\xa0%")]
    added: Annotated[int, Field("Symbols.", heading="symbols added", digits="d")]
    keystream: Annotated[int, Field("Bits.", heading="keystream bits", digits="d")]
    time: Annotated[float, Field("Time.", heading="\xb5s a\xa0frame", digits=".0f")]


@record_class
class SecrecyCost(Record):
    """What a scheme costs the link."""

    scheme: Annotated[str, Field("Scheme of encryption.")]
    frame_error_rate: Annotated[float, Field("At which Eb/N0 is compared.")]
    ebn0_needed: Annotated[
        RateFigure, Field("Eb/N0 for this frame error rate.", unit="dB")
    ]
    cost: Annotated[
        RateFigure, Field("How much more that is than without encryption.", unit="dB")
    ]
    symbols_added: Annotated[
        Figure, Field("Symbols that the scheme adds to a frame.", unit="1")
    ]
    keystream_bits: Annotated[Figure, Field("Keystream for a frame.", unit="bit")]
    send_time: Annotated[
        Figure,
        Field("Time to make a frame, on this computer, in NumPy.", unit="s"),
    ]
    modulation: Annotated[str, Field("Modulation.")]
    payload_bytes: Annotated[int, Field("Payload of a frame.", unit="byte")]
    seed: Annotated[int, Field("Random seed.")]

    def table_rows(self) -> Sequence[_CostRow]:
        """Return the row of tables."""
        cost = self.cost
        return [
            _CostRow(
                self.scheme,
                f"{self.ebn0_needed.value:.2f}",
                f"{cost.value:.2f}",
                f"{cost.low:.2f} to {cost.high:.2f}",
                int(self.symbols_added.value),
                int(self.keystream_bits.value),
                self.send_time.value * 1e6,
            )
        ]


def bias_of(known: ChannelEstimate) -> EstimatorBias:
    """Return what an estimator finds on a known channel, as a record."""
    rate = known.estimate.rate
    return EstimatorBias(
        channel=known.channel,
        estimator=known.estimator,
        truth=Figure(known.truth, "bit", Origin.ESTIMATED, "theory"),
        estimate=measured(rate, "bit"),
        bias=Figure(rate.value - known.truth, "bit", Origin.MEASURED, SOURCE),
        samples=known.estimate.trials,
    )


def measured(rate: Rate, unit: str) -> RateFigure:
    """Return a measured value with its interval."""
    return RateFigure(rate.value, unit, Origin.MEASURED, SOURCE, rate.low, rate.high)
