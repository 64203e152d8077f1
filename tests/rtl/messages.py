# SPDX-License-Identifier: Apache-2.0
"""The messages that a station gets, each with what has to come out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from grain_model import aead, keystream
from stations import LARGEST, Abort, Job, Stalls
from vectorfile import FOLDER, Record, sections_of

from samara import crypto
from samara.crypto import grain128ple

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

SUITE = crypto.suite("grain128aead")


@dataclass(frozen=True, slots=True)
class Amounts:
    """How many messages of each kind."""

    #: Every how many of the official answers.
    each_official: int
    #: Random messages, compared with samara.crypto.
    random: int
    #: Random messages, compared with the bit-level model.
    model: int
    #: Every how many of a tag's bits are inverted.
    each_tag_bit: int
    #: Times that a message ends early in each state, in each way.
    aborts: int
    #: Messages of a group that must take the same clocks.
    group: int


def random_stalls(dice: random.Random) -> Stalls:
    """Return stalls of either side, of both or of none."""
    rates = [dice.choice((0, 20, 90, 200)) for _ in range(2)]
    return Stalls(*rates, dice.getrandbits(32) | 1, dice.random() < 0.5)


def _answers(sections: str, *files: str) -> list[Record]:
    return [record for name in files for record in sections_of(FOLDER / name)[sections]]


def official(each: int) -> Iterator[Job]:
    """Yield every so many of the official answers, sealed and opened."""
    for record in _answers("grain128aead", "grain128aead-lwc.txt")[::each]:
        yield from _both(record)


def longer() -> Iterator[Job]:
    """Yield answers with longer associated data, and refused ones."""
    for record in _answers("grain128aead", "grain128aead-long.txt"):
        if len(record.bytes_of("ad")) + len(record.bytes_of("message")) < LARGEST - 4:
            yield from _both(record)


def forged(each: int) -> Iterator[Job]:
    """Yield stored forgeries: each has to be refused."""
    for record in _answers("grain128aead", "grain128aead-forged.txt")[::each]:
        key, nonce, ad, data, tag = map(
            record.bytes_of, ("key", "nonce", "ad", "ciphertext", "tag")
        )
        name = record.fields["name"]
        yield Job(key, nonce, ad, data, tag, verified=False, name=name)


def _both(record: Record) -> Iterator[Job]:
    key, nonce, ad, message, ciphertext, tag = map(
        record.bytes_of, ("key", "nonce", "ad", "message", "ciphertext", "tag")
    )
    name = record.fields["name"]
    yield Job(
        key,
        nonce,
        ad,
        message,
        output=ciphertext,
        sealed_tag=tag,
        name=f"{name} sealed",
    )
    yield Job(key, nonce, ad, ciphertext, tag, output=message, verified=True, name=name)


def sealed(
    dice: random.Random, ad_size: int, size: int, stalls: Stalls | None = None
) -> Job:
    """Return a random message of these sizes, sealed; samara.crypto has the answer."""
    key, nonce, ad, message = (dice.randbytes(n) for n in (16, 12, ad_size, size))
    answer = SUITE.seal(key, nonce, message, ad)
    output, tag = answer[:size], answer[size:]
    name = f"random, {ad_size} and {size} bytes"
    return Job(
        key,
        nonce,
        ad,
        message,
        stalls=stalls or Stalls(),
        output=output,
        sealed_tag=tag,
        name=f"{name}, sealed",
    )


def opened(job: Job, *, flip: int | None = None) -> Job:
    """Return what opens a sealed message, with one bit of the tag inverted."""
    assert job.output is not None
    assert job.sealed_tag is not None
    tag = int.from_bytes(job.sealed_tag, "little") ^ (0 if flip is None else 1 << flip)
    return replace(
        job,
        data=job.output,
        output=job.data,
        tag=tag.to_bytes(8, "little"),
        sealed_tag=None,
        verified=flip is None,
        name=job.name if flip is None else f"{job.name}, tag bit {flip} wrong",
    )


def either(dice: random.Random, job: Job) -> Job:
    """Return a sealed message as it is, or what opens it."""
    return opened(job) if dice.random() < 0.5 else job


def shapes(dice: random.Random, word_bytes: int) -> Iterator[Job]:
    """Yield short messages: each way in which parts and words can share bytes."""
    for ad_size, size in product(range(word_bytes + 1), range(word_bytes + 2)):
        job = sealed(dice, ad_size, size)
        yield from (job, opened(job))
    for ad_size in (127, 128, 255, 256, 300):
        # Words of 4 bytes hold a length of 1 to 3 bytes and what follows.
        yield either(dice, sealed(dice, ad_size, 3))


def random_messages(dice: random.Random, count: int) -> Iterator[Job]:
    """Yield random lengths, contents and stalls, both ways."""
    for _ in range(count):
        ad_size = dice.choice((0, dice.randrange(40), dice.randrange(40)))
        size = dice.choice((0, dice.randrange(40), dice.randrange(40)))
        if dice.random() < 0.04:
            ad_size = dice.randrange(100, 300)
        job = replace(
            sealed(dice, ad_size, size, random_stalls(dice)),
            pause=dice.choice((0, 0, 1, 2, dice.randrange(100))),
        )
        yield either(dice, job)


def model_messages(dice: random.Random, count: int) -> Iterator[Job]:
    """Yield random messages whose answers are the bit-level model's."""
    for number in range(count):
        sizes = (16, 12, dice.randrange(12), dice.randrange(12))
        key, nonce, ad, data = map(dice.randbytes, sizes)
        opens = number % 2 == 1
        output, tag = aead(key, nonce, ad, data, opens=opens)
        yield Job(
            key,
            nonce,
            ad,
            data,
            tag if opens else None,
            stalls=random_stalls(dice),
            output=output,
            sealed_tag=None if opens else tag,
            verified=opens,
            name="bit-level model",
        )


def wrong(dice: random.Random, each_bit: int) -> Iterator[Job]:
    """Yield messages that must not be verified, and that leave nothing behind."""
    job = sealed(dice, 1, 2)
    for bit in range(0, 64, each_bit):
        yield replace(opened(job, flip=bit), pause=bit % 3)
    right = opened(job)
    yield right
    other = opened(job)
    changed = {
        "key": bytes([job.key[0] ^ 1]) + job.key[1:],
        "nonce": job.nonce[:11] + bytes([job.nonce[11] ^ 0x80]),
        "ad": bytes([job.ad[0] ^ 0x10]),
        "data": other.data[:1] + bytes([other.data[1] ^ 0x80]),
        "tag": bytes(8),
    }
    for field, value in changed.items():
        name = f"wrong {field}"
        yield replace(other, **{field: value}, verified=False, output=None, name=name)
    yield right


def aborts(
    dice: random.Random, states: dict[str, int], bits: int, rounds: int
) -> Iterator[Job]:
    """Yield messages that end early in each state, each followed by a whole one.

    The one that follows has another key.
    """
    begin = [state for name, state in states.items() if name.startswith("CLEAR")]
    for _, by_reset, (name, state) in product(
        range(rounds), (False, True), states.items()
    ):
        units = 1 if name == "IDLE" or not name[-1].isdigit() else 64 // bits
        if name.startswith("CLEAR"):
            # Only an abort leads there.
            yield ended_early(dice, "KEY_0", Abort(states["KEY_0"]))
        after = dice.choice((0, units - 1, dice.randrange(units)))
        yield ended_early(dice, name, Abort(state, after, by_reset))
        if dice.random() < 0.2:
            again = Abort(dice.choice(begin), 0, dice.random() < 0.5)
            yield ended_early(dice, "again", again)
        yield either(dice, sealed(dice, dice.randrange(4), dice.randrange(4)))


def ended_early(dice: random.Random, name: str, abort: Abort) -> Job:
    """Return a message that ends in the state of this name."""
    # PAD comes behind a full word; the largest has 4 bytes.
    job = sealed(dice, 3, 8, random_stalls(dice))
    opens = name.startswith(("RECEIVE", "ADD", "COMPARE"))
    if opens or (name != "TAG" and dice.random() < 0.5):
        job = opened(job, flip=dice.choice((None, 3)))
    return replace(job, abort=abort, name=f"ended early in {name}")


def groups(dice: random.Random, count: int) -> Iterator[tuple[object, Job]]:
    """Yield groups of messages of which each handshake must come at the same time."""
    for sizes in ((0, 0), (3, 5), (9, 17)):
        for stalls in (Stalls(), Stalls(60, 100, dice.getrandbits(32) | 1)):
            for number in range(count):
                job = sealed(dice, *sizes, stalls)
                yield (sizes, stalls, "sealed"), job
                # With a right tag and with wrong ones.
                flip = None if number == 0 else dice.randrange(64)
                yield (sizes, stalls, "opened"), opened(job, flip=flip)


def keystreams(
    dice: random.Random, states: dict[str, int], bits: int, amounts: Amounts
) -> Iterator[Job]:
    """Yield what a core that makes only the keystream gets."""
    for record in _answers("grain128ple", "grain128ple.txt"):
        key, nonce, answer = map(record.bytes_of, ("key", "nonce", "keystream"))
        for stalls in (Stalls(), random_stalls(dice)):
            yield _keystream(key, nonce, answer, stalls, record.fields["name"])
    for number in range(amounts.random // 3 + amounts.model):
        key, nonce = dice.randbytes(16), dice.randbytes(12)
        size = dice.randrange(1, 24)
        if number < amounts.model:
            answer = keystream(key, nonce, size)
        else:
            answer = grain128ple.keystream(key, nonce, 8 * size).tobytes()
        yield _keystream(key, nonce, answer, random_stalls(dice), "random")
    for _, by_reset, (name, state) in product(
        range(amounts.aborts), (False, True), states.items()
    ):
        units = 1 if name == "IDLE" or not name[-1].isdigit() else 64 // bits
        abort = Abort(state, dice.randrange(units), by_reset)
        nonce, key = dice.randbytes(12), dice.randbytes(16)
        answer = grain128ple.keystream(key, nonce, 80).tobytes()
        job = _keystream(key, nonce, answer, random_stalls(dice), f"early in {name}")
        yield replace(job, abort=abort)
        yield job


def _keystream(
    key: bytes, nonce: bytes, answer: bytes, stalls: Stalls, name: str
) -> Job:
    size = len(answer)
    return Job(
        key,
        nonce,
        keystream=size,
        stalls=stalls,
        output=answer,
        name=f"keystream {name}",
    )
