# SPDX-License-Identifier: Apache-2.0
"""One message with each suite and at each layer: the receipts side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from samara import crypto
from samara.bench import published
from samara.crypto import Standing
from samara.energy.candidates import candidates, without_security
from samara.energy.own_parts import own_parts
from samara.energy.receipt_costs import with_costs
from samara.energy.requests import Device, PartFiles
from samara.errors import MisuseError
from samara.figure import Figure, Origin, weakest
from samara.link.node.kinds import kinds, planned_receipt
from samara.link.node.receipt import Call, Direction, Verb
from samara.records import (
    Answer,
    Between,
    Field,
    Parameter,
    Progress,
    Record,
    Remark,
    Request,
    Title,
    record_class,
    request_class,
)
from samara.units import BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from samara.energy.candidates import Candidate
    from samara.link.node.receipt import Receipt

_LAYERS = ("link", "payload", "physical")
_COUNTER_BYTES = 4


def _links() -> list[str]:
    """Return the kinds of link that have frames with and without security."""
    return [name for name, each in kinds().items() if each.unsecured is not None]


@request_class
class ReceiptsRequest(Request):
    """Which message, and what secures it."""

    message_bytes: Annotated[
        int,
        Parameter(
            name="bytes",
            help="Size of the message.",
            unit=BYTES,
            values=Between(0, 1 << 16),
        ),
    ] = 20
    parts: PartFiles = ()
    device: Device = "atmega128rfa1"
    link: Annotated[
        str,
        Parameter(help="Kind of link.", metavar="LINK", names=_links),
    ] = "ieee802154"
    tag_bytes: Annotated[
        tuple[int, ...],
        Parameter(
            name="tag",
            help="Size of the tag (repeatable).",
            unit=BYTES,
            values=Between(0, 16),
        ),
    ] = (8,)
    layer: Annotated[
        tuple[str, ...],
        Parameter(
            help="Layer that encrypts (repeatable).",
            values=_LAYERS,
            default_text="all",
        ),
    ] = ()


@record_class
class MessageCost(Record):
    """What a message costs its sender with one suite at one layer."""

    link: Annotated[str, Field("The kind of link.")]
    layer: Annotated[
        str,
        Field("`link`, `payload` or `physical`; `none`: no security.", heading="layer"),
    ]
    suite: Annotated[str | None, Field("What secures it.", heading="suite", rank=0)]
    standing: Annotated[
        Standing | None, Field("Of the suite: what is known of it.", heading="standing")
    ]
    tag_bytes: Annotated[
        int, Field("Size of the tag.", heading="tag", unit="byte", rank=2)
    ]
    encrypts: Annotated[bool, Field("Whether it encrypts the message.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    options: Annotated[
        Mapping[str, Any], Field("Options of a node that sends it so, by name.")
    ]
    parts: Annotated[Mapping[str, float], Field("Bytes by part, as in a receipt.")]
    air_bytes: Annotated[
        Figure,
        Field("All bytes on the air.", heading="on the air", unit="byte", exact=True),
    ]
    air_time: Annotated[
        Figure | None, Field("Time on the air.", heading="air time", unit="ms")
    ]
    crypto_time: Annotated[
        Figure | None, Field("Time of the cipher.", heading="cipher time", unit="ms")
    ]
    crypto_energy: Annotated[
        Figure | None,
        Field("Energy of the cipher.", heading="cipher", unit="\N{MICRO SIGN}J"),
    ]
    radio_energy: Annotated[
        Figure | None,
        Field("Energy of the radio.", heading="radio", unit="\N{MICRO SIGN}J"),
    ]
    energy: Annotated[
        Figure | None,
        Field("Cipher and radio.", heading="energy", unit="\N{MICRO SIGN}J", rank=0),
    ]


@record_class
class PublishedCost(Record):
    """What a paper printed of a message over such a link."""

    link: Annotated[str, Field("The kind of link.")]
    paper: Annotated[str, Field("Its name in `samara bench published`.")]
    what: Annotated[str, Field("What was measured.")]
    message_bytes: Annotated[int, Field("Size of the message.", unit="byte")]
    sent_bytes: Annotated[
        Figure | None, Field("What was handed to the radio.", unit="byte")
    ]
    crypto_time: Annotated[Figure | None, Field("Time of the cipher.", unit="s")]
    crypto_energy: Annotated[Figure | None, Field("Energy of the cipher.", unit="J")]


def compare_receipts(request: ReceiptsRequest) -> Answer[MessageCost | PublishedCost]:
    """Yield what a message costs with each suite and at each layer.

    The first record has no security. What the papers printed of such messages follows.

    Raises
    ------
    MisuseError, samara.crypto.UnknownNameError
        When there is no such link or device, or the message does not fit.
    """
    if request.link not in _links():
        message = f"--link {request.link!r} is not one of {', '.join(_links())}"
        raise MisuseError(message)
    yield Title(
        f"A message of {request.message_bytes} bytes over {request.link}"
        f" from {request.device}",
        "On the air: all bytes, those of the radio included. Energy: cipher and radio,"
        " without listening and sleep.",
    )
    own = own_parts(request.parts)
    found: list[MessageCost] = []
    missing: set[str] = set()
    wanted = list(_wanted(request))
    for done, (candidate, receipt) in enumerate(wanted):
        yield Progress(done / len(wanted), "suites")
        costed = with_costs(receipt, request.device, own=own)
        cost = _cost(candidate, costed, request)
        if candidate is None or cost.crypto_time is not None:
            found.append(cost)
        else:
            missing.add(candidate.suite)
    yield from sorted(found, key=_rank)
    yield from _published(request.link)
    if missing:
        yield Remark(f"Not measured on {request.device}: {', '.join(sorted(missing))}.")


def _rank(cost: MessageCost) -> tuple[bool, float, str]:
    energy = cost.energy.value if cost.energy else 0.0
    return cost.suite is not None, energy, cost.suite or ""


def _wanted(
    request: ReceiptsRequest,
) -> Iterator[tuple[Candidate | None, Receipt]]:
    """Yield the message without security, and as each candidate sends it."""
    size, link = request.message_bytes, request.link
    plain = planned_receipt(link, Direction.SENT, size, without_security(link))
    yield None, plain
    for each in candidates(link, size, {}):
        is_wanted = not request.layer or each.layer in request.layer
        if is_wanted and each.tag_bytes in request.tag_bytes:
            yield each, _receipt(each, link, size, plain)


def _receipt(candidate: Candidate, link: str, size: int, plain: Receipt) -> Receipt:
    if candidate.layer == "link":
        return planned_receipt(link, Direction.SENT, size, candidate.options)
    called = candidate.calls[0]
    call = Call(called.suite, Verb.SEAL, called.message_bytes, called.ad_bytes)
    if candidate.layer == "physical":
        return replace(plain, suite=candidate.suite, calls=(call,))
    # What the application seals is the link's message: its bytes by what they are for.
    suite = crypto.suite(candidate.suite)
    sealed_bytes = suite.sealed_size(size)
    front = 16 if suite.padding_size else _COUNTER_BYTES
    sealed = planned_receipt(
        link, Direction.SENT, sealed_bytes + front, without_security(link)
    )
    parts = {
        **sealed.parts,
        "message": size,
        "cipher": sealed_bytes - size - suite.tag_size,
        "counter": front,
        "tag": suite.tag_size,
    }
    return replace(sealed, suite=suite.slug, parts=parts, calls=(call,))


def _cost(
    candidate: Candidate | None, receipt: Receipt, request: ReceiptsRequest
) -> MessageCost:
    figures = receipt.figures
    crypto_energy, radio_energy = (
        figures.get(name) for name in ("crypto_energy", "radio_energy")
    )
    spent = [each for each in (crypto_energy, radio_energy) if each is not None]
    return MessageCost(
        link=request.link,
        layer="none" if candidate is None else candidate.layer,
        suite=None if candidate is None else candidate.suite,
        standing=None if candidate is None else candidate.standing,
        tag_bytes=0 if candidate is None else candidate.tag_bytes,
        encrypts=candidate is not None and candidate.encrypts,
        message_bytes=request.message_bytes,
        options={} if candidate is None else candidate.options,
        parts=receipt.parts,
        air_bytes=Figure(
            receipt.air_bytes, "byte", Origin.MEASURED, "counted in the encoded frames"
        ),
        air_time=figures.get("air_time"),
        crypto_time=figures.get("crypto_time"),
        crypto_energy=crypto_energy,
        radio_energy=radio_energy,
        energy=None if radio_energy is None else _sum(spent),
    )


def _sum(figures: list[Figure]) -> Figure:
    return Figure(
        sum(each.value for each in figures),
        "J",
        weakest(*(each.origin for each in figures)),
        "; ".join(each.source for each in figures),
    )


def _published(link: str) -> Iterator[PublishedCost]:
    """Yield what the papers printed of messages over a link."""
    if link == "ieee802154":
        yield from _published_ccm()
    if link == "rf-serial":
        yield from _published_sizes()


def _published_ccm() -> Iterator[PublishedCost]:
    others = {
        row.cells["quantity"]: row.cells["value"]
        for row in published.table("ieee802154_other.csv")
    }
    for row in published.table("ieee802154_ccm.csv"):
        if row.cells["operation"] != "CCM* forward":
            continue
        for column, what in (("hw_opt", "AES engine"), ("sw_opt", "software")):
            source = f"{what}, ATxmega A3 at {others['mcu_clock']} MHz, Table V"
            yield PublishedCost(
                link="ieee802154",
                paper="link-security",
                what=f"CCM*, 16-byte tag, {what}",
                message_bytes=int(others["payload"]),
                sent_bytes=None,
                crypto_time=_printed(row.cells[f"{column}_ms"], 1e-3, "s", source),
                crypto_energy=_printed(row.cells[f"{column}_uj"], 1e-6, "J", source),
            )


def _published_sizes() -> Iterator[PublishedCost]:
    for row in published.table("rf_serial_size.csv"):
        for column, what in (
            ("plaintext_kb", "plain"),
            ("ciphertext_kb", "AES in hex digits"),
            ("padded_ciphertext_kb", "AES in hex digits, padded to 12"),
        ):
            yield PublishedCost(
                link="rf-serial",
                paper="rf-serial",
                what=what,
                message_bytes=round(float(row.cells["plaintext_kb"]) * 1000),
                sent_bytes=_printed(
                    row.cells[column], 1000, "byte", f"{what}, Table 1"
                ),
                crypto_time=None,
                crypto_energy=None,
            )


def _printed(text: str, factor: float, unit: str, source: str) -> Figure:
    return Figure(round(float(text) * factor, 12), unit, Origin.PUBLISHED, source)
