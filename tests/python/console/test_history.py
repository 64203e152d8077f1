# SPDX-License-Identifier: Apache-2.0
"""Events are kept in order, on disk, within bounds; slow browsers get a summary."""

from __future__ import annotations

import asyncio
import json
import stat
from typing import TYPE_CHECKING, Any

import samara.console.history
from samara.console.conversation_records import ConversationNote
from samara.console.history import WAITING_MAX, History

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def note_of(number: int) -> ConversationNote:
    return ConversationNote(f"note {number}", "left", warns=False)


def sentences(events: list[dict[str, Any]]) -> list[str]:
    return [each["sentence"] for each in events]


def test_events_are_there_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    history = History(path)
    for number in (1, 2, 3):
        history.add(note_of(number))
    again = History(path)
    assert again.since(0) == history.since(0)
    assert sentences(again.since(1)) == ["note 2", "note 3"]
    again.add(note_of(4))
    assert [each["number"] for each in again.since(0)] == [1, 2, 3, 4]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_damaged_lines_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    history = History(path)
    for number in (1, 2):
        history.add(note_of(number))
    whole = path.read_bytes()
    cut = whole + b'{"number": 3, "time_s"\n' + b"[]\nnull\n" + b'{"number": "9"}\n'
    path.write_bytes(cut + whole.splitlines()[0] + b'\n\xff\xfe\n{"number": 3')
    history = History(path)
    assert sentences(history.since(0)) == ["note 1", "note 2"]
    # The next one does not become the end of the line that was cut off.
    history.add(note_of(3))
    assert sentences(History(path).since(0)) == ["note 1", "note 2", "note 3"]


def written(path: Path) -> bytes:
    """Return what the file has, and the older one beside it."""
    older = path.with_suffix(".old.jsonl")
    return b"".join(each.read_bytes() for each in (older, path) if each.exists())


def test_a_file_that_is_full_is_not_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samara.console.history, "EVENTS_MAX", 10)
    path = tmp_path / "history.jsonl"
    history = History(path)
    monkeypatch.setattr(samara.console.history, "replacing", None)
    for number in range(1, 35):
        history.add(note_of(number))
    assert sentences(history.since(0)) == [f"note {each}" for each in range(25, 35)]
    assert len(path.read_bytes().splitlines()) == 4
    assert History(path).since(0) == history.since(0)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_was_forgotten_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samara.console.history, "EVENTS_MAX", 10)
    path = tmp_path / "history.jsonl"
    history = History(path)
    for number in range(1, 16):
        history.add(note_of(number))
    history.clear()
    assert not written(path)
    history.add(note_of(16))
    assert sentences(History(path).since(0)) == ["note 16"]
    assert history.since(0)[0]["number"] == 16


def test_the_file_and_the_memory_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samara.console.history, "EVENTS_MAX", 10)
    path = tmp_path / "history.jsonl"
    history = History(path)
    for number in range(1, 100):
        history.add(note_of(number))
        assert len(written(path).splitlines()) <= 20
        assert len(history.since(0)) == min(number, 10)
        assert history.since(0)[-1]["number"] == number
        if number in (8, 55):
            # A restart keeps the newest, and does not count anew.
            kept = history.since(0)
            history = History(path)
            assert history.since(0) == kept


def test_large_events_are_bounded_by_their_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samara.console.history, "BYTES_MAX", 1000)
    path = tmp_path / "history.jsonl"
    history = History(path)
    for number in range(1, 60):
        history.add(ConversationNote(f"{number}: {'x' * 200}", "", warns=False))
        kept = history.since(0)
        sizes = [len(json.dumps(each)) + 1 for each in kept]
        assert sum(sizes) <= 1000
        assert len(kept) == min(number, 3)
        assert len(written(path)) <= 2000
        assert History(path).since(0) == kept
    # One that is larger than all is kept alone.
    history.add(ConversationNote("y" * 3000, "", warns=False))
    assert [each["sentence"][0] for each in history.since(0)] == ["y"]
    assert History(path).since(0) == history.since(0)
    history.add(note_of(61))
    assert sentences(history.since(0)) == ["note 61"]
    assert path.stat().st_size <= 1000


def test_a_slow_browser_is_bounded_by_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samara.console.history, "WAITING_BYTES_MAX", 1000)

    async def look_on() -> list[list[dict[str, Any]]]:
        history = History(tmp_path / "history.jsonl")
        with history.subscriber() as subscriber:
            found = []
            for _ in range(2):
                for _ in range(10):
                    history.add(ConversationNote("x" * 200, "", warns=False))
                found.append(await subscriber.get())
            return found

    for events in asyncio.run(look_on()):
        assert len(events) == 4
        assert events[-1] == {"type": "missed", "count": 7}


def test_a_slow_browser_gets_a_summary(tmp_path: Path) -> None:
    async def look_on() -> list[dict[str, Any]]:
        history = History(tmp_path / "history.jsonl")
        with history.subscriber() as subscriber:
            for number in range(WAITING_MAX + 2):
                history.add(note_of(number))
            return await subscriber.get()

    events = asyncio.run(look_on())
    assert len(events) == WAITING_MAX + 1
    assert events[-1] == {"type": "missed", "count": 2}
    assert sentences(events[:-1])[-1] == f"note {WAITING_MAX - 1}"
