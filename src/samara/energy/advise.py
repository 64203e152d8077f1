# SPDX-License-Identifier: Apache-2.0
"""Which suite to take: all candidates against the limits of a product.

A `Candidate` is a suite at a layer, as frames of the link. Each is weighed with every
build that the bench has measured (`choices`), and held against `Limits`. Of those that
fit, the best is recommended (`recommending`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import starmap
from typing import TYPE_CHECKING, Annotated, Any

from samara.crypto.names import find
from samara.energy import catalogue, coprocessor
from samara.energy.advice_records import (
    Advice,
    ChoiceRecord,
    ExcludedChoice,
    Recorded,
    row_of,
)
from samara.energy.advice_tables import excluded_table, fitting_table
from samara.energy.advice_words import (
    ORDER,
    alternatives,
    forging,
    out_of_layer,
    sentence,
    unreached,
)
from samara.energy.candidates import LAYERS, candidates, without_security
from samara.energy.choices import Choice, Use, Way, choices, ways
from samara.energy.cryptography import NotMeasuredError
from samara.energy.life import doubt_remarks
from samara.energy.limits import FORGERY_MAX, Broken, Limits, unreachable
from samara.energy.link_macs import mac_of
from samara.energy.recommending import recommend
from samara.energy.requests import Interval, NodeRequest, named, options_of_links
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Between,
    Digest,
    Parameter,
    Progress,
    Refusal,
    Remark,
    Written,
    request_class,
)
from samara.units import BYTES, SECONDS, SHARE, YEARS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from samara.energy.candidates import Candidate
    from samara.energy.recommending import Recommendation
    from samara.energy.scenario import Scenario
    from samara.link.node.options import Option
    from samara.records.tables import Table

_HOUR_S = 3600.0
_ANY = "any"
_CHOSEN = ("suite", "level", "framing", "tag_size")
"""Options of links that are what is asked for."""


def _layers() -> tuple[str, ...]:
    # No lambda below: in an annotation it would not find names of this module.
    return (_ANY, *LAYERS)


def _is_given(option: Option) -> bool:
    return option.changes_receipt and option.name not in _CHOSEN


@request_class
class AdviseRequest(NodeRequest):
    """A product: its node, and the limits that the security of its messages keeps."""

    link_options: Annotated[
        Mapping[str, Any],
        options_of_links(_is_given),
    ] = field(default_factory=dict)
    interval_s: Interval = 300.0
    years: Annotated[
        float | None,
        Parameter(
            help="Years that nine of ten nodes have to live.",
            unit=YEARS,
            values=Between(0.001),
            default_text="any life",
        ),
    ] = None
    flash_bytes: Annotated[
        int | None,
        Parameter(
            name="flash",
            help="Most flash, such as 4096 or 4Ki.",
            unit=BYTES,
            values=Between(1),
            default_text=_ANY,
        ),
    ] = None
    ram_bytes: Annotated[
        int | None,
        Parameter(
            name="ram",
            help="Most RAM, stack included.",
            unit=BYTES,
            values=Between(1),
            default_text=_ANY,
        ),
    ] = None
    latency_s: Annotated[
        float | None,
        Parameter(
            name="latency",
            help="Longest mean latency of a hop, such as 50ms or 0.05.",
            unit=SECONDS,
            values=Between(1e-6),
            default_text=_ANY,
        ),
    ] = None
    tag_bytes: Annotated[
        int | None,
        Parameter(
            name="tag",
            help="Shortest tag.",
            unit=BYTES,
            values=Between(0, 16),
            default_text=_ANY,
        ),
    ] = None
    forgery: Annotated[
        float,
        Parameter(
            metavar="P",
            help="Largest chance that one forged frame is accepted within --years (one "
            "year when it is not given), while forged frames fill the radio's time.",
            unit=SHARE,
            values=Between(0, 1),
        ),
    ] = FORGERY_MAX
    layer: Annotated[
        str,
        Parameter(
            metavar="NAME",
            help="Layer that encrypts: link (frames), payload (the application), "
            "physical (all bits, without a tag), or any.",
            names=_layers,
            names_in_words="",
        ),
    ] = _ANY
    band: Annotated[
        str | None,
        Parameter(
            help="Band whose duty cycle counts.",
            metavar="NAME",
            names=named(catalogue.bands),
        ),
    ] = None
    allow_unauthenticated: Annotated[
        bool, Parameter(help="Take also what accepts forged messages.")
    ] = False
    allow_unencrypted: Annotated[
        bool, Parameter(help="Take also what authenticates only.")
    ] = False
    allow_research: Annotated[
        bool,
        Parameter(help="Take also ciphers that are for research, not to be relied on."),
    ] = False
    interoperable: Annotated[
        bool,
        Parameter(
            help="Take only frames that others' software for the standard of the link "
            "opens: AES-128 in CCM* on ieee802154."
        ),
    ] = False

    def limits(self) -> Limits:
        """Return what the product demands.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such layer.
        """
        layer = find("layer", self.layer, {name: name for name in (_ANY, *LAYERS)})
        return Limits(
            years=self.years,
            flash_bytes=self.flash_bytes,
            ram_bytes=self.ram_bytes,
            latency_s=self.latency_s,
            tag_bytes=self.tag_bytes,
            forgery=self.forgery,
            layer=None if layer == _ANY else layer,
            messages_per_hour=_HOUR_S / self.interval_s,
            allow_unauthenticated=self.allow_unauthenticated,
            allow_unencrypted=self.allow_unencrypted,
            allow_research=self.allow_research,
            interoperable=self.interoperable,
        )


@dataclass(frozen=True, slots=True)
class _Weighed:
    """All choices, judged, and what of them was asked."""

    found: Recommendation
    recorded: Recorded
    use: Use
    missing: Sequence[str]
    """Suites that the bench has not measured on the device."""
    unreachable: Sequence[Broken]
    """Limits that a node without any security does not keep either."""


def advise(
    request: AdviseRequest,
) -> Answer[Advice | ChoiceRecord | ExcludedChoice]:
    """Yield what is recommended to a product, and each choice that was weighed.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or there is no such layer or band, the device is no
        microcontroller, no frame of the link is of its standard, or the bench has
        measured nothing on the device.
    """
    yield from request.notices()
    answer = yield from _answered(request)
    found, recorded = answer.found, answer.recorded
    yield recorded.advice(found, answer.unreachable, answer.missing)
    yield from _above(answer)
    yield Digest(_records(answer), _tables(answer))
    yield from _below(answer)
    every = [*((one, ()) for one in found.fitting), *found.out]
    yield Written(list(starmap(row_of, every)), found)
    if found.recommended is None:
        yield Refusal()


def _answered(request: AdviseRequest) -> Generator[Progress, None, _Weighed]:
    limits, (scenario, wanted) = request.limits(), _asked(request)
    use = Use(request.interval_s, request.years or 1.0, request.band)
    found, missing = yield from _choices(scenario, wanted, use)
    if not found:
        message = (
            f"the bench has measured nothing on {scenario.measured_as}: run `samara "
            f"bench run --device {scenario.measured_as}`"
        )
        raise MisuseError(message)
    return _Weighed(
        recommend(found, limits),
        Recorded(request.used_link, scenario, scenario.unchecked()),
        use,
        missing,
        unreachable(scenario, limits, use),
    )


def _asked(request: AdviseRequest) -> tuple[Scenario, list[Candidate]]:
    """Return the node without security, and what can secure its messages."""
    if coprocessor.named(request.device) is not None:
        message = (
            "samara advise weighs programs by flash and RAM, which a core does not"
            " have: give --device a microcontroller; samara energy life takes cores"
        )
        raise MisuseError(message)
    link, given = request.used_link, request.link_options
    mac_of(link)
    scenario = request.scenario({**given, **without_security(link)})
    wanted = list(candidates(link, request.message_bytes, given, scenario.own_frame))
    if request.interoperable and not any(each.is_interoperable for each in wanted):
        message = (
            f"frames of {link} are samara's own, and no other software opens them: "
            "leave out --interoperable, or give --link ieee802154"
        )
        raise MisuseError(message)
    return scenario, wanted


def _choices(
    scenario: Scenario, wanted: Sequence[Candidate], use: Use
) -> Generator[Progress, None, tuple[list[Choice], list[str]]]:
    """Return all choices, and the suites that the bench has not measured."""
    found: list[Way] = []
    missing: list[str] = []
    for done, candidate in enumerate(wanted):
        yield Progress(done / len(wanted), "suites")
        try:
            found += ways(scenario, candidate)
        except NotMeasuredError:
            missing.append(candidate.calls[0].suite)
    return choices(found, use), missing


def _records(answer: _Weighed) -> Iterator[ChoiceRecord | ExcludedChoice]:
    """Yield all choices: what fits, the best first, and what does not."""
    found, recorded = answer.found, answer.recorded
    yield from map(recorded.choice, found.fitting)
    yield from starmap(recorded.excluded, found.out)


def _tables(answer: _Weighed) -> Iterator[Table | Remark]:
    yield fitting_table(answer.found, answer.recorded)
    yield excluded_table(answer.found)


def _above(answer: _Weighed) -> Iterator[Remark]:
    """Yield the answer in sentences."""
    found = answer.found
    yield Remark(sentence(found), is_above=True, emphasis=True)
    texts = []
    if found.recommended is not None:
        texts = [forging(found.recommended, answer.use), ORDER, *alternatives(found)]
    elif answer.unreachable:
        texts = [unreached(answer.unreachable)]
    for text in texts:
        yield Remark(text, is_above=True)


def _below(answer: _Weighed) -> Iterator[Remark]:
    """Yield doubts, what is out or not measured, and the commands."""
    yield from doubt_remarks(answer.recorded.scenario)
    for text in filter(None, (out_of_layer(answer.found, each) for each in LAYERS)):
        yield Remark(text)
    if missing := answer.missing:
        device = answer.recorded.scenario.measured_as
        yield Remark(
            f"Not measured on {device}: {len(missing)} suites, such as {missing[0]}. "
            f"To measure: samara bench run --device {device} --suite {missing[0]}"
        )
    best = answer.found.recommended
    if best is not None:
        yield Remark("To make it:")
        for command in answer.recorded.commands(best):
            # Not wrapped: it is to be copied.
            yield Remark(f"  {command}", is_line=True)
