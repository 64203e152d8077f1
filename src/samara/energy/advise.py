# SPDX-License-Identifier: Apache-2.0
"""Which parts and which suite to take: all of them against the limits of a product.

What is named is held; what is not is looked for (`platforms`). On each platform that
may be the best (`weighing`), a `Candidate` is a suite at a layer, as frames of the
link. It is weighed with every build that the bench has measured (`choices`), and held
against `Limits`. Of those that fit, the best is recommended (`recommending`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import starmap
from typing import TYPE_CHECKING, Annotated, Any

from samara.crypto.names import find
from samara.energy import catalogue, coprocessor
from samara.energy.advice_parts import (
    WeighedParts,
    of_standard,
    parts_of,
    parts_table,
    taken_parts,
    weighed_kinds,
)
from samara.energy.advice_records import (
    Advice,
    ChoiceRecord,
    ExcludedChoice,
    Recorded,
    row_of,
)
from samara.energy.advice_tables import excluded_table, fitting_table
from samara.energy.advice_words import (
    alternatives,
    forging,
    of_unit,
    order,
    out_of_layer,
    sentence,
    unreached,
)
from samara.energy.candidates import (
    LAYERS,
    candidates,
    has_standard,
    without_security,
)
from samara.energy.choices import Use
from samara.energy.limits import FORGERY_MAX, Broken, Limits, unreachable
from samara.energy.link_macs import mac_of
from samara.energy.platforms import ANY, USUAL_BATTERY, Demands, offered
from samara.energy.remarks import doubt_remarks
from samara.energy.remarks import sentence as capitalized
from samara.energy.requests import (
    GROUP,
    MEDIUM_ACCESS,
    RADIO,
    Interval,
    NodeRequest,
    named,
    options_of_links,
    part_names,
)
from samara.energy.weighing import Question, search
from samara.errors import MisuseError
from samara.records import (
    Answer,
    Between,
    Digest,
    Notice,
    Parameter,
    Progress,
    Refusal,
    Remark,
    Written,
    request_class,
)
from samara.records.parameters import spelled
from samara.units import BYTES, SECONDS, SHARE, YEARS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from samara.energy.candidates import Candidate
    from samara.energy.platforms import Platform
    from samara.energy.recommending import Recommendation
    from samara.energy.weighing import Search
    from samara.link.node.options import Option
    from samara.records.tables import Table

_HOUR_S = 3600.0
_HELD = ("suite", "level", "framing")
"""Options of links that hold what is weighed otherwise."""


def _layers() -> tuple[str, ...]:
    # No lambda below: in an annotation it would not find names of this module.
    return (ANY, *LAYERS)


def _names_or_any(kind: str) -> Callable[[], list[str]]:
    return lambda: [ANY, *part_names(kind)()]


def _is_given(option: Option) -> bool:
    # The length of the tag is a limit: --tag.
    return option.changes_receipt and option.name != "tag_size"


@request_class
class AdviseRequest(NodeRequest):
    """A product: its node, and the limits that the security of its messages keeps."""

    link_options: Annotated[
        Mapping[str, Any],
        options_of_links(_is_given),
    ] = field(default_factory=dict)
    device: Annotated[
        str,
        Parameter(
            group=GROUP,
            help="Microcontroller: device or chip, as `samara bench devices` lists "
            "them, or any.",
            metavar="DEVICE",
            names=_names_or_any("device"),
            names_in_words="",
        ),
    ] = ANY
    radio: Annotated[
        str | None,
        replace(RADIO, default_text="any that the link and the device can have"),
    ] = None
    mac: Annotated[
        str | None,
        replace(
            MEDIUM_ACCESS,
            default_text="any of a standard that takes the settings given",
        ),
    ] = None
    battery: Annotated[
        str,
        Parameter(
            group=GROUP,
            help="Battery, or any: with --years the smallest that lives so long, "
            f"otherwise {USUAL_BATTERY}.",
            metavar="NAME",
            names=_names_or_any("battery"),
        ),
    ] = ANY
    build: Annotated[
        str | None,
        Parameter(
            metavar="NAME",
            help="Implementation of the suite, such as portable, assembly, small, or "
            "engine: the AES engine of the chip.",
            default_text=ANY,
        ),
    ] = None
    acknowledged: Annotated[
        bool,
        Parameter(
            help="Take only a medium access that tells the node that its message "
            "arrived."
        ),
    ] = False
    nodes: Annotated[
        int,
        Parameter(
            help="Number of nodes that send to the same receiver.",
            values=Between(1, 5000),
        ),
    ] = 1
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
            default_text=ANY,
        ),
    ] = None
    ram_bytes: Annotated[
        int | None,
        Parameter(
            name="ram",
            help="Most RAM, stack included.",
            unit=BYTES,
            values=Between(1),
            default_text=ANY,
        ),
    ] = None
    latency_s: Annotated[
        float | None,
        Parameter(
            name="latency",
            help="Longest mean latency of a hop, such as 50ms or 0.05.",
            unit=SECONDS,
            values=Between(1e-6),
            default_text=ANY,
        ),
    ] = None
    tag_bytes: Annotated[
        int | None,
        Parameter(
            name="tag",
            help="Shortest tag.",
            unit=BYTES,
            values=Between(0, 16),
            default_text=ANY,
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
    ] = ANY
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
            help="Take only what others' software for the standard of the link opens: "
            "AES-128 in CCM* on ieee802154. Default: so where the link has a standard."
        ),
    ] = False
    allow_proprietary: Annotated[
        bool,
        Parameter(help="Take also frames and medium accesses of no standard."),
    ] = False

    def limits(self) -> Limits:
        """Return what the product demands.

        Raises
        ------
        samara.crypto.UnknownNameError
            When there is no such layer.
        """
        layer = find("layer", self.layer, {name: name for name in (ANY, *LAYERS)})
        return Limits(
            years=self.years,
            flash_bytes=self.flash_bytes,
            ram_bytes=self.ram_bytes,
            latency_s=self.latency_s,
            tag_bytes=self.tag_bytes,
            forgery=self.forgery,
            layer=None if layer == ANY else layer,
            messages_per_hour=_HOUR_S / self.interval_s,
            allow_unauthenticated=self.allow_unauthenticated,
            allow_unencrypted=self.allow_unencrypted,
            allow_research=self.allow_research,
            interoperable=self.is_of_standard,
        )

    @property
    def is_of_standard(self) -> bool:
        """Whether others have to understand the node."""
        return self.interoperable or (
            not self.allow_proprietary and has_standard(self.used_link)
        )

    def notices(self) -> Iterator[Notice]:
        """Yield what a user should know of the device that was named."""
        if self.device != ANY:
            # No bare super() in a class with slots: it is made anew.
            yield from NodeRequest.notices(self)


@dataclass(frozen=True, slots=True)
class _Answered:
    """The platforms and choices that were weighed, and what of them was asked."""

    request: AdviseRequest
    search: Search
    recorded: Recorded
    use: Use
    unreachable: Sequence[Broken]
    """Limits that a node without any security does not keep either."""

    @property
    def found(self) -> Recommendation:
        """The choices on the best platform, judged."""
        return self.search.best.recommendation


def advise(
    request: AdviseRequest,
) -> Answer[Advice | ChoiceRecord | ExcludedChoice | WeighedParts]:
    """Yield what is recommended to a product, and each choice that was weighed.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        As `NodeRequest.scenario`; or there is no such layer or band, the device is no
        microcontroller, no frame of the link is of its standard, no parts go together,
        or the bench has measured nothing on the device.
    """
    yield from request.notices()
    answer = yield from _answered(request)
    found, recorded = answer.found, answer.recorded
    missing = answer.search.best.missing
    yield recorded.advice(
        found, answer.unreachable, missing, weighed_kinds(request, answer.search)
    )
    yield from _leading_remarks(answer)
    yield Digest(_records(answer), _tables(answer))
    yield from _closing_remarks(answer)
    every = [*((one, ()) for one in found.fitting), *found.out]
    yield Written(list(starmap(row_of, every)), found)
    if found.recommended is None:
        yield Refusal()


def _answered(request: AdviseRequest) -> Generator[Progress, None, _Answered]:
    limits, question = request.limits(), _asked(request)
    every = offered(
        request,
        {**_given(request), **without_security(request.used_link)},
        Demands(
            question.compares_batteries, request.is_of_standard, request.acknowledged
        ),
    )
    found = yield from search(question, every)
    scenario = found.best.platform.scenario
    return _Answered(
        request,
        found,
        Recorded(request.used_link, scenario, scenario.unchecked()),
        question.use,
        unreachable(scenario, limits, question.use),
    )


def _given(request: AdviseRequest) -> dict[str, Any]:
    """Return the options of the link that do not choose what secures it."""
    given = request.used_options
    return {name: value for name, value in given.items() if name not in _HELD}


def _asked(request: AdviseRequest) -> Question:
    """Return what platforms are weighed for, and refuse what cannot be asked."""
    if request.device != ANY and coprocessor.named(request.device) is not None:
        message = (
            "samara advise weighs programs by flash and RAM, which a core does not"
            " have: give --device a microcontroller; samara energy life takes cores"
        )
        raise MisuseError(message)
    link = request.used_link
    mac_of(link)
    if request.interoperable and request.allow_proprietary:
        message = "--interoperable and --allow-proprietary: give the one or the other"
        raise MisuseError(message)
    if request.interoperable and not has_standard(link):
        message = (
            f"frames of {link} are samara's own, and no other software opens them: "
            "leave out --interoperable, or give --link ieee802154"
        )
        raise MisuseError(message)
    return Question(
        request.limits(),
        Use(request.interval_s, request.years or 1.0, request.band, request.nodes),
        lambda platform: _candidates(request, platform),
        request.build,
        compares_batteries=request.battery == ANY and request.years is not None,
    )


def _candidates(request: AdviseRequest, platform: Platform) -> list[Candidate]:
    """Return what can secure the messages of a platform, and is asked for.

    Raises
    ------
    MisuseError
        When there is nothing.
    """
    given = request.used_options
    held = {name: given[name] for name in _HELD if given.get(name) is not None}
    every = candidates(
        request.used_link,
        request.message_bytes,
        _given(request),
        platform.scenario.own_frame,
    )
    found = [
        each
        for each in every
        if each.has(held) and (each.is_interoperable or not request.is_of_standard)
    ]
    if not found:
        asked = " ".join(f"{spelled(name)} {value}" for name, value in held.items())
        message = (
            f"nothing that --mac {platform.scenario.mac} carries has "
            f"{asked or 'a standard'}: give another, or --allow-proprietary"
        )
        raise MisuseError(message)
    return found


def _records(
    answer: _Answered,
) -> Iterator[ChoiceRecord | ExcludedChoice | WeighedParts]:
    """Yield all choices: what fits, the best first, and what does not; then parts."""
    found, recorded = answer.found, answer.recorded
    yield from map(recorded.choice, found.fitting)
    yield from starmap(recorded.excluded, found.out)
    yield from parts_of(answer.search)


def _tables(answer: _Answered) -> Iterator[Table | Remark]:
    if answer.search.count > 1:
        yield parts_table(answer.search)
    yield fitting_table(answer.found, answer.recorded)
    yield excluded_table(answer.found)


def _leading_remarks(answer: _Answered) -> Iterator[Remark]:
    """Yield the answer in sentences."""
    found, request = answer.found, answer.request
    weighed = weighed_kinds(request, answer.search)
    if weighed:
        yield Remark(taken_parts(answer.search, weighed), is_above=True, emphasis=True)
    yield Remark(sentence(found), is_above=True, emphasis=True)
    texts = []
    if found.recommended is not None:
        forged = forging(found.recommended, answer.use)
        texts = [forged, order(found), *alternatives(found)]
    elif answer.unreachable:
        texts = [unreached(answer.unreachable)]
    for text in texts:
        yield Remark(text, is_above=True)


def _closing_remarks(answer: _Answered) -> Iterator[Remark]:
    """Yield doubts, what is out or not measured, and the commands."""
    scenario = answer.recorded.scenario
    best = answer.found.recommended
    use = answer.use
    yield from doubt_remarks(scenario, best.years.high if best else 0.0)
    for doubt in scenario.doubts_of_network(use.topology, use.interval_s):
        yield Remark(capitalized(doubt))
    for text in filter(None, (out_of_layer(answer.found, each) for each in LAYERS)):
        yield Remark(text)
    request = answer.request
    if request.is_of_standard and not request.interoperable:
        yield Remark(of_standard(scenario))
    if missing := answer.search.best.missing:
        device = scenario.measured_as
        yield Remark(
            f"Not measured on {device}: {len(missing)} suites, such as {missing[0]}. "
            f"To measure: samara bench run --device {device} --suite {missing[0]}"
        )
    if best is not None and (of_chip := of_unit(scenario, best)):
        yield Remark(of_chip)
    if best is not None:
        yield Remark("To make it:")
        for command in answer.recorded.commands(best):
            # Not wrapped: it is to be copied.
            yield Remark(f"  {command}", is_line=True)
