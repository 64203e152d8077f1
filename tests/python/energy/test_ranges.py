# SPDX-License-Identifier: Apache-2.0
"""Tolerances become ranges, and the strongest of them is told first."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from samara.energy import assumptions, quantity, ranges, topology
from samara.energy.network import consumption
from samara.energy.quantity import Draw, Quantity, Sampled, Value


def of(value: float, tolerance: float) -> Quantity:
    return Quantity(value, tolerance, "a test", checked=True)


def test_one_quantity_has_its_own_range() -> None:
    found = ranges.spread(lambda draw: draw("a", of(10, 0.5)), draws=100_000)
    assert found.low == pytest.approx(10 / 1.5, rel=0.01)
    assert found.middle == pytest.approx(10, rel=0.01)
    assert found.high == pytest.approx(15, rel=0.01)


def test_two_quantities_together() -> None:
    """The logarithms of both add up: so do their variances."""

    def answer(draw: Draw) -> Value:
        return draw("a", of(2, 0.3)) * draw("b", of(3, 0.4))

    found = ranges.spread(answer, draws=200_000)
    width = np.hypot(np.log(1.3), np.log(1.4))
    assert found.high == pytest.approx(6 * np.exp(width), rel=0.01)
    assert found.low == pytest.approx(6 * np.exp(-width), rel=0.01)


def test_a_share_of_draws_is_below_a_quantile() -> None:
    each = of(1.0, 0.25)
    drawn = np.asarray(Sampled(50_000)("a", each))
    for share in (0.05, 0.1, 0.5, 0.9, 0.975):
        assert (drawn < each.quantile(share)).mean() == pytest.approx(share, abs=0.01)
    assert each.quantile(0.5) == 1.0
    # A log-normal distribution: its logarithm's deviation by the 90 % quantile.
    deviation = np.log(1.25) / NormalDist().inv_cdf(0.9)
    assert np.log(drawn).std() == pytest.approx(deviation, rel=0.02)


def test_draws_depend_on_seed_and_name_alone() -> None:
    each = of(1.0, 0.1)
    first, again, other = Sampled(5, 1), Sampled(5, 1), Sampled(5, 2)
    again("something else", each)
    assert (first("a", each) == again("a", each)).all()  # type: ignore[union-attr]
    assert (first("a", each) != other("a", each)).all()  # type: ignore[union-attr]
    assert (first("a", each) != first("b", each)).all()  # type: ignore[union-attr]


def test_the_strongest_is_first_and_what_moves_nothing_is_left_out() -> None:
    def answer(draw: Draw) -> Value:
        draw("unused", of(1, 0.9))
        weak, strong = draw("weak", of(10, 0.1)), draw("strong", of(10, 0.5))
        return weak - strong + draw("exact", of(7, 0))

    found = ranges.ranking(answer)
    assert [each.quantity for each in found] == ["strong", "weak"]
    # 10 / 1.5 and 10 x 1.5: the answer falls when it rises.
    assert found[0].at_low == pytest.approx(7 + 10 - 10 / 1.5)
    assert found[0].at_high == pytest.approx(7 + 10 - 15)


def test_two_quantities_of_one_name() -> None:
    def answer(draw: Draw) -> Value:
        return draw("a", of(1, 0.1)) + draw("a", of(2, 0.1))

    with pytest.raises(ValueError, match="two quantities have the name 'a'"):
        ranges.ranking(answer)


@pytest.mark.parametrize("bad", [(-1.0, 0.1), (1.0, -0.1), (float("nan"), 0.1)])
def test_quantities_that_cannot_be(bad: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="a finite number, not negative"):
        of(*bad)


def _life_s(draw: Draw) -> Value:
    honest = assumptions.HONEST
    power_w = consumption(
        honest.node(draw), topology.chain(1), 300.0, honest.rpl
    ).total_w
    return honest.supply(draw).life_s(power_w[..., 0])


def test_a_life_as_a_range() -> None:
    nominal_s = float(_life_s(quantity.nominal))
    found = ranges.spread(_life_s, draws=2000)
    assert found.low < nominal_s < found.high
    # Tolerances of 10 to 15 %: neither exact, nor a guess.
    assert 1.1 < found.high / found.low < 3
    assert ranges.spread(_life_s, draws=2000) == found
    ranked = ranges.ranking(_life_s)
    swings = [each.swing for each in ranked]
    assert swings == sorted(swings, reverse=True)
    assert {"2xaa-alkaline.capacity_ah", "at86rf231.receive_a"} <= {
        each.quantity for each in ranked[:3]
    }
