# SPDX-License-Identifier: Apache-2.0
"""What bash completes of a command line, as `samara --install-completion` sets up."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

import pytest
from shell import PROGRAM, TIMEOUT_S, environment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BASH = shutil.which("bash") or "/bin/bash"
# Bash calls the function with the words of the line; `complete -p` names it.
SCRIPT = """
shopt -u progcomp_alias
eval "$SHOWN" || exit 3
[[ $(complete -p samara) =~ -F\\ ([^ ]+) ]] || exit 4
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"${BASH_REMATCH[1]}" samara "${COMP_WORDS[COMP_CWORD]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@cache
def shown() -> str:
    """Return what a person puts into the file that bash reads when it starts."""
    # It asks which shell has started it.
    script = f'printf %s "$({PROGRAM} --show-completion bash)"'
    return _printed([BASH, "--norc", "-c", script], environment())


def completed(line: str) -> list[str]:
    """Return what bash proposes for the last word of a line."""
    words = [BASH, "--norc", "-c", SCRIPT, "bash", *line.split(" ")]
    return _printed(words, {**environment(), "SHOWN": shown()}).split()


def _printed(words: Sequence[str], given: Mapping[str, str]) -> str:
    done = subprocess.run(
        words,
        env={**given, "SHELL": "/bin/bash"},
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert not done.stderr
    return done.stdout.decode()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "proposed"),
    [
        ("samara sea", ["seal"]),
        ("samara node st", ["status"]),
        ("samara seal --no", ["--nonce"]),
        ("samara seal aes128-c", ["aes128-ccm-4", "aes128-ccm-16", "aes128-ctr"]),
        ("samara keygen grain", ["grain128aead", "grain128ple"]),
        ("samara block aes1", ["aes128", "aes192"]),
        ("samara node init x --link i", ["ieee802154"]),
        ("samara node init x --link ieee802154 --addresses e", ["extended"]),
        ("samara node init x --suite asc", ["ascon-aead128"]),
        ("samara node init x --framing s", ["sealed"]),
        ("samara node init x --modulation q", ["qpsk"]),
        ("samara demo --link s", ["sdr"]),
        ("samara receipt explain --link r", ["rf-serial"]),
        ("samara receipt explain --device atmega328", ["atmega328p"]),
        ("samara bench run --device nrf528", ["nrf52840"]),
        ("samara bench run --suite aes128-c --suite aes25", ["aes256", "aes256-gcm"]),
        ("samara bench show --opt O", ["Os", "O2", "O3"]),
        ("samara bench check --implementation ", ["portable", "assembly", "engine"]),
        ("samara bench report --paper mod", ["modspeck"]),
        ("samara frame open --suite aes128-g", ["aes128-gcm"]),
        ("samara phy ber --modulation 16", ["16-qam"]),
        ("samara phy sync --modulation o", ["o-qpsk-dsss"]),
        ("samara energy life --device nrf528", ["nrf52840"]),
        ("samara energy life --battery cr", ["cr2032"]),
        ("samara energy message --radio cc1", ["cc1101", "cc1350"]),
        ("samara energy message --mac x", ["x-mac"]),
        ("samara energy message --link r", ["rf-serial"]),
        ("samara energy network --topology g", ["grid"]),
        ("samara energy network --preset paper-s", ["paper-software"]),
        ("samara energy airtime --band eu868-l", ["eu868-low"]),
        ("samara energy simulate --sink ce", ["centre"]),
        ("samara energy depends --sealing e", ["every-copy"]),
        ("samara receipt explain --mac cont", ["contikimac"]),
        ("samara receipt explain --battery li", ["lisocl2-aa"]),
        ("samara advise --layer p", ["payload", "physical"]),
    ],
)
def test_bash_completes_names(line: str, proposed: list[str]) -> None:
    found = completed(line)
    assert set(proposed) <= set(found)
    beginning = line.rsplit(" ", maxsplit=1)[-1]
    assert all(each.startswith(beginning) for each in found)


def test_bash_proposes_nothing_for_a_name_that_does_not_exist() -> None:
    """Bash then completes the names of files."""
    assert completed("samara seal no-such-suite") == []
