# SPDX-License-Identifier: Apache-2.0
"""Requests and records: what a room is asked, and what it answers.

A *request* is a frozen dataclass; each of its fields is a `Parameter` with help, unit,
accepted values and default. A *record* is a frozen dataclass, too; each of its fields
is a `Field` with its meaning, unit, and heading in tables. A function of a room takes a
request and yields its *answer*: records, and between them what goes with them (how far
it is, titles and remarks, what was refused).

Faces show answers: `tables` (which terminals, pages and reports print), `json_lines`,
`csv_lines`, and `reference` and `typescript`, which describe the types of records. None
of them knows a room.
"""

from samara.records.answers import (
    Answer,
    Digest,
    Line,
    Notice,
    Octets,
    Progress,
    Refusal,
    Remark,
    Title,
    Verbatim,
    Written,
    records_of,
)
from samara.records.fields import Field, Record, record_class
from samara.records.parameters import (
    Between,
    Parameter,
    Parameters,
    Request,
    request_class,
)

__all__ = [
    "Answer",
    "Between",
    "Digest",
    "Field",
    "Line",
    "Notice",
    "Octets",
    "Parameter",
    "Parameters",
    "Progress",
    "Record",
    "Refusal",
    "Remark",
    "Request",
    "Title",
    "Verbatim",
    "Written",
    "record_class",
    "records_of",
    "request_class",
]
