# SPDX-License-Identifier: Apache-2.0
"""What happens in a conversation, as records: the page gets these and shows them."""

from __future__ import annotations

from typing import Annotated, Any

from samara.records.fields import Field, Record, record_class

End = Annotated[str, Field("The end of the link: `left` or `right`.")]


@record_class
class FramePart:
    """Bytes of a frame that serve one purpose."""

    purpose: Annotated[
        str,
        Field(
            "What they are: `header`, `security header`, `payload`, `encrypted`, `tag`"
            " or `check`."
        ),
    ]
    start: Annotated[int, Field("The first of them.", unit="byte")]
    size: Annotated[int, Field("How many.", unit="byte")]


@record_class
class FrameField:
    """A field of a frame, as the standard names it."""

    name: Annotated[str, Field("Its name.")]
    value: Annotated[str, Field("Its content, as text.")]
    start: Annotated[int, Field("Its first byte.", unit="byte")]
    size: Annotated[int, Field("Its size.", unit="byte")]
    clause: Annotated[str, Field("Clause of the standard; empty where it has none.")]
    depth: Annotated[int, Field("0 of a field, 1 of its parts, 2 of theirs.")]


@record_class
class FrameHeard(Record):
    """Something was on the air."""

    sender: Annotated[str, Field("`left`, `right` or `attacker`; empty: not known.")]
    kind: Annotated[str, Field("What it is, in a few words, such as `data`.")]
    data: Annotated[bytes, Field("All bytes on the air.")]
    parts: Annotated[tuple[FramePart, ...], Field("What its bytes are for.")]
    fields: Annotated[
        tuple[FrameField, ...],
        Field("Its fields, each before its parts; none if unreadable."),
    ]
    fate: Annotated[
        str, Field("What became of it on the air, if not all of it arrived.")
    ] = ""


@record_class
class BurstHeard(Record):
    """A burst of samples was on the air."""

    sender: Annotated[
        str,
        Field(
            "`left`, `right` or `attacker`; `comparison`: the same message without"
            " encryption, which no node has sent."
        ),
    ]
    is_encrypted: Annotated[bool, Field("Whether its bits are encrypted.")]
    samples: Annotated[int, Field("How many were received.")]
    duration_s: Annotated[float, Field("How long it was on the air.", unit="s")]
    power_db: Annotated[float, Field("Mean, over that of magnitude 1.", unit="dB")]
    bandwidth_hz: Annotated[float, Field("The spectrum is so wide.", unit="Hz")]
    lowest_db: Annotated[float, Field("What 0 stands for in the pictures.", unit="dB")]
    step_db: Annotated[float, Field("What each step above it stands for.", unit="dB")]
    spectrum: Annotated[bytes, Field("Power by frequency, lowest first: a byte each.")]
    waterfall: Annotated[
        bytes, Field("Rows of the same, in order of time; as many bytes each.")
    ]
    constellation: Annotated[
        bytes, Field("Received symbols: real and imaginary part, int8, 64 is 1.")
    ]


@record_class
class Overheard(Record):
    """What an eavesdropper without the key has decoded from a burst."""

    sender: Annotated[str, Field("As in `burst_heard`; empty: a node.")]
    is_encrypted: Annotated[bool, Field("Whether the bits were encrypted.")]
    content: Annotated[
        bytes, Field("The most likely content of the frame: its first bytes.")
    ]
    text: Annotated[
        str,
        Field(
            "The same as text, other bytes as `\\xNN`; of zeros at the end, the number."
        ),
    ]
    size: Annotated[int, Field("Bytes of the whole content.", unit="byte")]
    snr_db: Annotated[float, Field("Signal-to-noise ratio of a symbol.", unit="dB")]


@record_class
class MessageSpoken(Record):
    """A message was handed to a node."""

    message: Annotated[int, Field("Counts the messages of a conversation.")]
    end: End
    text: Annotated[str, Field("The message.")]


@record_class
class MessageSent(Record):
    """What became of a message that a node had to send."""

    message: Annotated[int, Field("The number of the message.")]
    end: End
    delivered: Annotated[
        bool | None, Field("Whether it was acknowledged; null: that was not asked for.")
    ]
    sentence: Annotated[str, Field("What happened, for people.")]
    receipt: Annotated[
        dict[str, Any] | None,
        Field("What it cost, on the device of the conversation; null: not sent."),
    ]


@record_class
class MessageArrived(Record):
    """A node handed a message on."""

    end: End
    text: Annotated[str, Field("The message, control characters shown as codes.")]
    is_repeated: Annotated[bool, Field("Whether it may have been handed on before.")]
    receipt: Annotated[dict[str, Any] | None, Field("What it cost the receiver.")]


@record_class
class ConversationRefusal(Record):
    """A node refused what it received."""

    end: End
    kind: Annotated[str, Field("Kind of refusal (docs/nodes.md lists them).")]
    sentence: Annotated[str, Field("Why, for people.")]
    rule: Annotated[
        str, Field("The rule that it breaks, with its clause; empty: not known.")
    ]


@record_class
class ConversationNote(Record):
    """Something that a person who looks on should know."""

    sentence: Annotated[str, Field("What happened.")]
    end: Annotated[str, Field("The end that it is about; empty: none in particular.")]
    warns: Annotated[bool, Field("Whether something proves less than it seems to.")]


@record_class
class ProgramState(Record):
    """A program was started, or has ended."""

    name: Annotated[str, Field("What it is: `left`, `right`, `medium` and the like.")]
    is_running: Annotated[bool, Field("Whether it runs.")]
    last_words: Annotated[tuple[str, ...], Field("Its last lines on stderr.")]
