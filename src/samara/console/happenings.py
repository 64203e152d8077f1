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
        dict[str, Any] | None, Field("What it cost; null: it was not sent.")
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
