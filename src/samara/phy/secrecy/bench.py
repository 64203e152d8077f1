# SPDX-License-Identifier: Apache-2.0
"""Schemes against attacks, as a request asks for them."""

from __future__ import annotations

import inspect
import zlib
from typing import TYPE_CHECKING, Annotated

import numpy as np

from samara.errors import MisuseError
from samara.figure import Figure, Origin
from samara.phy.intervals import CONFIDENCE, difference
from samara.phy.modulation import DEFAULT
from samara.phy.modulation import find as find_modulation
from samara.phy.parameters import ModulationName
from samara.phy.secrecy.attack import Air, Setting
from samara.phy.secrecy.blaming import blaming
from samara.phy.secrecy.checking import require_inverse
from samara.phy.secrecy.cost import ERROR_RATE, cost_of
from samara.phy.secrecy.estimates import confidence_of_each
from samara.phy.secrecy.findings import (
    SOURCE,
    EstimatorBias,
    SecrecyCost,
    SecrecyFinding,
    bias_of,
    measured,
)
from samara.phy.secrecy.kinds import ATTACKS, SCHEMES
from samara.phy.secrecy.known_channels import known_channels
from samara.phy.secrecy.pictures import SecrecyData
from samara.records import (
    Answer,
    Between,
    Parameter,
    Progress,
    Remark,
    Request,
    Title,
    Written,
    request_class,
)
from samara.records.usual import Seed
from samara.units import BYTES, DECIBEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.phy.secrecy.attack import Attack
    from samara.phy.secrecy.cost import Cost
    from samara.phy.secrecy.estimates import Estimate
    from samara.phy.secrecy.scheme import Scheme

_CLOCK = "processor time of one thread"
_MOST_VALUES = 10_000_000
"""Symbols of a run at a time: some copies of them are in memory."""


@request_class
class SecrecyRequest(Request):
    """Which schemes are attacked, how, and on which link."""

    scheme: Annotated[
        tuple[str, ...],
        Parameter(
            is_argument=True,
            metavar="SCHEME",
            help="Scheme of encryption, or a file of your own that ends with .py. "
            "Repeatable.",
            names=SCHEMES.names,
        ),
    ]
    attack: Annotated[
        tuple[str, ...],
        Parameter(
            metavar="NAME",
            help="Attack to try, or a file of your own that ends with .py. Repeatable.",
            names=ATTACKS.names,
            default_text="all",
        ),
    ] = ()
    ebn0_db: Annotated[
        float,
        Parameter(
            name="ebn0",
            unit=DECIBEL,
            help="Eb/N0 of the eavesdropper in dB.",
            values=Between(-20, 60),
        ),
    ] = 10.0
    frames: Annotated[
        int,
        Parameter(
            help="Frames that the eavesdropper hears.", values=Between(200, 100_000)
        ),
    ] = 2000
    modulation: ModulationName = DEFAULT
    payload_size: Annotated[
        int,
        Parameter(
            name="payload",
            unit=BYTES,
            help="Payload of a frame.",
            values=Between(8, 1024),
        ),
    ] = 60
    seed: Seed = 1


def measure_secrecy(
    request: SecrecyRequest,
) -> Answer[SecrecyFinding | EstimatorBias | SecrecyCost]:
    """Yield what eavesdroppers gain from schemes, and what the schemes cost.

    Raises
    ------
    MisuseError
        When there is no such scheme, attack or modulation, or the frames are too many.
    samara.phy.radio.RadioError
        If GNU Radio or gr-samara is not installed.
    """
    yield from _Run(request).answer()


class _Run:
    """A request, and what it names."""

    def __init__(self, request: SecrecyRequest) -> None:
        self.request = request
        find_modulation(request.modulation)
        self.schemes: dict[str, type[Scheme]] = SCHEMES.found(request.scheme)
        self.attacks: dict[str, Attack] = ATTACKS.found(
            request.attack or ATTACKS.names()
        )
        each = sum(attack.measures for attack in self.attacks.values())
        self.setting = Setting(
            request.modulation,
            request.payload_size,
            request.ebn0_db,
            request.frames,
            confidence_of_each(each * len(self.schemes)),
        )
        self.drawn = SecrecyData(request.ebn0_db, self.setting.confidence)

    def answer(self) -> Answer[SecrecyFinding | EstimatorBias | SecrecyCost]:
        """Yield all tables."""
        for name, kind in self.schemes.items():
            require_inverse(
                self._air(kind, "inverse").scheme, self._random(name), ERROR_RATE
            )
        steps = len(self.schemes) * (len(self.attacks) + 1)
        done = 0
        for name, kind in self.schemes.items():
            yield Title(f"{name}: {kind.title}")
            air = self._air(kind, "constellation")
            self._check_size(air)
            self.drawn.add_constellation(name, air)
            for called, attack in self.attacks.items():
                yield Progress(done / steps, f"{name}, {called}")
                yield from self._findings(name, called, attack)
                done += 1
        yield Remark(
            f"Intervals of all attacks of a run hold together with {CONFIDENCE:.0%}. "
            '"gains nothing" means that this attack found nothing, not that none can.'
        )
        if "mutual-information" in self.attacks:
            yield Title("Bias of the estimators")
            yield from self._biases()
        yield Title(f"Cost at a frame error rate of {ERROR_RATE:g}")
        yield from self._costs(done, steps)
        yield Written((), self.drawn)

    def _check_size(self, air: Air) -> None:
        most = _MOST_VALUES // air.link.symbols
        if self.request.frames > most:
            message = (
                f"--frames {self.request.frames} are too many: a frame has "
                f"{air.link.symbols} symbols, so that at most {most} fit"
            )
            raise MisuseError(message)

    def _random(self, *place: str) -> np.random.Generator:
        """Return random numbers that depend on the seed and on what they are for."""
        request = self.request
        link = f"{request.modulation} {request.payload_size} {request.ebn0_db}"
        words = [zlib.crc32(each.encode()) for each in (link, *place)]
        sequence = np.random.SeedSequence(request.seed, spawn_key=words)
        return np.random.default_rng(sequence)

    def _air(self, kind: type[Scheme], use: str) -> Air:
        return Air(kind, self.setting, self._random(kind.__module__, use))

    def _findings(
        self, name: str, called: str, attack: Attack
    ) -> Iterator[SecrecyFinding]:
        air = self._air(self.schemes[name], called)
        for estimate in _heard(attack, air):
            self.drawn.add_estimate(name, called, estimate)
            yield self._finding(name, called, estimate)

    def _finding(self, name: str, called: str, estimate: Estimate) -> SecrecyFinding:
        return SecrecyFinding(
            scheme=name,
            attack=called,
            measure=estimate.measure,
            value=measured(estimate.rate, estimate.unit),
            by_chance=estimate.by_chance,
            wins=estimate.wins,
            trials=estimate.trials,
            modulation=self.request.modulation,
            payload_bytes=self.request.payload_size,
            ebn0_db=self.request.ebn0_db,
            confidence=self.setting.confidence,
            seed=self.request.seed,
        )

    def _biases(self) -> Iterator[EstimatorBias]:
        random = self._random("bias")
        air = self._air(SCHEMES.find("none"), "bias")
        found = known_channels(
            air.link.points, air.variance, self.request.frames // 2, random
        )
        for each in found:
            yield bias_of(each)

    def _costs(self, done: int, steps: int) -> Iterator[Progress | SecrecyCost]:
        # Other frames and noise than those of the scheme without encryption.
        plain = self._cost(SCHEMES.find("none"), "reference")
        for name, kind in self.schemes.items():
            yield Progress(done / steps, f"{name}, cost")
            done += 1
            yield self._costing(name, self._cost(kind, "cost"), plain)

    def _cost(self, kind: type[Scheme], use: str) -> Cost:
        request = self.request
        return cost_of(
            kind,
            request.modulation,
            request.payload_size,
            request.frames,
            self._random(kind.__module__, use),
        )

    def _costing(self, name: str, cost: Cost, plain: Cost) -> SecrecyCost:
        more = difference(cost.needed, plain.needed)
        return SecrecyCost(
            scheme=name,
            frame_error_rate=ERROR_RATE,
            ebn0_needed=measured(cost.needed, "dB"),
            cost=measured(more, "dB"),
            symbols_added=Figure(cost.added_symbols, "1", Origin.MEASURED, SOURCE),
            keystream_bits=Figure(cost.keystream_bits, "bit", Origin.MEASURED, SOURCE),
            send_time=Figure(cost.frame_s, "s", Origin.HOST_CLOCK, _CLOCK),
            modulation=self.request.modulation,
            payload_bytes=self.request.payload_size,
            seed=self.request.seed,
        )


def _heard(attack: Attack, air: Air) -> list[Estimate]:
    """Return what an attack yields; refuse another number than it says."""
    file = inspect.getfile(attack.listen)
    with blaming([file]):
        estimates = list(attack.listen(air))
    if len(estimates) != attack.measures:
        message = (
            f"{file}: {attack.title!r} yields {len(estimates)} estimates, and says "
            f"that it yields {attack.measures}"
        )
        raise MisuseError(message)
    return estimates
