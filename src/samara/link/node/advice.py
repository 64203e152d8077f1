# SPDX-License-Identifier: Apache-2.0
"""What `samara advise --json` recommended, to make a node as it says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from samara.errors import MisuseError
from samara.standard_streams import reading

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SIZE_MAX = 1 << 24


def recommended_options(
    path: Path, link: str | None, given: Mapping[str, Any]
) -> tuple[str, dict[str, Any]]:
    """Return the kind of link and the options that `samara advise` recommends.

    Parameters
    ----------
    path
        File with the answer of `samara advise --json`.
    link, given
        Kind of link, or None, and options by name that the user gave as well. An
        option that is also recommended is refused: it is not clear which one counts.

    Returns
    -------
    tuple[str, dict[str, Any]]
        The kind of link, and all options by name: those given and those recommended.

    Raises
    ------
    MisuseError
        When the file has no recommendation, when it is one for another layer than the
        link, or when an option is both given and recommended.
    """
    return options_of_advice(read_advice(path), path, link, given)


def options_of_advice(
    answer: Mapping[str, Any],
    path: Path,
    link: str | None,
    given: Mapping[str, Any],
) -> tuple[str, dict[str, Any]]:
    """Return what `recommended_options` does, of an answer that was read from a file.

    Raises
    ------
    MisuseError
        As `recommended_options`.
    """
    best = answer["recommended"]
    if best is None:
        message = f"{path} recommends nothing: {answer['sentence']}"
        raise MisuseError(message)
    if best["layer"] != "link":
        message = (
            f"{path} recommends {best['suite']} in the {best['layer']}, which "
            "applications seal themselves: run `samara advise --layer link`"
        )
        raise MisuseError(message)
    options = best["options"]
    both = sorted({*options, *(["link"] if link else [])} & {"link", *given})
    if both:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in both)
        message = f"--advise sets {names}: give the one or the other"
        raise MisuseError(message)
    return answer["link"], {**given, **options}


def read_advice(path: Path) -> dict[str, Any]:
    """Return the object of the type `advice` in a file of JSON Lines.

    Raises
    ------
    MisuseError
        When the file has none.
    """
    with reading(path) as file:
        content = file.read(_SIZE_MAX)
    try:
        found = json.loads(content.splitlines()[0])
        is_advice = (
            found["type"] == "advice"
            and isinstance(found["link"], str)
            and isinstance(found["device"], str)
            and {"recommended", "sentence"} <= found.keys()
            and _is_choice(found["recommended"])
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        is_advice = False
    if not is_advice:
        message = (
            f"{path} does not contain advice: give what `samara advise --json` printed"
        )
        raise MisuseError(message)
    return dict(found)


def _is_choice(given: Any) -> bool:  # noqa: ANN401 - of JSON
    texts = ("layer", "suite", "opt", "implementation")
    return given is None or (
        isinstance(given["options"], dict)
        and all(isinstance(given[each], str) for each in texts)
    )
