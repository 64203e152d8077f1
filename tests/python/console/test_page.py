# SPDX-License-Identifier: Apache-2.0
"""The page in a real browser, over the real console and real nodes."""

from __future__ import annotations

import gzip
import json
import re
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from browsing import (
    LONGEST_MS,
    NEEDS_BROWSER,
    PAGE,
    Served,
    assert_accessible,
    gather_errors,
)

pytest.importorskip("playwright.sync_api")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = NEEDS_BROWSER


@pytest.fixture(scope="module")
def consoles() -> Iterator[list[Served]]:
    """Return the consoles that tests have started; the last one may still run."""
    started: list[Served] = []
    yield started
    for each in started:
        if each.process.poll() is None:
            assert each.end() == 0


@pytest.fixture
def served(
    consoles: list[Served], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """Return a console without conversations: a new one where a test has ended it.

    It takes 3 s of CPU time to start one.
    """
    if not consoles or consoles[-1].process.poll() is not None:
        consoles.append(Served(tmp_path_factory.mktemp("state")))
    yield consoles[-1]
    if consoles[-1].process.poll() is None:
        left = [each for each in consoles[-1].folder.iterdir() if each.is_dir()]
        assert left == [], "a test has left a conversation"


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    errors = gather_errors(page)
    page.goto(served.address())
    yield page
    end_conversations(page, served)
    context.close()
    assert errors == []


def end_conversations(page: Page, served: Served) -> None:
    """End the conversations of a test, and delete what the console keeps of them."""
    context = page.context
    for each in context.pages:
        each.close()
    if served.process.poll() is None:
        host = re.match(r"http://[^/]+", page.url)
        assert host is not None
        place = f"{host[0]}/api/conversations"
        for one in context.request.get(place).json():
            assert context.request.delete(f"{place}/{one['name']}").status == 204


LINKS = ("ieee802154", "rf-serial", "sdr")
_TRIES = 5


def start(page: Page, link: str = LINKS[0]) -> None:
    page.get_by_role("radio", name=link).check()
    page.get_by_role("button", name="Start two nodes").click()
    page.get_by_text("The node is up.").nth(1).wait_for()


def say(page: Page, end: str, text: str) -> None:
    page.get_by_label(f"{end} node", exact=True).last.fill(text)
    page.keyboard.press("Enter")


def press(page: Page, name: str, said: str, *, which: int = 0) -> None:
    """Press a button, and wait for the sentence that says what it did."""
    page.get_by_role("button", name=name, exact=True).nth(which).click()
    page.get_by_role("status").filter(has_text=re.compile(said)).wait_for()


def exchange(page: Page) -> None:
    """Let a message cross each way, and its acknowledgement return.

    Where a radio of software is late on a busy machine, the message is sent again.
    """
    answers = page.get_by_text(re.compile(r"Acknowledged\.|No acknowledgement arrived"))
    number = 0
    for end, other, text in (
        ("Left", "right", "21.5 C"),
        ("Right", "left", "Thank you"),
    ):
        for _ in range(_TRIES):
            say(page, end, text)
            answer = answers.nth(number)
            answer.wait_for()
            number += 1
            if "Acknowledged." in answer.inner_text():
                break
        else:
            pytest.fail(f"{text} was not acknowledged, sent {_TRIES} times")
        page.locator(f".{other} .bubble", has_text=text).first.wait_for()


@pytest.mark.parametrize("link", LINKS)
def test_messages_cross_and_a_replay_is_refused_with_its_rule(
    page: Page, link: str
) -> None:
    assert "#" not in page.url, "the token stays in the address"
    start(page, link)
    exchange(page)
    press(page, "Replay", "sent the last .* again")
    refusal = page.get_by_text(re.compile(r"Refused \((replay|not genuine)\)"))
    refusal.first.wait_for()
    rule = "9.2.4" if link == "ieee802154" else "docs/"
    assert rule in page.locator(".rule").first.inner_text()
    if link == "sdr":
        # The same message without encryption is read without the key.
        page.locator("code.open", has_text=re.compile("21.5 C|Thank you")).wait_for()
        for picture in ("Constellation", "Spectrum", "Waterfall"):
            page.get_by_role("img", name=f"{picture}, With encryption").wait_for()


def test_a_frame_has_clauses_and_a_message_a_receipt(page: Page) -> None:
    start(page)
    exchange(page)
    page.locator(".frame button").first.click()
    row = page.get_by_role("row", name="frame counter", exact=False).last
    assert "9.4.3" in row.inner_text()
    said = page.locator(".said")
    assert said.evaluate("each => getComputedStyle(each).borderLeftColor") == (
        "rgba(0, 0, 0, 0)"
    ), "nothing was said, and a bar stands before it"
    page.get_by_text("as other software cites them, not all confirmed").wait_for()
    clause, frame = row.locator("td").last.bounding_box(), page.locator(".frame").first
    box = frame.bounding_box()
    assert clause is not None
    assert box is not None
    assert clause["x"] + clause["width"] <= box["x"] + box["width"], "it is cut off"
    page.get_by_role("button", name="bytes on the air").first.click()
    receipt = page.locator(".receipt").first.inner_text()
    assert "atmega328p" in receipt
    for words in ("message", "6 B", "tag", "4 B", "Air time", "Cryptography, energy"):
        assert words in receipt


def test_every_button_of_ieee802154_says_what_it_did(page: Page) -> None:
    start(page)
    exchange(page)
    press(page, "Flip a bit", "one bit changed")
    press(page, "Wrong key", "a key of its own")
    page.get_by_text(re.compile(r"Refused \(not genuine\)")).first.wait_for()
    press(page, "Reorder", "arrive after the one that follows")
    press(page, "Lose ten", "The next 10 frames are lost")
    press(page, "Change the key", "next key index")
    press(page, "Kill the medium", "medium was killed")
    page.get_by_text("The medium has ended.").first.wait_for()
    press(page, "Start the medium", "The medium runs")
    press(page, "Kill", "could store nothing more")
    page.get_by_text("The left node has ended.").wait_for()
    typed = page.get_by_label("Left node", exact=True).last
    assert not typed.is_editable(), "a message is typed that Enter would not send"
    page.get_by_role("button", name="Start it").click()
    page.get_by_text("The left node has ended.").wait_for(state="detached")
    assert typed.is_editable()
    press(page, "Restore a backup", "refuses to start from the old copy", which=1)
    press(page, "New keys for both", "Both nodes have new keys")
    say(page, "Left", "with new keys")
    page.locator(".right .bubble", has_text="with new keys").wait_for()


def test_buttons_of_rf_serial_say_what_they_did(page: Page) -> None:
    start(page, "rf-serial")
    exchange(page)
    press(page, "Flip a bit", "one bit changed")
    press(page, "Wrong key", "sealed with a key of its own")
    press(page, "Lose ten", "The next 10 packets are lost")
    press(page, "Kill the modem", "modem was killed")
    press(page, "Start the modem", "The modem runs")
    page.get_by_text(re.compile("is back; what was sent")).nth(1).wait_for()
    say(page, "Left", "after all that")
    page.locator(".right .bubble", has_text="after all that").wait_for()
    page.get_by_text(re.compile(r"Refused \(not genuine\)")).first.wait_for()


def test_buttons_of_sdr_say_what_they_did(page: Page) -> None:
    start(page, "sdr")
    exchange(page)
    press(page, "Flip bits", "an eighth of it inverted")
    page.get_by_text(re.compile(r"Refused \(not genuine\)")).first.wait_for()
    press(page, "Lose ten", "The next 10 bursts")
    press(page, "Kill the channel", "channel was killed")
    press(page, "Start the channel", "The channel runs")


@pytest.mark.parametrize(
    ("link", "setting", "key", "said"),
    [
        ("ieee802154", "Loss", "ArrowRight", "misses 0.05 of all frames"),
        pytest.param(
            *("ieee802154", "Delay", "ArrowRight", "the delay is 0.1 s"),
            marks=pytest.mark.thorough,
        ),
        ("rf-serial", "Baud rate", "ArrowLeft", "the ports have 57600 baud"),
        ("sdr", "Eb/N0", "ArrowLeft", "Eb/N0 is 9 dB"),
    ],
)
def test_sliders_say_what_they_did(
    page: Page, link: str, setting: str, key: str, said: str
) -> None:
    start(page, link)
    page.get_by_role("slider", name=setting).press(key)
    page.get_by_role("status").filter(has_text=said).wait_for()
    page.reload()
    slider = page.get_by_role("slider", name=setting)
    slider.wait_for()
    page.wait_for_function(
        "label => document.querySelector(`[aria-valuetext]`) !== null", arg=setting
    )
    shown = slider.get_attribute("aria-valuetext") or ""
    assert shown in {"5 %", "0.1 s", "57,600 Bd", "9 dB"}


def test_a_reload_keeps_the_conversation(page: Page) -> None:
    start(page)
    say(page, "Left", "before the reload")
    page.locator(".right .bubble").wait_for()
    page.reload()
    page.locator(".right .bubble", has_text="before the reload").wait_for()
    say(page, "Right", "after it")
    page.locator(".left .bubble", has_text="after it").wait_for()


def test_a_killed_console_goes_on_where_it_was(page: Page, served: Served) -> None:
    start(page)
    say(page, "Left", "before the end")
    page.locator(".right .bubble").wait_for()
    served.kill()
    page.get_by_text("The console does not answer").wait_for()
    again = Served(served.folder)
    try:
        page.goto(again.address())
        page.get_by_role("button", name="Start again").click()
        page.locator(".right .bubble", has_text="before the end").wait_for()
        say(page, "Left", "after it")
        page.locator(".right .bubble", has_text="after it").wait_for()
    finally:
        assert again.end() == 0


def test_two_tabs_and_two_windows_show_the_same(page: Page) -> None:
    start(page)
    tab = page.context.new_page()
    tab.set_default_timeout(LONGEST_MS)
    tab.goto(page.url)
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Screen right").click()
    right = opened.value
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Screen left").click()
    left = opened.value
    for each in (left, right):
        each.set_default_timeout(LONGEST_MS)
    say(left, "Left", "in large type")
    right.locator(".big", has_text="in large type").wait_for()
    left.locator(".sent", has_text="Acknowledged.").wait_for()
    tab.locator(".right .bubble", has_text="in large type").wait_for()
    assert (
        right.evaluate(
            "parseFloat(getComputedStyle(document.querySelector('.newest')).fontSize)"
        )
        > 40
    )


def test_the_first_window_lets_another_browser_in(page: Page, browser: Browser) -> None:
    start(page)
    page.get_by_role("button", name="Screen on another machine").click()
    address = page.locator(".shown code").inner_text()
    other = browser.new_context()
    right = other.new_page()
    right.goto(address)
    right.get_by_text("Nothing has arrived yet.").wait_for()
    say(page, "Left", "for the other one")
    right.locator(".big", has_text="for the other one").wait_for()
    third = browser.new_context().new_page()
    third.goto(address)
    third.get_by_role("alert").filter(has_text="This address was used").wait_for()
    third.context.close()
    other.close()


def test_a_key_is_shown_only_when_it_is_asked_for(page: Page, served: Served) -> None:
    answers: list[str] = []
    page.on(
        "response",
        lambda each: answers.append(each.text()) if "/api/" in each.url else None,
    )
    start(page)
    exchange(page)
    (folder,) = [each for each in served.folder.iterdir() if each.is_dir()]
    keys = json.loads((folder / "left" / "keys.json").read_bytes())["keys"]
    (key,) = keys.values()
    page.wait_for_timeout(100)
    assert answers
    assert all(key not in each for each in answers)
    assert key not in (folder / "history.jsonl").read_text()
    page.get_by_role("button", name="Show key").click()
    page.locator(".shown", has_text=key).wait_for()
    assert key not in (folder / "history.jsonl").read_text()


def test_the_keyboard_is_enough(page: Page) -> None:
    page.get_by_role("radio", name="ieee802154").focus()
    page.keyboard.press("ArrowRight")
    assert page.get_by_role("radio", name="rf-serial").is_checked()
    page.keyboard.press("ArrowLeft")
    tab_to(page, "Start two nodes")
    page.keyboard.press("Enter")
    page.get_by_text("The node is up.").nth(1).wait_for()
    page.get_by_role("list", name="What happened").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("typed")
    page.keyboard.press("Enter")
    page.locator(".right .bubble", has_text="typed").wait_for()
    tab_to(page, "Replay")
    page.keyboard.press("Space")
    page.get_by_text(re.compile(r"Refused \(replay\)")).wait_for()


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a button has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == name:
            return
    pytest.fail(f"the keyboard does not get to {name!r}")


def test_a_used_address_lets_no_other_browser_in(
    browser: Browser, served: Served
) -> None:
    address = served.address()
    first, second = browser.new_context(), browser.new_context()
    first.new_page().goto(address)
    page = second.new_page()
    page.goto(address)
    page.get_by_text("This address was used").first.wait_for()
    page.goto(served.address())
    page.get_by_role("button", name="Start two nodes").wait_for()
    for each in (first, second):
        each.close()


@pytest.mark.parametrize(
    ("widths", "link"), [((380, 1200), "ieee802154"), ((380,), "sdr")]
)
def test_nothing_is_wider_than_the_screen_and_axe_finds_nothing(
    page: Page, widths: tuple[int, ...], link: str
) -> None:
    page.set_viewport_size({"width": widths[0], "height": 800})
    assert_accessible(page, widths[0])
    start(page, link)
    say(page, "Left", "x" * 200)
    page.locator(".right .bubble").wait_for()
    if link == "ieee802154":
        page.locator(".frame button").first.click()
        page.get_by_role("button", name="bytes on the air").first.click()
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        assert_accessible(page, width)


def nodes_in(folder: Path) -> list[str]:
    """Return the numbers of the processes that keep nodes of a directory up."""
    command = ["pgrep", "-f", f"node up {folder}"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.split()


def test_ctrl_c_ends_the_console_and_its_nodes(page: Page, served: Served) -> None:
    start(page)
    folder = served.folder
    assert len(nodes_in(folder)) >= 2
    assert served.end() == 0
    assert nodes_in(folder) == []
    page.get_by_text("The console does not answer").wait_for()


def test_a_taken_port_is_reported_and_the_next_one_offered(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "samara.cli", "console", "--port", str(port)]
        process = subprocess.Popen(
            [*command, "--state", str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        address = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=60)
    used = int(address.split(":")[2].split("/")[0])
    assert used > port
    assert f"port {port} is taken: {used} is used instead" in said
    assert process.returncode == 0


def test_the_built_page_is_small() -> None:
    files = [each for each in PAGE.rglob("*") if each.is_file()]
    sizes = [len(gzip.compress(each.read_bytes())) for each in files]
    assert 10_000 < sum(sizes) <= 300_000
