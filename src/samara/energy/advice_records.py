# SPDX-License-Identifier: Apache-2.0
"""Advice as records: what is recommended, and every choice that was weighed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from samara.crypto import Standing
from samara.energy.advice_commands import commands
from samara.energy.advice_words import sentence
from samara.energy.limit_options import option_of, value_of
from samara.energy.limits import NEVER_SUGGESTED
from samara.energy.origins import model_figure
from samara.energy.recommending import Saving
from samara.figure import Figure
from samara.records import Field, Record, record_class

if TYPE_CHECKING:
    from collections.abc import Sequence

    from samara.energy.choices import Choice
    from samara.energy.limits import Broken
    from samara.energy.recommending import Recommendation
    from samara.energy.scenario import Scenario


@record_class
class LifeOfChoice:
    """Life of the battery, as a range of draws."""

    low: Annotated[
        Figure, Field("10 % of draws are below.", heading="10\xa0%", unit="year")
    ]
    median: Annotated[Figure, Field("50 % of draws are below.", unit="year")]
    high: Annotated[Figure, Field("90 % of draws are below.", unit="year")]


@record_class
class ChoiceFields:
    """What a suite at a layer gives with one build."""

    layer: Annotated[
        str, Field("`link`, `payload` or `physical`.", heading="layer", rank=0)
    ]
    suite: Annotated[str, Field("Slug of the suite.", heading="suite", rank=0)]
    standing: Annotated[Standing, Field("What the cipher is.")]
    tag_bytes: Annotated[int, Field("Size of the tag.", unit="byte")]
    encrypts: Annotated[bool, Field("Whether it encrypts.")]
    interoperable: Annotated[
        bool,
        Field(
            "Whether others' software for the standard of the link opens it, or frames "
            "of another standard carry it."
        ),
    ]
    options: Annotated[
        Mapping[str, Any], Field("Options of `samara node init` that make it.")
    ]
    implementation: Annotated[
        str, Field("Implementation of the suite.", heading="build", rank=3)
    ]
    opt: Annotated[str, Field("Optimisation, as `O2`.", heading="opt", rank=3)]
    air_bytes: Annotated[
        int, Field("All frames of a message.", heading="air", unit="byte")
    ]
    energy: Annotated[
        Figure,
        Field(
            "Of a message, with listening and sleep until the next.",
            heading="message",
            unit="\N{MICRO SIGN}J",
        ),
    ]
    security_energy: Annotated[
        Figure,
        Field(
            "What of it security takes.",
            heading="security",
            unit="\N{MICRO SIGN}J",
            rank=2,
        ),
    ]
    life: Annotated[LifeOfChoice, Field("Life of the battery.", heading="life", rank=0)]
    latency: Annotated[
        Figure, Field("Mean time of a hop.", heading="latency", unit="ms")
    ]
    flash_bytes: Annotated[int, Field("Flash.", heading="flash", unit="byte")]
    ram_bytes: Annotated[int, Field("RAM, stack included.", heading="RAM", unit="byte")]
    forgery: Annotated[
        float,
        Field(
            "Chance that one forged frame is accepted in the years asked for, while "
            "forged frames fill the radio's time."
        ),
    ]
    forgeries_per_year: Annotated[
        float, Field("Forged frames that an attacker can send.", unit="1/year")
    ]


@record_class
class ChoiceRecord(ChoiceFields, Record):
    """A choice that keeps all limits; the best comes first."""

    TYPE: ClassVar[str] = "choice"


@record_class
class BrokenLimit:
    """A limit that a choice does not keep."""

    limit: Annotated[str, Field("Name of the limit.")]
    allowed: Annotated[
        float | None, Field("What was asked for; `null` where it is no number.")
    ]
    found: Annotated[float | None, Field("What the choice has.")]
    option: Annotated[str, Field("Option of `samara advise` that sets it.")]
    value: Annotated[
        str | None,
        Field("Value of the option that would do; `null` for one without a value."),
    ]


@record_class
class ExcludedChoice(ChoiceFields, Record):
    """A choice that does not keep all limits."""

    broken: Annotated[tuple[BrokenLimit, ...], Field("The limits that it breaks.")]


@record_class
class AlternativeChoice(ChoiceFields):
    """A choice that fits too, and takes less of something than the recommended one."""

    least: Annotated[Saving, Field("What it takes the least of.")]
    energy_j_more: Annotated[
        float, Field("Energy of a message more than recommended.", unit="J")
    ]
    flash_bytes_more: Annotated[int, Field("Flash more than recommended.", unit="byte")]


@record_class
class Advice(Record):
    """The recommendation, or what to relax; choices follow."""

    recommended: Annotated[
        ChoiceFields | None, Field("The best that keeps all limits.")
    ]
    sentence: Annotated[str, Field("The same in words, or what to relax.")]
    alternatives: Annotated[
        tuple[AlternativeChoice, ...],
        Field("What fits too with the least energy, and with the least flash."),
    ]
    relax: Annotated[tuple[BrokenLimit, ...], Field("What to relax when nothing fits.")]
    unreachable: Annotated[
        tuple[BrokenLimit, ...],
        Field("Limits that a node without security does not keep either."),
    ]
    then_fits: Annotated[ChoiceFields | None, Field("What fits when that is relaxed.")]
    commands: Annotated[
        tuple[str, ...], Field("Commands that make what is recommended.")
    ]
    link: Annotated[str, Field("Kind of link.")]
    device: Annotated[str, Field("Name of the device.")]
    radio: Annotated[str, Field("Name of the radio.")]
    mac: Annotated[str, Field("Name of the medium access.")]
    battery: Annotated[str, Field("Name of the battery.")]
    weighed: Annotated[
        tuple[str, ...],
        Field("Kinds of parts that were looked for: those that were not named."),
    ]
    not_measured: Annotated[
        tuple[str, ...],
        Field("Suites that the bench has not measured on the device."),
    ]


@record_class
class ChoiceRow:
    """A row of the table of all choices that `-o` writes."""

    suite: Annotated[str, Field("Slug of the suite.")]
    layer: Annotated[str, Field("Layer that encrypts.")]
    tag_bytes: Annotated[int, Field("Size of the tag.")]
    implementation: Annotated[str, Field("Implementation of the suite.")]
    opt: Annotated[str, Field("Optimisation.")]
    air_bytes: Annotated[int, Field("All frames of a message.")]
    energy_uj: Annotated[float, Field("Of a message.")]
    security_uj: Annotated[float, Field("What of it security takes.")]
    years_10: Annotated[float, Field("Life that 10 % of draws are below.")]
    years_50: Annotated[float, Field("Life that 50 % of draws are below.")]
    years_90: Annotated[float, Field("Life that 90 % of draws are below.")]
    flash_bytes: Annotated[int, Field("Flash.")]
    ram_bytes: Annotated[int, Field("RAM.")]
    latency_s: Annotated[float, Field("Mean time of a hop.")]
    forgery: Annotated[float, Field("Chance of a forgery.")]
    out_by: Annotated[str, Field("Limits that it breaks.")]


_K = TypeVar("_K", bound=ChoiceFields)


@dataclass(frozen=True, slots=True)
class Recorded:
    """Makes records of choices for one scenario."""

    link: str
    scenario: Scenario
    unchecked: Sequence[str]
    """Quantities of the scenario that were not read in their sources."""

    def advice(
        self,
        found: Recommendation,
        unreachable: Sequence[Broken],
        missing: Sequence[str],
        weighed: Sequence[str] = (),
    ) -> Advice:
        """Return the first record of an answer.

        Parameters
        ----------
        unreachable
            Limits that a node without security does not keep either.
        missing
            Suites that the bench has not measured on the device.
        weighed
            Kinds of parts that were looked for.
        """
        best, scenario = found.recommended, self.scenario
        return Advice(
            recommended=self._optional(best),
            sentence=sentence(found),
            alternatives=tuple(
                self._record_of(
                    AlternativeChoice,
                    each.choice,
                    least=each.saving,
                    energy_j_more=each.energy_j,
                    flash_bytes_more=each.flash_bytes,
                )
                for each in found.alternatives()
            ),
            relax=_limits(found.relax),
            unreachable=_limits(unreachable),
            then_fits=self._optional(found.relaxed),
            commands=tuple(self.commands(best)) if best else (),
            link=self.link,
            device=scenario.device,
            radio=scenario.radio,
            mac=scenario.mac,
            battery=scenario.battery,
            weighed=tuple(weighed),
            not_measured=tuple(missing),
        )

    def commands(self, choice: Choice) -> list[str]:
        """Return what makes a choice real."""
        return commands(choice, self.link, self.scenario.host)

    def choice(self, choice: Choice) -> ChoiceRecord:
        """Return the record of a choice that fits."""
        return self._record_of(ChoiceRecord, choice)

    def excluded(self, choice: Choice, breaks: Sequence[Broken]) -> ExcludedChoice:
        """Return the record of a choice that does not fit."""
        return self._record_of(ExcludedChoice, choice, broken=_limits(breaks))

    def _optional(self, choice: Choice | None) -> ChoiceFields | None:
        return None if choice is None else self._record_of(ChoiceFields, choice)

    def _record_of(self, kind: type[_K], choice: Choice, **more: Any) -> _K:  # noqa: ANN401 - of the class's own types
        own, years = choice.candidate, choice.years
        return kind(
            layer=own.layer,
            suite=own.suite,
            standing=own.standing,
            tag_bytes=own.tag_bytes,
            encrypts=own.encrypts,
            interoperable=own.is_interoperable,
            options=own.options,
            implementation=choice.build.implementation,
            opt=choice.build.opt,
            air_bytes=choice.air_bytes,
            energy=self._figure(choice.energy_j, "J"),
            security_energy=self._figure(choice.security_j, "J"),
            life=LifeOfChoice(
                self._figure(years.low, "year"),
                self._figure(years.middle, "year"),
                self._figure(years.high, "year"),
            ),
            latency=self._figure(choice.latency_s, "s"),
            flash_bytes=choice.flash_bytes,
            ram_bytes=choice.ram_bytes,
            forgery=choice.forgery,
            forgeries_per_year=choice.forgeries_per_year,
            **more,
        )

    def _figure(self, value: float, unit: str) -> Figure:
        return model_figure(value, unit, self.unchecked)


def _limits(breaks: Sequence[Broken]) -> tuple[BrokenLimit, ...]:
    return tuple(map(_limit, breaks))


def _limit(each: Broken) -> BrokenLimit:
    value = None if each.limit in NEVER_SUGGESTED else "any"
    if each.value is not None:
        value = value_of(each, each.value)
    return BrokenLimit(
        each.limit, each.allowed, each.value, option_of(each.limit), value
    )


def row_of(choice: Choice, breaks: Sequence[Broken]) -> ChoiceRow:
    """Return the row of a choice in a file."""
    return ChoiceRow(
        suite=choice.candidate.suite,
        layer=choice.candidate.layer,
        tag_bytes=choice.candidate.tag_bytes,
        implementation=choice.build.implementation,
        opt=choice.build.opt,
        air_bytes=choice.air_bytes,
        energy_uj=choice.energy_j * 1e6,
        security_uj=choice.security_j * 1e6,
        years_10=choice.years.low,
        years_50=choice.years.middle,
        years_90=choice.years.high,
        flash_bytes=choice.flash_bytes,
        ram_bytes=choice.ram_bytes,
        latency_s=choice.latency_s,
        forgery=choice.forgery,
        out_by=" ".join(each.limit for each in breaks),
    )
