# SPDX-License-Identifier: Apache-2.0
"""Reading the JUnit files that ctest and pytest write."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

# pytest puts it before what a test printed.
_CAPTION = re.compile(r"\A-+ Captured Out -+\n")


@dataclass(frozen=True)
class Case:
    """One test case: how it ended and what it printed."""

    name: str
    failed: bool
    skipped: bool
    output: str
    #: First line of why it failed or was skipped; ctest gives none.
    reason: str = ""
    seconds: float = 0.0
    #: File of the test, from the project's root, as pytest tells it.
    file: str = ""
    #: CPU time of a Python test that is not marked slow: see tests/conftest.py.
    busy_s: float = 0.0
    #: Directories of the project from which a Python test opened files.
    reads: tuple[str, ...] = ()


def read_cases(results: Path) -> Iterator[Case]:
    """Read the test cases of a file; an error counts as a failure."""
    # Written by the test runner a moment ago: no stranger's XML.
    root = ET.parse(results).getroot()  # noqa: S314
    for case in root.iter("testcase"):
        ends = {child.tag: child for child in case}
        failed = bool(ends.keys() & {"failure", "error"})
        yield Case(
            name=case.get("name", ""),
            failed=failed,
            skipped="skipped" in ends and not failed,
            output=_CAPTION.sub("", case.findtext("system-out") or ""),
            reason=_reason(ends),
            seconds=float(case.get("time") or 0),
            file=f"{case.get('classname', '').replace('.', '/')}.py",
            busy_s=float(_property(case, "busy_s") or 0),
            reads=(*_property(case, "reads").split(),),
        )


def _property(case: ET.Element, name: str) -> str:
    """Return a property of a Python test: see tests/conftest.py."""
    found = case.find(f"properties/property[@name='{name}']")
    return "" if found is None else found.get("value", "")


def _reason(ends: dict[str, ET.Element]) -> str:
    for tag in ("failure", "error", "skipped"):
        if tag in ends:
            return ends[tag].get("message", "").partition("\n")[0]
    return ""
