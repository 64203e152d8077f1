# SPDX-License-Identifier: Apache-2.0
"""Schemes and attacks that users write: what is wrong in them is one sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from shell import assert_done, assert_misuse, samara

from samara.errors import MisuseError
from samara.phy.secrecy.bench import SecrecyRequest, measure_secrecy
from samara.phy.secrecy.checking import checked
from samara.phy.secrecy.findings import SecrecyFinding
from samara.phy.secrecy.kinds import SCHEMES
from samara.phy.secrecy.link import Link
from samara.phy.secrecy.scanning import Kind
from samara.records import records_of

if TYPE_CHECKING:
    from pathlib import Path

TURNED = """\
import numpy as np

from samara.phy.secrecy.scheme import BitScheme, SymbolScheme, keystream


class Turned(SymbolScheme):
    title = "symbols turned by a right angle"
    keystream_bits = 0

    def scramble(self, symbols, counters):
        return symbols * 1j

    def unscramble(self, observed, counters):
        return observed * -1j


SCHEME = Turned
"""
SCRAMBLED = "return symbols * 1j"
UNSCRAMBLED = "return observed * -1j"
INVERTED = """\
from samara.phy.secrecy.scheme import BitScheme


class Inverted(BitScheme):
    title = "bits inverted"
    keystream_bits = 0

    def coded(self, payloads, counters):
        return 1 - self.link.coded(payloads, counters)

    def plain(self, soft, counters):
        return -soft


SCHEME = Inverted
"""
WATCHED = """\
import numpy as np

from samara.phy.secrecy.attack import Attack
from samara.phy.secrecy.estimates import share


def _listen(air):
    heard = air.hear(air.link.payloads(air.random, 20), np.arange(20))
    yield share("frames that are there", heard.any(axis=1), air.setting.confidence)


ATTACK = Attack("look", 1, _listen)
"""


def tried(*schemes: Path | str, attack: Path | str = "lengths") -> list[SecrecyFinding]:
    asked = SecrecyRequest(
        scheme=tuple(map(str, schemes)), attack=(str(attack),), frames=200
    )
    found = records_of(measure_secrecy(asked))
    return [each for each in found if isinstance(each, SecrecyFinding)]


def written(folder: Path, text: str, old: str = "", new: str = "") -> Path:
    """Write a module in which one text takes the place of another."""
    if old:
        assert text.count(old) == 1
        text = text.replace(old, new)
    file = folder / "own_one.py"
    file.write_text(text)
    return file


@pytest.mark.slow
def test_a_file_is_a_scheme_under_its_name(tmp_path: Path) -> None:
    (found,) = tried(written(tmp_path, TURNED), attack="distinguish")
    assert (found.scheme, found.wins) == ("own-one", True)


def test_a_file_is_an_attack_under_its_name(tmp_path: Path) -> None:
    (found,) = tried("none", attack=written(tmp_path, WATCHED))
    assert (found.attack, found.value.value) == ("own-one", 1)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("SymbolScheme):", "SymbolScheme)"), ", line 6: SyntaxError: expected ':'"),
        (("import numpy", "import nunpy"), ", line 1: ModuleNotFoundError: No module"),
        (("SCHEME = Turned", ""), " has no SCHEME"),
        (("SCHEME = Turned", "SCHEME = 3"), ": SCHEME is 3, expected a class that"),
        (("    title =", "    tilte ="), ": SCHEME is Turned, which lacks title"),
        (
            ("def unscramble", "def descramble"),
            ": SCHEME is Turned, which lacks unscramble",
        ),
        ((TURNED, "\0"), ": (ValueError|SyntaxError): source code string cannot"),
    ],
)
def test_a_module_that_is_no_scheme(
    tmp_path: Path, changed: tuple[str, str], words: str
) -> None:
    file = written(tmp_path, TURNED, *changed)
    with pytest.raises(MisuseError, match=re.escape(str(file)) + words):
        SCHEMES.find(str(file))


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("bits = 0", "bits = -1"), ": Turned.keystream_bits is -1, expected a number"),
        (
            ("    title", "    def __init__(self, link):\n        pass\n\n    title"),
            r": Turned.__init__ has to call super\(\).__init__\(link\)",
        ),
        (
            (SCRAMBLED, "return symbolz"),
            ", line 11, in scramble: NameError: name 'symb",
        ),
        (
            (SCRAMBLED, "return keystream(b'', counters, 8)"),
            ", line 11, in scramble: ArgumentError: grain128ple takes a key of 16",
        ),
        (
            (SCRAMBLED, "symbols *= 1j\n        return symbols"),
            ", line 11, in scramble: ValueError: output array is read-only",
        ),
        (
            (SCRAMBLED, "return symbols[:, :64]"),
            r": Turned.observe returned an array of 20 x 64 complex64, .* 576 complex",
        ),
        (
            (SCRAMBLED, "return symbols[1:]"),
            (
                ", line 10: Turned.scramble returned an array of 19 x 576 complex64, "
                "expected an array of 20 rows of any number of complex numbers"
            ),
        ),
        (
            (SCRAMBLED, "return symbols[:, :0]"),
            ", line 10: Turned.scramble returned an array of 20 x 0 complex64",
        ),
        (
            (SCRAMBLED, "return symbols * np.nan"),
            ", line 10: Turned.scramble returned .* with NaN or infinity",
        ),
        (
            (UNSCRAMBLED, "return observed.real"),
            ", line 13: Turned.unscramble returned an array of 20 x 576 float32",
        ),
        (
            (UNSCRAMBLED, "observed"),
            ", line 13: Turned.unscramble returned an object of type NoneType",
        ),
        (
            (UNSCRAMBLED, "return np.complex64(1)"),
            ", line 13: Turned.unscramble returned an object of type complex64",
        ),
        (
            (UNSCRAMBLED, "return np.array(1j)"),
            ", line 13: Turned.unscramble returned an array of no dimension complex128",
        ),
        (
            (UNSCRAMBLED, "return observed * 1j"),
            ": Turned.receive does not undo what send does: 20 of 20 frames are wrong",
        ),
    ],
)
def test_a_scheme_with_an_error(
    tmp_path: Path, changed: tuple[str, str], words: str
) -> None:
    file = written(tmp_path, TURNED, *changed)
    with pytest.raises(MisuseError, match=re.escape(str(file)) + words):
        tried(file)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            ("1 - self.link.coded(payloads, counters)", "self.link.coded([], [])"),
            ", line 9, in coded: ValueError: need at least one array",
        ),
        (
            ("return 1 -", "return 2 -"),
            r", line 8: Inverted.coded returned .* uint8 from 1 to 2, .* zeros",
        ),
        (
            ("return -soft", "return soft > 0"),
            r", line 11: Inverted.plain returned .* bool, expected .* real numbers",
        ),
    ],
)
def test_a_scheme_of_bits_with_an_error(
    tmp_path: Path, changed: tuple[str, str], words: str
) -> None:
    file = written(tmp_path, INVERTED, *changed)
    with pytest.raises(MisuseError, match=re.escape(str(file)) + words):
        tried(file)


def test_bits_may_be_of_any_type(tmp_path: Path) -> None:
    link = Link("qpsk", 8, bytes(16))
    payloads, counters = np.zeros((2, 8), np.uint8), np.arange(2)
    expected = link.mapped(link.coded(payloads, counters) ^ np.uint8(1))
    for number, kind in enumerate(("bool", "np.int64")):
        text = INVERTED.replace("counters)\n\n", f"counters).astype({kind})\n\n", 1)
        text = text.replace("1 - self", "1 ^ self")
        file = tmp_path / f"typed_{number}.py"
        file.write_text(f"import numpy as np\n{text}")
        scheme = checked(SCHEMES.find(str(file)), link)
        assert np.array_equal(scheme.send(payloads, counters), expected)


def test_a_scheme_cannot_change_what_was_sent(tmp_path: Path) -> None:
    # The frames that are read are compared with it.
    changed = ("        return 1", "        payloads[:] = 0\n        return 1")
    file = written(tmp_path, INVERTED, *changed)
    with pytest.raises(MisuseError, match=", line 9, in coded: ValueError: assignment"):
        tried(file)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (("np.arange", "arange"), ", line 8, in _listen: NameError: name 'arange'"),
        (('look", 1', 'look", 2'), ": 'look' yields 1 estimates, and says that"),
        (("ATTACK = Attack(", "ATTACK = ("), ": ATTACK is .*, expected an Attack"),
    ],
)
def test_an_attack_with_an_error(
    tmp_path: Path, changed: tuple[str, str], words: str
) -> None:
    file = written(tmp_path, WATCHED, *changed)
    with pytest.raises(MisuseError, match=re.escape(str(file)) + words):
        tried("none", attack=file)


def test_a_file_does_not_take_the_place_of_a_scheme(tmp_path: Path) -> None:
    file = tmp_path / "ple_hard.py"
    file.write_text(TURNED)
    with pytest.raises(MisuseError, match="ple-hard is a scheme already: rename"):
        SCHEMES.find(str(file))


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
    files = [str(written(first, TURNED)), str(written(second, INVERTED))]
    names = [SCHEMES.find(each).__name__ for each in files]
    assert names == ["Turned", "Inverted"]
    with pytest.raises(MisuseError, match="have one name: rename a file"):
        SCHEMES.found(files)


def test_a_broken_module_leaves_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "own_schemes"
    package.mkdir()
    for name, text in (("__init__", ""), ("good_one", TURNED), ("broken", "import")):
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    own = __import__("own_schemes")
    kind = Kind("scheme", own, "SCHEME", SCHEMES.faults)
    assert kind.names() == ["broken", "good-one"]
    assert kind.find("good-one").__name__ == "Turned"
    with pytest.raises(MisuseError, match=r"broken\.py, line 1: SyntaxError"):
        kind.find("broken")


def test_errors_of_samara_stay_defects(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("samara.phy.secrecy.attack.noisy", broken)
    with pytest.raises(ZeroDivisionError):
        tried("none", attack="distinguish")


@pytest.mark.slow
def test_the_command_tells_errors_in_one_sentence(tmp_path: Path) -> None:
    file = written(tmp_path, TURNED, SCRAMBLED, "return symbolz")
    done = samara("phy", "secrecy", file.name, "--frames", "200", folder=tmp_path)
    assert_misuse(done, f"{file}, line 11, in scramble: NameError: name 'symbolz'")
    assert done.stderr.count(b"\n") == 1
    shown = samara("phy", "secrecy", "gone.py", folder=tmp_path)
    assert_misuse(shown, "gone.py: there is no such file")
    assert b".py" in assert_done(samara("phy", "secrecy", "--help", folder=tmp_path))
