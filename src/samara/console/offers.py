# SPDX-License-Identifier: Apache-2.0
"""What the console offers, as records: links, conversations, buttons and sliders."""

from __future__ import annotations

from typing import Annotated

from samara.records.fields import Field, Record, record_class


@record_class
class OptionOffered:
    """An option of a kind of link."""

    name: Annotated[str, Field("Its name.")]
    help: Annotated[str, Field("What it is.")]
    kind: Annotated[str, Field("Type of its values: `text`, `number` or `whole`.")]
    values: Annotated[
        tuple[str, ...], Field("The values, as text; none: any that is accepted.")
    ]
    lowest: Annotated[float | None, Field("Of a number: the lowest; null: no such.")]
    highest: Annotated[float | None, Field("Of a number: the highest; null: no such.")]
    default: Annotated[str, Field("Its default, as text; empty: none.")]


@record_class
class LinkOffered(Record):
    """A kind of link, with the options that a conversation over it can have."""

    link: Annotated[str, Field("Its name.")]
    title: Annotated[str, Field("What it is, in a sentence.")]
    options: Annotated[tuple[OptionOffered, ...], Field("What can be chosen.")]


@record_class
class DeviceOffered(Record):
    """A device on which receipts can be computed."""

    device: Annotated[str, Field("Its name.")]
    title: Annotated[str, Field("What it is.")]


@record_class
class ActionOffered(Record):
    """Something that a person can do to a link or to a node."""

    name: Annotated[str, Field("Its name.")]
    group: Annotated[
        str, Field("What it is done to: `left`, `right`, `both` or `air`.")
    ]
    label: Annotated[str, Field("On the button.")]
    help: Annotated[str, Field("What it does, in a sentence.")]


@record_class
class SettingOffered(Record):
    """A setting of the air that can be changed while it runs."""

    name: Annotated[str, Field("Its name.")]
    label: Annotated[str, Field("Beside the slider.")]
    help: Annotated[str, Field("What it does, in a sentence.")]
    unit: Annotated[str, Field("Of its values; empty: none.")]
    values: Annotated[tuple[float, ...], Field("The values that it can have.")]
    value: Annotated[float, Field("The value that it has.")]


@record_class
class ConversationListed(Record):
    """A conversation of this console, or of an earlier one."""

    name: Annotated[str, Field("Its name.")]
    link: Annotated[str, Field("The kind of link.")]
    is_open: Annotated[bool, Field("Whether its programs run; otherwise start it.")]
    settings: Annotated[str, Field("What was chosen, in words.")]
    device: Annotated[str, Field("The device of its receipts; empty: none.")]
    warning: Annotated[str, Field("What its link does not protect; empty: nothing.")]
    eavesdropper: Annotated[str, Field("What somebody without a key has, in words.")]
    begun_s: Annotated[float, Field("When it began, in s since 1970.", unit="s")]
    last: Annotated[str, Field("The last message; empty: none.")]


@record_class
class KeyShown(Record):
    """The keys of a conversation, which were asked for."""

    keys: Annotated[tuple[str, ...], Field("Each with its name, as hex digits.")]


@record_class
class ScreenInvited(Record):
    """A token for the window of the other end, in another browser."""

    token: Annotated[str, Field("It can be used once, for ten minutes.")]
