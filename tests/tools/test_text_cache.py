# SPDX-License-Identifier: Apache-2.0
"""What was found in texts is known in the next run, and what may differ is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from testing import import_graph, text_cache
from testing.text_cache import TextCache

if TYPE_CHECKING:
    from pathlib import Path


class Words:
    """Finds the words of a text, and counts how often it is asked."""

    def __init__(self, path: Path, version: str = "1") -> None:
        self.count = 0
        self.cache = TextCache(path, self._find, version)

    def _find(self, text: str) -> list[list[str]]:
        self.count += 1
        return [text.split(), []]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in a directory that is not there yet."""
    return tmp_path / "cache" / "words.json"


def kept(path: Path, *texts: str) -> None:
    first = Words(path)
    for text in texts:
        first.cache.found(text)
    first.cache.keep()


def test_each_text_is_looked_at_once(path: Path) -> None:
    first = Words(path)
    for _ in range(2):
        assert first.cache.found("a b") == [["a", "b"], []]
        assert first.cache.found("") == [[], []]
    assert first.count == 2
    first.cache.keep()
    second = Words(path)
    assert second.cache.found("a b") == [["a", "b"], []]
    assert second.cache.found("") == [[], []]
    assert second.count == 0
    assert second.cache.found("a  b") == [["a", "b"], []]
    assert second.count == 1
    assert [*path.parent.iterdir()] == [path]


def test_another_version_finds_anew(path: Path) -> None:
    kept(path, "a")
    other = Words(path, "2")
    other.cache.found("a")
    assert other.count == 1


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b"null", b'{"version": "1"}', b"{}"]
)
def test_a_damaged_file_counts_as_none(content: bytes, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    kept(path, "a")
    again = Words(path)
    again.cache.found("a")
    assert again.count == 0


def test_what_cannot_be_written_is_left(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    kept(tmp_path / "file" / "words.json", "a")


def test_the_newest_are_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_cache, "_KEPT_TEXTS", 2)
    kept(path, "a", "b", "c")
    again = Words(path)
    for text in ("b", "c"):
        again.cache.found(text)
    assert again.count == 0
    again.cache.found("a")
    assert again.count == 1


def test_a_file_that_is_known_names_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it names nothing; one that changed is read again."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = tmp_path / "program.py"
    full = (
        "import json\nfrom samara import _core\ndef f(x):\n    return __path__, 'a b'\n"
    )
    for text in (full, "", "import json\n"):
        program.write_text(text)
        for _ in range(2):
            import_graph.read.cache_clear()
            import_graph._known.cache_clear()  # noqa: SLF001 - as the next run begins
            assert import_graph.read(program) == import_graph.source_of(text)
            import_graph._known().keep()  # noqa: SLF001
    import_graph.read.cache_clear()
    import_graph._known.cache_clear()  # noqa: SLF001
