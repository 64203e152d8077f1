# SPDX-License-Identifier: Apache-2.0
"""`samara advise`: the answer is that of a search, and says what to relax."""

from __future__ import annotations

import json
import math
import shlex
import subprocess
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shell import assert_misuse, objects, samara
from vectorfile import ROOT

from samara.bench import store
from samara.bench.programs import Program
from samara.bench.results import Operation
from samara.crypto import Standing
from samara.energy import (
    Build,
    NotMeasuredError,
    Work,
    cost_of,
    cryptography,
    memory_of,
)
from samara.energy.candidates import candidates
from samara.energy.choices import Choice, Use, weighed
from samara.energy.limits import Limits, broken, unreachable
from samara.energy.plots.advice import front
from samara.energy.quantity import nominal
from samara.energy.recommending import recommend
from samara.energy.scenario import Scenario

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Given = Limits | Callable[[], Limits]

DEVICE = "atmega328p"
YEARS = 1.0


@cache
def choices() -> list[Choice]:
    """Return all choices: only once a test needs them, for they take seconds."""
    found: list[Choice] = []
    for candidate in candidates("ieee802154", 20, {}):
        try:
            found += weighed(
                Scenario(device=DEVICE), candidate, Use(300.0, YEARS, draws=100)
            )
        except NotMeasuredError:
            continue
    return found


ALL_ALLOWED: dict[str, Any] = {
    "allow_unauthenticated": True,
    "allow_unencrypted": True,
    "allow_research": True,
}


@cache
def least(name: str, layer: str | None = None) -> float:
    """Return the smallest flash or RAM of what may be recommended."""
    found = (one for one in choices() if not broken(one, Limits(layer=layer)))
    return min(float(getattr(one, name)) for one in found)


def flash(share: float, layer: str | None = None) -> float:
    """Return a share of the smallest flash that a choice takes."""
    return share * least("flash_bytes", layer)


def ram(share: float) -> float:
    """Return a share of the smallest RAM that a choice takes."""
    return share * least("ram_bytes")


def made(asked: Given) -> Limits:
    """Return limits, of which some depend on the choices."""
    return asked if isinstance(asked, Limits) else asked()


def name_of(asked: object) -> str | None:
    """Return the name of a set of limits in the name of its test, if it has one."""
    return None if callable(asked) else str(asked)


def searched(limits: Limits) -> Choice | None:
    """Return the best by a search that shares nothing with what is tested."""
    best, best_key = None, None
    for one in choices():
        own, tag = one.candidate, one.candidate.tag_bytes
        frame_s = (own.frame_bytes + own.added_bytes + 6) * 32e-6
        tries = YEARS * 365.25 * 86400 / frame_s
        chance = 1 - math.exp(-tries / 256**tag) if tag < 7 else tries / 256**tag
        fits = (
            (tag > 0 or limits.allow_unauthenticated)
            and (own.encrypts or limits.allow_unencrypted)
            and (str(own.standing) != "research" or limits.allow_research)
            and (limits.layer is None or own.layer == limits.layer)
            and (not limits.interoperable or own.suite.startswith("aes128-"))
            and (not limits.interoperable or own.layer == "link")
            and one.flash_bytes <= (limits.flash_bytes or 1e9)
            and one.ram_bytes <= (limits.ram_bytes or 1e9)
            and one.latency_s <= (limits.latency_s or 1e9)
            and one.years.low >= (limits.years or 0)
            and (not tag or tag >= (limits.tag_bytes or 0))
            and (not tag or limits.forgery is None or chance <= limits.forgery)
        )
        # A grid of 1 %, which begins at one year.
        steps = math.floor(math.log(one.years.low) / math.log(1.01))
        order = ["standard", "finalist", "research"].index(str(own.standing))
        key = (
            *(-steps, order, one.flash_bytes, one.energy_j, one.ram_bytes),
            *(own.layer, own.suite, one.build),
        )
        if fits and (best_key is None or key < best_key):
            best, best_key = one, key
    return best


SETS: list[Given] = [
    Limits(),
    Limits(tag_bytes=8),
    Limits(tag_bytes=16),
    Limits(layer="link"),
    Limits(layer="link", tag_bytes=16),
    Limits(layer="payload", ram_bytes=300),
    Limits(flash_bytes=4096),
    lambda: Limits(flash_bytes=flash(1.01)),
    lambda: Limits(ram_bytes=ram(1.01)),
    lambda: Limits(flash_bytes=flash(1.01, "link"), layer="link"),
    Limits(flash_bytes=4096, allow_research=True),
    Limits(latency_s=0.1345),
    Limits(forgery=1e-12),
    Limits(forgery=1e-20, ram_bytes=600),
    Limits(forgery=None),
    Limits(forgery=None, **ALL_ALLOWED),
    Limits(years=1.0, flash_bytes=12_000, layer="link"),
    Limits(allow_unencrypted=True, layer="link"),
    Limits(flash_bytes=2500, allow_unauthenticated=True),
    Limits(ram_bytes=200),
    Limits(years=50.0),
    Limits(interoperable=True),
    Limits(interoperable=True, tag_bytes=16),
]


def places(choice: Choice | None) -> tuple[Any, ...] | None:
    if choice is None:
        return None
    return choice.candidate.suite, choice.candidate.layer, choice.build


@pytest.mark.slow
@pytest.mark.parametrize("asked", SETS, ids=name_of)
def test_the_answer_is_that_of_a_search(asked: Given) -> None:
    limits = made(asked)
    found = recommend(choices(), limits)
    assert places(found.recommended) == places(searched(limits))
    assert len(found.fitting) + len(found.out) == len(choices())
    assert all(breaks for _, breaks in found.out)


@pytest.mark.slow
def test_sets_have_both_kinds_of_answers() -> None:
    answers = {places(searched(made(each))) for each in SETS}
    assert None in answers
    assert len(answers) >= 6


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (Limits(years=5.0), ["years"]),
        (lambda: Limits(flash_bytes=flash(0.9)), ["flash_bytes"]),
        (lambda: Limits(ram_bytes=ram(0.9)), ["ram_bytes"]),
        (Limits(latency_s=0.01), ["latency_s"]),
        (Limits(tag_bytes=16, forgery=1e-60), ["forgery"]),
        (Limits(layer="physical"), ["layer"]),
        (lambda: Limits(layer="link", flash_bytes=flash(0.9, "link")), ["flash_bytes"]),
        (lambda: Limits(years=5.0, ram_bytes=ram(0.9)), ["ram_bytes", "years"]),
    ],
    ids=name_of,
)
def test_an_impossible_set_names_the_limit(asked: Given, names: list[str]) -> None:
    limits = made(asked)
    found = recommend(choices(), limits)
    assert found.recommended is None
    assert sorted(each.limit for each in found.relax) == names
    # With the values that it names, that choice fits.
    changed: dict[str, Any] = {
        each.limit: None if each.value is None else each.value for each in found.relax
    }
    again = recommend(choices(), replace(limits, **changed))
    assert found.relaxed in again.fitting


IMPOSSIBLE: list[Given] = [
    # An engineer's: little memory, a coin cell for years, an answer at once.
    Limits(years=5, flash_bytes=4096, ram_bytes=200, latency_s=0.05, tag_bytes=8),
    lambda: Limits(flash_bytes=flash(0.8), ram_bytes=ram(0.8), tag_bytes=16),
    lambda: Limits(flash_bytes=5000, ram_bytes=ram(0.7)),
    lambda: Limits(ram_bytes=ram(0.9), latency_s=0.13),
    lambda: Limits(years=2, layer="link", flash_bytes=flash(0.5, "link")),
    lambda: Limits(forgery=1e-30, flash_bytes=flash(0.9), ram_bytes=500),
]


@pytest.mark.parametrize("asked", IMPOSSIBLE, ids=name_of)
def test_what_to_relax_is_that_of_a_search(asked: Given) -> None:
    """Of what may be proposed: the fewest limits, and of those the least beyond."""
    limits = made(asked)

    def beyond(one: Choice) -> dict[str, float]:
        """Return how far each limit is broken, by a search of its own."""
        most = {
            "flash_bytes": one.flash_bytes / (limits.flash_bytes or math.inf),
            "ram_bytes": one.ram_bytes / (limits.ram_bytes or math.inf),
            "latency_s": one.latency_s / (limits.latency_s or math.inf),
            "forgery": one.forgery / (limits.forgery or math.inf),
            "years": (limits.years or 0) / one.years.low,
            "tag_bytes": (limits.tag_bytes or 0) / one.candidate.tag_bytes,
        }
        if limits.layer not in (None, one.candidate.layer):
            most["layer"] = math.inf
        return {name: by for name, by in most.items() if by > 1}

    near = [
        beyond(one)
        for one in choices()
        if one.candidate.tag_bytes
        and one.candidate.encrypts
        and one.candidate.standing is not Standing.RESEARCH
    ]
    fewest = min(len(each) for each in near)
    least = min(math.prod(each.values()) for each in near if len(each) == fewest)
    found = recommend(choices(), limits)
    assert found.recommended is None
    assert len(found.relax) == fewest > 0
    # How far a limit is broken is told in steps of 1 %.
    by = math.prod(each.factor for each in found.relax)
    assert by == pytest.approx(least, rel=0.011) or by == least == math.inf


def test_a_build_that_is_measured_in_part_hides_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slug = "aes128-ccm-8"
    known = cryptography.programs(DEVICE, slug)
    results = cryptography.results(DEVICE, slug)
    some = next(r for r in results if r.opt == "Os" and r.sizes == (16, 0))
    partial = Program.of_result(replace(some, implementation="partial"))
    few = [*known, partial]
    monkeypatch.setattr(
        cryptography, "programs", lambda _, suite: few if suite == slug else []
    )
    (one,) = (
        each
        for each in candidates("ieee802154", 20, {})
        if (each.layer, each.suite) == ("payload", slug)
    )
    found = weighed(Scenario(device=DEVICE), one, Use(300.0, draws=10))
    assert Build("partial", "Os") in cryptography.builds(DEVICE, slug)
    assert {each.build.opt for each in found} == {"Os", "O2", "O3"}
    assert all(each.build.implementation != "partial" for each in found)


def test_what_no_suite_can_reach() -> None:
    scenario, use = Scenario(device=DEVICE), Use(300.0, draws=100)
    plain = scenario.unsecured().node().latency_s()
    limits = Limits(years=9.0, latency_s=0.9 * float(plain), ram_bytes=1)
    years, latency = unreachable(scenario, limits, use)
    assert (years.limit, years.allowed) == ("years", 9.0)
    assert max(each.years.low for each in choices()) <= (years.value or 0) * 1.01
    assert latency.value == pytest.approx(plain)
    assert unreachable(scenario, Limits(years=1.0, latency_s=1.0), use) == []


def test_the_physical_layer_by_hand() -> None:
    """All bits of a plain frame, and no more; it does not authenticate."""
    (build, *_) = (each for each in choices() if each.candidate.layer == "physical")
    own = build.candidate
    assert (own.suite, own.tag_bytes, own.added_bytes) == ("grain128ple", 0, 0)
    assert (own.frame_bytes, own.calls[0].message_bytes) == (31, 31)
    out = {
        choice.candidate.layer: {each.limit for each in breaks}
        for choice, breaks in recommend(choices(), Limits()).out
    }
    assert out["physical"] == {"authentication", "standing"}


def test_the_least_is_relaxed() -> None:
    fits = [c for c in choices() if not broken(c, Limits(tag_bytes=8))]
    least_bytes = min(choice.ram_bytes for choice in fits)
    (least,) = recommend(
        choices(), Limits(ram_bytes=0.9 * least_bytes, tag_bytes=8)
    ).relax
    # How far a limit is broken is told in steps of 1 %.
    assert least.value == pytest.approx(least_bytes, rel=0.01)


def test_nothing_dangerous_is_proposed() -> None:
    for limits in map(made, SETS):
        if limits.allow_research or limits.allow_unauthenticated:
            continue
        found = recommend(choices(), limits)
        for choice in (*found.fitting, *([found.relaxed] if found.relaxed else [])):
            assert choice.candidate.tag_bytes
            assert choice.candidate.standing is not Standing.RESEARCH


def loosened(limits: Limits, name: str, by: float) -> Limits:
    """Return limits of which one is looser, or none at all."""
    value = getattr(limits, name)
    looser: Any = None
    if isinstance(value, bool):
        looser = name != "interoperable"
    elif value is not None and name != "layer" and by <= 9:
        least = name in ("years", "tag_bytes")
        looser = value / by if least else value * by
    changed: dict[str, Any] = {name: looser}
    return replace(limits, **changed)


RELAXABLE = [one.name for one in fields(Limits) if one.name != "messages_per_hour"]
LIMITS = st.builds(
    Limits,
    years=st.none() | st.floats(0.1, 3),
    flash_bytes=st.none() | st.floats(1000, 20_000),
    ram_bytes=st.none() | st.floats(100, 1200),
    latency_s=st.none() | st.floats(0.13, 0.2),
    tag_bytes=st.none() | st.integers(1, 16),
    forgery=st.none() | st.floats(1e-30, 1),
    layer=st.none() | st.sampled_from(["link", "payload"]),
    allow_unauthenticated=st.booleans(),
    allow_unencrypted=st.booleans(),
    allow_research=st.booleans(),
    interoperable=st.booleans(),
)


@pytest.mark.slow
@given(limits=LIMITS, name=st.sampled_from(RELAXABLE), by=st.floats(1, 10))
def test_looser_limits_are_never_worse(limits: Limits, name: str, by: float) -> None:
    strict = recommend(choices(), limits).recommended
    loose = recommend(choices(), loosened(limits, name, by)).recommended
    if strict is not None:
        assert loose is not None
        assert loose.rank <= strict.rank


@pytest.mark.parametrize("opt", ["Os", "O2", "O3"])
def test_one_build_for_cycles_flash_and_ram(opt: str) -> None:
    slug, build = "ieee802154-aes128-ccm-8", Build("portable", opt)
    rows = [
        each
        for each in store.read(store.committed() / f"{DEVICE}.jsonl", suites=[slug])
        if (each.suite, each.opt, each.implementation) == (slug, opt, "portable")
    ]
    (row,) = (each for each in rows if each.sizes == (16, 15))
    work = Work(DEVICE, slug, Operation.SEAL, 16, 15, build)
    assert cost_of(work).cycles.value == row.cycles_of(Operation.SEAL)
    memory = memory_of(DEVICE, slug, build)
    assert memory.flash.value == row.code_bytes
    assert memory.ram.value == max(
        (each.static_ram_bytes or 0) + (each.stack_bytes or 0) for each in rows
    )
    assert memory.flags == row.flags
    fastest = cost_of(replace(work, build=None)).cycles.value
    assert fastest <= row.cycles_of(Operation.SEAL)


def test_no_other_build() -> None:
    with pytest.raises(NotMeasuredError, match="bench run"):
        memory_of(DEVICE, "aes128-ccm-8", Build("engine", "Os"))
    with pytest.raises(NotMeasuredError, match="bench run"):
        cost_of(
            Work(DEVICE, "aes128-ccm-8", Operation.SEAL, 20, 0, Build("engine", "Os"))
        )


def test_a_choice_is_the_model_s() -> None:
    (one,) = (
        each
        for each in choices()
        if each.candidate.suite == "aes128-ccm-8"
        and each.candidate.layer == "link"
        and each.build == Build("portable", "O2")
    )
    scenario = replace(
        Scenario(device=DEVICE),
        calls=tuple(
            replace(call, build=one.build) for call in Scenario(device=DEVICE).calls
        ),
    )
    assert (one.candidate.frame_bytes, one.candidate.added_bytes) == (31, 14)
    parts = scenario.node(nominal).message(300.0)
    assert one.energy_j == pytest.approx(parts.total)
    plain = scenario.unsecured().node(nominal).message(300.0)
    assert one.security_j == pytest.approx(parts.total - plain.total, rel=0.02)


def test_the_front_is_not_beaten() -> None:
    found = front(choices())
    for one in found:
        for other in choices():
            better = (
                other.flash_bytes <= one.flash_bytes
                and other.security_j < one.security_j
            )
            assert not better


HELD = ("--radio", "at86rf231", "--mac", "box-mac-2", "--allow-proprietary")
"""What was assumed before parts were weighed: one platform, and all suites."""


def run(folder: Path, *arguments: str) -> tuple[int, list[dict[str, Any]]]:
    done = samara("advise", *arguments, "--json", folder=folder)
    return done.returncode, objects(done.stdout)


def test_frames_of_the_standard_are_those_of_aes_128() -> None:
    of_standard = {
        (each.candidate.layer, each.candidate.options.get("suite"))
        for each in choices()
        if each.candidate.is_interoperable
    }
    assert of_standard == {("link", "aes128")}
    for kept in recommend(choices(), Limits(interoperable=True)).fitting:
        assert kept.candidate.is_interoperable
    # It is asked for on purpose: it is never proposed to give it up.
    nothing = recommend(choices(), Limits(interoperable=True, ram_bytes=1))
    assert [each.limit for each in nothing.relax] == ["ram_bytes"]
    assert nothing.relaxed is not None
    assert nothing.relaxed.candidate.is_interoperable


@pytest.mark.parametrize("asked", SETS, ids=name_of)
def test_alternatives_take_the_least_of_all_that_fits(asked: Given) -> None:
    limits = made(asked)
    found = recommend(choices(), limits)
    best = found.recommended
    by_saving = {str(each.saving): each for each in found.alternatives()}
    if best is None:
        assert not by_saving
        return
    amounts: dict[str, Callable[[Choice], float]] = {
        "energy": lambda one: one.energy_j,
        "flash": lambda one: one.flash_bytes,
    }
    for name, of in amounts.items():
        least = min(map(of, found.fitting))
        if least == of(best):
            assert name not in by_saving
            continue
        other = by_saving[name]
        assert of(other.choice) == least
        assert other.energy_j == other.choice.energy_j - best.energy_j
        assert other.flash_bytes == other.choice.flash_bytes - best.flash_bytes
        assert min(other.energy_j, other.flash_bytes) < 0


@pytest.mark.slow
def test_the_command_says_why_with_both_sides(tmp_path: Path) -> None:
    """Less energy costs flash, less flash costs energy: as in the choices printed."""
    asked = ("--device", DEVICE, "--layer", "link", "--tag", "8", *HELD)
    code, (advice, *rest) = run(tmp_path, *asked)
    assert code == 0
    own = advice["recommended"]
    fits = [each for each in rest if each["type"] == "choice"]
    sides = {each["least"]: each for each in advice["alternatives"]}
    assert set(sides) == {"energy", "flash"}
    thrifty, small = sides["energy"], sides["flash"]
    assert thrifty["energy"]["value"] == min(each["energy"]["value"] for each in fits)
    assert small["flash_bytes"] == min(each["flash_bytes"] for each in fits)
    assert thrifty["energy_j_more"] < 0 < thrifty["flash_bytes_more"]
    assert small["flash_bytes_more"] < 0 < small["energy_j_more"]
    shown = samara("advise", *asked, folder=tmp_path).stdout.decode()
    text = " ".join(shown.split())
    for each, unit in ((thrifty, 1e6), (small, 1e6)):
        more_uj = each["energy_j_more"] * unit
        more_bytes = each["flash_bytes"] - own["flash_bytes"]
        for value, name in ((more_uj, "µJ a message"), (more_bytes, "bytes of flash")):
            way = "less" if value < 0 else "more"
            assert f"{abs(value):,.0f} {name} {way}" in text
    assert "Why this one: lives within 1 % are equal" in text


@pytest.mark.slow
def test_what_only_samara_opens_is_not_of_a_standard(tmp_path: Path) -> None:
    done = samara("advise", "--link", "rf-serial", "--interoperable", folder=tmp_path)
    assert_misuse(done, "leave out --interoperable, or give --link ieee802154")
    of_aes = ("--device", DEVICE, "--interoperable")
    code, (advice, *_) = run(tmp_path, *of_aes)
    assert code == 0
    assert advice["recommended"]["options"]["suite"] == "aes128"
    assert advice["recommended"]["interoperable"] is True


@pytest.mark.slow
def test_the_command_recommends(tmp_path: Path) -> None:
    asked = ("--device", DEVICE, "--layer", "link", "--tag", "8", *HELD)
    code, (advice, *rest) = run(tmp_path, *asked)
    assert code == 0
    own = advice["recommended"]
    assert (own["suite"], own["opt"], own["options"]) == (
        "ascon-aead128-8",
        "Os",
        {"suite": "ascon-aead128", "level": 6},
    )
    assert advice["commands"][0] == (
        "samara node init sensor --link ieee802154 --suite ascon-aead128 --level 6"
    )
    # What it says to do can be done.
    for command in advice["commands"][:2]:
        made = samara(*shlex.split(command)[1:], folder=tmp_path)
        assert made.returncode == 0, made
    for command in advice["commands"][2:4]:
        # The amalgamation is written, and compiled as the bench compiled it.
        words = [
            str(ROOT / word) if word.startswith("build/") else word
            for word in shlex.split(command)
        ]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "samara.o").stat().st_size > 10_000
    kinds = [each["type"] for each in rest]
    fits, out = kinds.count("choice"), kinds.count("excluded_choice")
    assert min(fits, out) > 0
    assert all(each["broken"] for each in rest[fits : fits + out])
    # One platform was held: no other is told beside it.
    assert kinds[fits + out :] == ["weighed_parts"]
    assert advice["weighed"] == []
    picture = samara("advise", *asked, "-o", "pareto.svg", folder=tmp_path)
    assert picture.returncode == 0, picture
    assert b"What is out, and by which limit" in picture.stdout
    assert all(len(line) <= 80 for line in _tables(picture.stdout.decode()))
    assert (tmp_path / "pareto.svg").stat().st_size > 1000


@pytest.mark.slow
@pytest.mark.parametrize("device", ["msp430f1611", "atmega4809"])
def test_what_it_compiles_with_is_there(device: str, tmp_path: Path) -> None:
    """Headers of the compiler and of the family, which the device's code needs."""
    _, (advice, *_) = run(tmp_path, "--device", device, "--layer", "link", *HELD)
    write, compile_all = advice["commands"][2:4]
    subprocess.run(shlex.split(write), cwd=ROOT, check=True, capture_output=True)
    command = compile_all.replace("-o samara.o", f"-o {tmp_path}/samara.o")
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert (tmp_path / "samara.o").stat().st_size > 10_000


def _tables(text: str) -> list[str]:
    return text.partition("To make it:")[0].splitlines()


@pytest.mark.slow
def test_the_command_says_what_no_suite_reaches(tmp_path: Path) -> None:
    asked = ["--device", DEVICE, "--latency", "50ms", "--years", "1"]
    code, (advice, *_) = run(tmp_path, *asked, "--mac", "box-mac-2")
    assert (code, advice["recommended"]) == (1, None)
    (limit,) = advice["unreachable"]
    assert (limit["limit"], limit["option"]) == ("latency_s", "--latency")
    # Another medium access does it: its sender knows when the receiver listens.
    code, (advice, *_) = run(tmp_path, *asked, "--mac", "always-listening")
    assert (code, advice["unreachable"][0]["limit"]) == (1, "years")


@pytest.mark.slow
def test_the_command_says_what_to_relax(tmp_path: Path) -> None:
    asked = ["--device", DEVICE, "--flash", "500", "--ram", "900", *HELD]
    code, (advice, *_) = run(tmp_path, *asked)
    assert (code, advice["recommended"]) == (1, None)
    (relax,) = advice["relax"]
    assert relax["option"] == "--flash"
    assert advice["sentence"].startswith("Nothing fits. Relax --flash from 500 to ")
    asked[asked.index("500")] = relax["value"]
    code, (again, *_) = run(tmp_path, *asked)
    assert code == 0
    assert again["recommended"]["suite"] == advice["then_fits"]["suite"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--flash", "4q"), "'--flash': '4q' is not a quantity"),
        (("--latency", "0"), "'--latency': expected at least"),
        (("--layer", "tcp"), "unknown layer"),
        (("--link", "sdr"), "has no energy model"),
        (("--battery", "potato"), "unknown battery"),
        (("-o", "x.gif"), "a name with .png, .svg or .csv"),
    ],
)
def test_what_cannot_be_asked(
    arguments: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    assert_misuse(samara("advise", *arguments, folder=tmp_path), problem)


@pytest.mark.slow
def test_a_serial_radio(tmp_path: Path) -> None:
    code, (advice, *_) = run(
        tmp_path, "--radio", "srf", "--device", DEVICE, "--bytes", "14"
    )
    assert (code, advice["link"], advice["mac"]) == (0, "rf-serial", "serial-radio")
    assert json.dumps(advice)
