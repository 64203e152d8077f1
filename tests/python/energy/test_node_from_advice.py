# SPDX-License-Identifier: Apache-2.0
"""`samara node init --advise` makes the node that was recommended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from shell import assert_done, objects, samara

from samara.errors import MisuseError
from samara.link.node.advice import recommended_options

if TYPE_CHECKING:
    from pathlib import Path

BEST = {
    "layer": "link",
    "suite": "aes128-ccm-8",
    "options": {"level": 6},
    "implementation": "c",
    "opt": "O2",
}
ADVICE = {
    "type": "advice",
    "link": "ieee802154",
    "device": "cortex-m4",
    "sentence": "",
    "recommended": BEST,
}


def written(folder: Path, **changed: Any) -> Path:  # noqa: ANN401 - of JSON
    path = folder / "answer.json"
    path.write_text(json.dumps({**ADVICE, **changed}) + "\n" + "{}\n")
    return path


def test_link_and_options(tmp_path: Path) -> None:
    found = recommended_options(written(tmp_path), None, {"addresses": "extended"})
    assert found == ("ieee802154", {"level": 6, "addresses": "extended"})


@pytest.mark.parametrize(
    ("changed", "link", "given", "problem"),
    [
        ({"recommended": None, "sentence": "Relax."}, None, {}, "nothing: Relax"),
        ({"recommended": {**BEST, "layer": "payload"}}, None, {}, "--layer link"),
        ({}, None, {"level": 0}, "--advise sets --level"),
        ({}, "ieee802154", {}, "--advise sets --link"),
        ({"type": "choice"}, None, {}, "does not contain advice"),
        ({"recommended": 5}, None, {}, "does not contain advice"),
        ({"recommended": {}}, None, {}, "does not contain advice"),
        ({"link": None}, None, {}, "does not contain advice"),
        ({"device": 5}, None, {}, "does not contain advice"),
        *(
            ({"recommended": {**BEST, lost: None}}, None, {}, "does not contain advice")
            for lost in BEST
        ),
        *(
            (
                {"recommended": {key: BEST[key] for key in BEST if key != lost}},
                None,
                {},
                "does not contain advice",
            )
            for lost in BEST
        ),
    ],
)
def test_what_is_refused(
    changed: dict[str, Any],
    link: str | None,
    given: dict[str, Any],
    problem: str,
    tmp_path: Path,
) -> None:
    with pytest.raises(MisuseError, match=problem):
        recommended_options(written(tmp_path, **changed), link, given)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]\n", b"5\n", b"\xff\n", b"[" * 100_000]
)
def test_files_that_are_no_advice(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(MisuseError, match="does not contain advice"):
        recommended_options(path, None, {})


@pytest.mark.slow
def test_from_the_answer_to_the_node(tmp_path: Path) -> None:
    asked = ("advise", "--device", "atmega328p", "--layer", "link", "--tag", "16")
    answer = assert_done(samara(*asked, "--json", folder=tmp_path))
    made = samara("node", "init", "a", "--advise", "-", given=answer, folder=tmp_path)
    assert made.returncode == 0, made
    shown = assert_done(samara("node", "status", "a", "--json", folder=tmp_path))
    (status,) = objects(shown)
    best = objects(answer)[0]["recommended"]
    assert status["link"] == "ieee802154"
    assert {key: status["settings"][key] for key in ("suite", "level")} == {
        key: best["options"][key] for key in ("suite", "level")
    }
    assert best["tag_bytes"] == 16
