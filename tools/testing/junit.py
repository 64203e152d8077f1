# SPDX-License-Identifier: Apache-2.0
"""Reading the JUnit files that ctest and pytest write."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET


@dataclass(frozen=True)
class Case:
    """One test case: how it ended and what it printed."""

    name: str
    failed: bool
    skipped: bool
    output: str


def read_cases(results: Path) -> Iterator[Case]:
    """Read the test cases of a file; an error counts as a failure."""
    # Written by the test runner a moment ago: no stranger's XML.
    root = ET.parse(results).getroot()  # noqa: S314
    for case in root.iter("testcase"):
        tags = {child.tag for child in case}
        yield Case(
            name=case.get("name", ""),
            failed=bool(tags & {"failure", "error"}),
            skipped="skipped" in tags,
            output=case.findtext("system-out") or "",
        )
