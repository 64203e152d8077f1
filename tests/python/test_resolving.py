# SPDX-License-Identifier: Apache-2.0
"""Names that users give: suites, ciphers alone, and names with a typing error."""

from __future__ import annotations

import pytest

from samara import crypto
from samara.crypto.names import find
from samara.errors import MisuseError
from samara.link.ieee802154 import frame_ciphers
from samara.link.ieee802154.frames.levels import MIC_SIZES
from samara.link.ieee802154.frames.naming import frame_cipher_named


def test_every_suite_is_taken_by_its_slug() -> None:
    for suite in crypto.suites():
        assert crypto.suite_named(suite.slug, tag_size=4) == suite


def test_every_cipher_of_frames_is_taken_alone() -> None:
    for cipher in frame_ciphers():
        suite = crypto.suite_named(cipher.slug)
        assert suite.slug in (cipher.slug, f"{cipher.slug}-ccm-8")
        assert suite.authenticates
        assert suite.key_size == cipher.key_size


@pytest.mark.parametrize(
    ("name", "tag_size", "slug"),
    [
        ("aes128", 8, "aes128-ccm-8"),
        ("aes192", 16, "aes192-ccm-16"),
        ("speck128-256", 4, "speck128-256-ccm-4"),
        ("ascon-aead128", 4, "ascon-aead128"),
    ],
)
def test_a_cipher_alone_is_its_ccm_suite(name: str, tag_size: int, slug: str) -> None:
    assert crypto.suite_named(name, tag_size=tag_size).slug == slug


@pytest.mark.parametrize("name", ["", "aes", "aes128-ccm-9", "AES128"])
def test_other_names_are_unknown(name: str) -> None:
    with pytest.raises(crypto.UnknownNameError):
        crypto.suite_named(name)


def test_a_block_cipher_without_a_suite_is_told_as_such() -> None:
    with pytest.raises(MisuseError, match="speck64-96 is a block cipher, of which"):
        crypto.suite_named("speck64-96")


@pytest.mark.parametrize("level", range(1, 8))
def test_a_frame_takes_the_suite_of_its_level(level: int) -> None:
    for cipher in frame_ciphers():
        assert frame_cipher_named(cipher.slug, level) == cipher
    for size in MIC_SIZES:
        name = f"aes128-ccm-{size}"
        assert frame_cipher_named(name).slug == "aes128"
        if size == MIC_SIZES[level & 3]:
            assert frame_cipher_named(name, level).slug == "aes128"
        else:
            with pytest.raises(MisuseError, match=f"tag of {size} bytes, but"):
                frame_cipher_named(name, level)


@pytest.mark.parametrize("name", ["aes128-gcm", "grain128ple", "x", "x-ccm-8"])
def test_suites_that_do_not_fit_frames_are_refused(name: str) -> None:
    with pytest.raises(crypto.UnknownNameError, match="unknown cipher for frames"):
        frame_cipher_named(name, 6)


@pytest.mark.parametrize("name", ["aes128-ccm-6", "aes128-ccm-14", "aes128-ccm-32"])
def test_tags_that_no_level_has_are_refused(name: str) -> None:
    for level in (None, 5, 6, 7):
        with pytest.raises(MisuseError, match="does not fit frames: a MIC has 4, 8"):
            frame_cipher_named(name, level)


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("atmega32", ["atmega328p", "cortex-m0"], ": did you mean atmega328p?"),
        ("ATMEGA328P", ["atmega328p", "cortex-m0"], ": did you mean atmega328p?"),
        ("abc", ["abd", "abe"], ": did you mean abe or abd?"),
        ("z", ["aa", "bb", "cc"], ": give aa, bb or cc"),
        ("z", ["aa"], ": give aa"),
        ("z", [f"name-{i:02}" for i in range(13)], ""),
        ("z", [], ""),
    ],
)
def test_an_unknown_name_says_which_are_known(
    name: str, known: list[str], text: str
) -> None:
    with pytest.raises(crypto.UnknownNameError) as caught:
        find("device", name, {each: each for each in known})
    assert str(caught.value) == f"unknown device {name!r}{text}"
