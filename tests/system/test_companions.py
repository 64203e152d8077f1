# SPDX-License-Identifier: Apache-2.0
"""The companion flowgraphs: what is typed into one is read in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companions import NAMES, TEXT, channel, made, typed, window

if TYPE_CHECKING:
    from pathlib import Path

KEY = "000102030405060708090a0b0c0d0e0f"
OTHER_KEY = "ffeeddccbbaa99887766554433221100"


def test_what_is_typed_is_read_at_the_other_end_and_with_no_other_key(
    tmp_path: Path,
) -> None:
    sender, receiver = NAMES
    air = f"ipc://{tmp_path}/air"
    sending, receiving, straying = (
        made(name, tmp_path / folder, key, f"{air}.{end}")
        for name, folder, key, end in (
            (sender, "sender", KEY, "0.tx"),
            (receiver, "receiver", KEY, "1.rx"),
            (receiver, "stranger", OTHER_KEY, "2.rx"),
        )
    )
    with (
        channel(tmp_path, air, radios=3) as medium,
        window(receiving, receiver) as here,
        window(straying, receiver) as elsewhere,
        window(sending, sender) as there,
    ):
        # A radio misses what is sent before the channel lets it in.
        assert any(typed(there, here, f"21.5 °C, {number}") for number in range(20))
        windows = (there, here, elsewhere)
        heard = [process.communicate(timeout=60)[0] for process in windows]
        assert [process.returncode for process in windows] == [0, 0, 0]
        assert medium.poll() is None
    # The stranger heard the burst, too.
    assert "no genuine frame" in heard[2]
    assert not [line for line in heard[2].splitlines() if line.startswith(TEXT)]
    assert (receiving / "window.png").stat().st_size > 10_000
