# SPDX-License-Identifier: Apache-2.0
"""Files with the keys of captures."""

from __future__ import annotations

import pytest
from frame_cases import KEY, A, B

from samara.link.ieee802154 import (
    KeyId,
)
from samara.link.ieee802154.captures import key_file
from samara.link.ieee802154.frames.tools import FrameDevice, FrameKey

KEY_TEXT = KEY.hex()
DEVICE_ROW = (
    f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{ extended = "0000000000000001", '
)


def test_a_file_of_keys_says_all_of_it() -> None:
    keys = key_file.keys_of(f"""
        [[key]]
        key = "{KEY_TEXT}"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 1
        index = 255
        cipher = "ascon-aead128"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 3
        index = 7
        source = "0102030405060708"
        [[key]]
        key = "{KEY_TEXT}"
        mode = 2
        source = "01020304"
        [[device]]
        extended = "acde480000000001"
        short = "10"
        pan = "F00d"
        [[device]]
        extended = "acde480000000002"
    """)
    assert keys == key_file.Keys(
        (
            FrameKey(KEY, KeyId(0, 0, b""), "aes128"),
            FrameKey(KEY, KeyId(1, 255, b""), "ascon-aead128"),
            FrameKey(KEY, KeyId(3, 7, bytes(range(1, 9))), "aes128"),
            FrameKey(KEY, KeyId(2, 0, bytes(range(1, 5))), "aes128"),
        ),
        (FrameDevice(A, short=0x10, pan=0xF00D), FrameDevice(B)),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no"),
        ("key = []", "has no"),
        ("key = [1]", "key 'key'"),
        (f'key = [{{ key = "{KEY_TEXT}", indx = 1 }}]', "key 'indx'"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\nkeys = 1', "key 'keys'"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = 1', "key 'device'"),
        (f'key = [{{ key = "{KEY_TEXT[2:]}" }}]', "takes a key of 16 bytes"),
        (f'key = [{{ key = "{KEY_TEXT}00" }}]', "takes a key of 16 bytes"),
        (f'key = [{{ key = "{KEY_TEXT}", index = 256 }}]', "0 to 255"),
        (f'key = [{{ key = "{KEY_TEXT}", index = true }}]', "0 to 255"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = -1 }}]', "0 to 3"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = 4 }}]', "0 to 3"),
        (f'key = [{{ key = "{KEY_TEXT}", mode = 3 }}]', "have 8 bytes, not 0"),
        (f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{}}]', "hex digits"),
        (
            f'key = [{{ key = "{KEY_TEXT}" }}]\ndevice = [{{ extended = "00" }}]',
            "have 8 bytes",
        ),
        (
            DEVICE_ROW + 'short = "12345" }]',
            "short of a .* one to four",
        ),
        (
            DEVICE_ROW + 'pan = "" }]',
            "pan of a .* one to four",
        ),
    ],
)
def test_wrong_key_files_are_refused(text: str, words: str) -> None:
    with pytest.raises(key_file.KeysError, match=words) as caught:
        key_file.keys_of(text)
    assert KEY_TEXT[2:] not in str(caught.value)
