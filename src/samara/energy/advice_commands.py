# SPDX-License-Identifier: Apache-2.0
"""What makes a choice real, as commands of a shell."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from samara.bench.devices import device

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from samara.energy.candidates import Candidate
    from samara.energy.choices import Choice


def commands(choice: Choice, link: str, device_name: str) -> list[str]:
    """Return what makes a choice real, as commands of a shell."""
    own = choice.candidate
    family = device(device_name).family
    compiler = family.compiler
    places = {
        "{family}": f"devices/families/{family.name}",
        "{headers}": f'"$({compiler} -print-resource-dir)/include"',
    }
    flags = f"-I {_AMALGAMATION} {choice.flags}"
    for name, place in places.items():
        flags = flags.replace(name, place)
    target = choice.flags.split(" ", 1)[0]
    return [
        *_MAKERS[own.layer](own, link),
        "cmake --build build/release --target amalgamation",
        f"{compiler} {flags} -c {_AMALGAMATION}/samara.c -o samara.o",
        f"{compiler} {flags} -c main.c -o main.o",
        f"{compiler} {target} -Wl,--gc-sections main.o samara.o -o main.elf",
    ]


_AMALGAMATION = "build/release/amalgamation"


def _made_of_link(own: Candidate, link: str) -> list[str]:
    options = " ".join(
        f"--{name.replace('_', '-')} {shlex.quote(str(value))}"
        for name, value in own.options.items()
    )
    doubtful = "" if own.tag_bytes else " --allow-unauthenticated"
    return [
        f"samara node init sensor --link {link} {options}{doubtful}",
        "samara node init gateway --pair-with sensor",
    ]


def _made_of_payload(own: Candidate, _: str) -> list[str]:
    return [
        f"samara keygen {own.suite} -o link.key",
        f"samara seal {own.suite} --key @link.key --nonce random -i message",
    ]


def _made_of_bits(_own: Candidate, _link: str) -> list[str]:
    return [
        "samara node init sensor --link sdr",
        "samara node init gateway --pair-with sensor",
    ]


_MAKERS: Mapping[str, Callable[[Candidate, str], list[str]]] = {
    "link": _made_of_link,
    "payload": _made_of_payload,
    "physical": _made_of_bits,
}
