# SPDX-License-Identifier: Apache-2.0
"""The list of sources: all that have a name, and what may stand for capital letters."""

from __future__ import annotations

from samara import crypto
from samara.crypto import keystreams
from samara.randomness.source_list import SourcesRequest, list_sources
from samara.records import records_of

FOUND = {each.pattern: each for each in records_of(list_sources(SourcesRequest()))}


def test_sources_that_are_computed_and_read() -> None:
    assert list(FOUND)[:3] == ["SUITE", "ctr:CIPHER[@ROUNDS]", "cbc:CIPHER"]
    assert {"urandom", "file:PATH", "-", "exec:COMMAND"} < set(FOUND)
    assert FOUND["urandom"].what == "/dev/urandom of this machine"
    assert FOUND["-"].names == ()


def test_names_that_may_stand_for_capital_letters() -> None:
    suites = tuple(suite.slug for suite in keystreams.with_keystreams())
    ciphers = tuple(cipher.slug for cipher in crypto.block_ciphers())
    assert FOUND["SUITE"].names == suites
    assert FOUND["cbc:CIPHER"].names == ciphers
    assert len(set(ciphers)) > 5
    assert FOUND["predictable:mt19937"].names == ("mt19937",)


def test_bad_sources_are_named_so_and_no_other_is_bad() -> None:
    bad = {name for name, each in FOUND.items() if each.bad}
    assert bad == {name for name in FOUND if name.startswith("bad:")}
    assert {"bad:lfsr", "bad:rc4-head"} < bad
    assert len(bad) == 8
