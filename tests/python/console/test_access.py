# SPDX-License-Identifier: Apache-2.0
"""Tokens are used once, cookies are this console's, and browsers are bounded."""

from __future__ import annotations

from samara.console.access import BROWSERS_MAX, INVITED_MAX, INVITED_S, Access


def test_a_token_is_exchanged_once() -> None:
    access = Access()
    token = access.token
    cookie = access.exchange(token)
    assert cookie is not None
    assert access.knows(cookie)
    assert access.exchange(token) is None, "a used address lets somebody in"
    assert access.token != token


def test_what_is_not_the_token_lets_nobody_in() -> None:
    access = Access()
    for text in ("", "x", access.token[:-1], access.token + "x", "é"):
        assert access.exchange(text) is None
    assert access.exchange(access.token) is not None, "a wrong try costs the token"


def test_cookies_of_another_console_do_not_count() -> None:
    access, other = Access(), Access()
    ours, theirs = access.exchange(access.token), other.exchange(other.token)
    assert ours is not None
    assert theirs is not None
    assert access.knows(ours)
    assert not access.knows(theirs)
    assert not access.knows("")
    assert not access.knows(access.token), "a token is no cookie"


def test_one_browser_more_than_the_most_replaces_the_first() -> None:
    access = Access()
    cookies = [access.exchange(access.token) or "" for _ in range(BROWSERS_MAX)]
    assert all(access.knows(each) for each in cookies)
    last = access.exchange(access.token) or ""
    assert not access.knows(cookies[0])
    assert all(access.knows(each) for each in [*cookies[1:], last])


def test_a_token_for_a_window_counts_once_and_not_for_ever() -> None:
    now_s = [0.0]
    access = Access(lambda: now_s[0])
    first, late = access.invite(), access.invite()
    printed = access.token
    assert access.exchange(first) is not None
    assert access.exchange(first) is None
    assert access.token == printed, "the printed address was used up"
    now_s[0] = INVITED_S + 0.1
    assert access.exchange(late) is None
    assert access.exchange(printed) is not None


def test_one_invitation_more_than_the_most_replaces_the_first() -> None:
    access = Access()
    tokens = [access.invite() for _ in range(INVITED_MAX + 1)]
    assert access.exchange(tokens[0]) is None
    assert access.exchange(tokens[1]) is not None
    assert access.exchange(tokens[-1]) is not None
