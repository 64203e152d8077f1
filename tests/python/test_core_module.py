# SPDX-License-Identifier: Apache-2.0
"""The extension module: its stub, and the constants that it takes from C."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys

import pytest
import vectorfile

from samara import _core
from samara.crypto import grain128ple, ple_sync
from samara.errors import AuthenticationError, FrameError, TableError
from samara.link.ieee802154.frames import fcs, frame, levels
from samara.link.rfserial import settings

ROOT = vectorfile.ROOT
HEADERS = ROOT / "core" / "include" / "samara"


def test_the_stub_is_what_the_generator_writes() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "make-stub", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "header", "in_c"),
    [
        ("GRAIN128PLE_KEY_SIZE", "grain128ple", "samara_grain128ple_key_size"),
        ("GRAIN128PLE_NONCE_SIZE", "grain128ple", "samara_grain128ple_nonce_size"),
        ("PLE_AIR_VERSION", "ple_interleave", "samara_ple_air_version"),
        ("PLE_LOCKED_WINDOW", "ple_sync", "samara_ple_sync_locked_window"),
        ("PLE_WIDE_WINDOW", "ple_sync", "samara_ple_sync_wide_window"),
        ("IEEE802154_FRAME_SIZE_MAX", "ieee802154_frame", "samara_ieee802154_size_max"),
        (
            "IEEE802154_PSDU_SIZE_MAX",
            "ieee802154_frame",
            "samara_ieee802154_psdu_size_max",
        ),
        ("IEEE802154_FCS_SIZE", "ieee802154_frame", "samara_ieee802154_fcs_size"),
        (
            "IEEE802154_MIC_SIZE_MAX",
            "ieee802154_frame",
            "samara_ieee802154_mic_size_max",
        ),
        (
            "IEEE802154_ADDRESS_SIZE",
            "ieee802154_frame",
            "samara_ieee802154_address_size",
        ),
        ("IEEE802154_NONCE_SIZE", "ieee802154_cipher", "samara_ieee802154_nonce_size"),
        ("IEEE802154_ENCRYPTION_ONLY", "ieee802154_frame", "SAMARA_IEEE802154_ENC"),
        ("RFSERIAL_MESSAGE_SIZE_MAX", "rfserial", "SAMARA_RFSERIAL_MESSAGE_SIZE_MAX"),
        ("RFSERIAL_PACKET_SIZE_MAX", "rfserial", "samara_rfserial_packet_size_max"),
        ("RFSERIAL_TAG_SIZE_MIN", "rfserial", "samara_rfserial_tag_size_min"),
        ("RFSERIAL_TAG_SIZE_MAX", "aead", "samara_aead_tag_size_max"),
        ("RFSERIAL_COUNTER_SIZE_MAX", "rfserial", "samara_rfserial_counter_size_max"),
    ],
)
def test_a_constant_is_that_of_its_header(name: str, header: str, in_c: str) -> None:
    text = (HEADERS / f"{header}.h").read_text()
    (value,) = re.findall(rf"\b{in_c}(?: =)? (\d+)", text)
    assert getattr(_core, name) == int(value)


def test_sizes_are_those_of_the_standards() -> None:
    assert levels.MIC_SIZES == (0, 4, 8, 16)
    assert [levels.mic_size(level) for level in levels.LEVELS] == [0, 4, 8, 16] * 2
    assert [level for level in levels.LEVELS if levels.encrypts(level)] == [4, 5, 6, 7]
    assert levels.KEY_SOURCE_SIZES == (0, 0, 4, 8)
    assert (fcs.FCS_SIZE, frame.ADDRESS_SIZE) == (2, 8)
    assert _core.IEEE802154_NONCE_SIZE == 13
    assert (fcs.PSDU_SIZE_MAX, frame.FRAME_SIZE_MAX) == (127, 2045)


def test_limits_of_links_are_those_of_their_descriptions() -> None:
    assert (settings.PACKET_SIZES[0], settings.PACKET_SIZES[-1]) == (1, 240)
    assert settings.LONGEST_MESSAGE == 65_536
    assert (grain128ple.KEY_SIZE, grain128ple.NONCE_SIZE) == (16, 12)
    assert (ple_sync.WIDE_WINDOW, ple_sync.AIR_VERSION) == (4096, 2)


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (AuthenticationError("no"), "samara.crypto.AuthenticationError"),
        (FrameError("no", "replay"), "samara.link.ieee802154.FrameError"),
        (TableError("no", "place"), "samara.link.ieee802154.TableError"),
    ],
)
def test_exceptions_are_named_where_they_are_imported_from(
    error: Exception, name: str
) -> None:
    assert f"{type(error).__module__}.{type(error).__name__}" == name
    assert str(error) == "no"
    # As a process of a pool sends them back.
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made here
    assert (type(again), vars(again), str(again)) == (type(error), vars(error), "no")


def test_the_ends_of_a_sealed_link_keep_it_alive() -> None:
    link = _core.SealedLink(
        "aes128-ccm-8",
        bytes(16),
        identity=0,
        direction=0,
        packet_size=12,
        tag_size=8,
        counter_size=2,
    )
    alone = sys.getrefcount(link)
    ends = [
        _core.SealedSender(link, 0),
        _core.SealedReceiver(link, 0, longest=100, effort=0),
    ]
    assert sys.getrefcount(link) == alone + len(ends)
    ends.clear()
    assert sys.getrefcount(link) == alone


def test_no_module_repeats_the_tables_of_the_c_library() -> None:
    tables = re.compile(r"\(0, 0, 4, 8\)|\(0, 4, 8, 16\)|FCS_SIZE = \d")
    repeated = [
        str(path)
        for path in (ROOT / "src" / "samara").rglob("*.py")
        if tables.search(path.read_text())
    ]
    assert not repeated
