# SPDX-License-Identifier: Apache-2.0
"""The source distribution and the wheel, each taken by somebody who has it alone.

The source distribution is unpacked elsewhere and built there. The wheel is installed
into an environment with samara's own dependencies and nothing else, and its commands
run in an empty directory with an empty home. So is the wheel of each other Python that
pyproject.toml names and tools/setup has found, with some of the commands.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement
from programs import ROOT, TIMEOUT_S, VENV, Done, run

from samara.bench import devices, preprocessed, running, subjects
from samara.cli.commands import COMMANDS, commands_in
from testing.shared_caches import TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterable

# One call of each command that does something without hardware, and what it says. The
# last word is the exit status.
KEY = "000102030405060708090a0b0c0d0e0f"
GNU_RADIO = "apt-get install gnuradio"
CALLS = {
    "demo": ("demo", "pip install 'samara[serial]'", 2),
    "node init": ("node init a --link ieee802154", "a: made", 0),
    "node status": ("node status a", "node a", 0),
    "node devices": (
        "node devices a.h b.h --link rf-serial",
        "b.h: the provisioning record of a device",
        0,
    ),
    "node export": ("node export nowhere record.h", "nowhere", 2),
    "node send": ("node send nowhere text", "nowhere", 2),
    "radio modules": ("radio modules hc-12", "HC-12 user manual", 0),
    "radio setup": ("radio setup /nowhere --module hc-12 --dry-run", "AT+FU3", 0),
    "radio list": ("radio list", "pip install 'samara[serial]'", 2),
    "radio probe": (
        "radio probe spinel:/nowhere",
        "pip install 'samara[serial]'",
        2,
    ),
    "receipt explain": (
        "receipt explain --link ieee802154 --bytes 20 --device atmega128",
        "aes128-ccm-4",
        0,
    ),
    "frame inspect": ("frame inspect 41882a2143020001003231", "frame of 11 bytes", 0),
    "pcap open": ("pcap open no.pcap out.pcap --keys k.toml", "no.pcap: No such", 2),
    "channel": ("channel", "pip install 'samara[phy]'", 2),
    "phy ber": ("phy ber", GNU_RADIO, 2),
    "phy reuse": ("phy reuse", GNU_RADIO, 2),
    "phy secrecy": ("phy secrecy ple", GNU_RADIO, 2),
    "phy speed": ("phy speed", GNU_RADIO, 2),
    "energy check": ("energy check", "beside the model", 0),
    "energy airtime": ("energy airtime", "duty cycle", 0),
    "energy depends": ("energy depends", "depend on", 0),
    "energy intervals": ("energy intervals", "interval", 0),
    "energy life": ("energy life", "Life of 2xaa-alkaline", 0),
    "energy message": ("energy message", "One message", 0),
    "energy network": ("energy network", "Networks: tree", 0),
    "energy parts": ("energy parts", "at86rf231", 0),
    "energy paper": ("energy paper", "Altolini", 0),
    "energy receipts": ("energy receipts", "A message of 20 bytes", 0),
    "energy store": ("energy store", "Take step 2", 0),
    "energy trace": ("energy trace no.csv", "no.csv", 2),
    "advise": ("advise --device atmega328p", "Take ", 0),
    "firmware cost": ("firmware cost nowhere", "nowhere is no project", 2),
    "firmware new": ("firmware new sensor", "sensor: made", 0),
    "firmware run": ("firmware run nowhere", "nowhere is no project", 2),
    "firmware size": ("firmware size nowhere", "nowhere is no project", 2),
    "randomness sources": ("randomness sources", "Mersenne Twister", 0),
    "randomness show": ("randomness show", "grain128ple", 0),
    "bench best": ("bench best", "public", 0),
    "bench devices": ("bench devices", "atmega328p", 0),
    "bench interrupts": (
        "bench interrupts --device cortex-m0 --implementation engine",
        "none of these devices has such an implementation",
        2,
    ),
    "bench published": ("bench published", "modspeck", 0),
    "bench report": ("bench report", "index.html", 0),
    "bench run": (
        "bench run --suite aes128-ccm-8 --device atmega128 --message 16 --ad 0",
        "pip install 'samara[bench]'",
        1,
    ),
    "bench show": (
        "bench show --device atmega128 --suite aes128-ccm-8 --message 64",
        "atmega128",
        0,
    ),
    "chip compare": ("chip compare", "Grain-128AEAD", 0),
    "chip cores": ("chip cores", "grain-n8", 0),
    "chip power": ("chip power", "pip install 'samara[chip]'", 2),
    "chip synth": ("chip synth", "pip install 'samara[chip]'", 2),
    "suites": ("suites", "ascon-aead128", 0),
    "block": (
        f"block aes128 encrypt --key {KEY} 00112233445566778899aabbccddeeff",
        "69c4e0d86a7b0430d8cdb78070b4c55a",
        0,
    ),
    "keygen": ("keygen aes128-ccm-8 -o key", "", 0),
    "seal": ("seal aes128-ccm-8 --key @key -i key -o sealed", "", 0),
    "open": ("open aes128-ccm-8 --key @key -i sealed -o opened", "", 0),
    "tour": ("tour", "forgery", 0),
    "help": ("help bench show", "Usage: samara bench show", 0),
    "man": ("man share", "share/man/man1", 0),
    "doctor": ("doctor --json", "pip install 'samara[serial]'", 0),
}
# The device of `bench show`, whose sources are preprocessed by the installed package.
PREPROCESSED_ANEW = "atmega128"
# Of these a wheel for another Python is asked, which is compiled from the same sources:
# one of each kind, and all that computes with NumPy, of which it may have another.
ASKED_OF_OTHERS = (
    *("node init", "receipt explain", "frame inspect", "energy check", "energy life"),
    *("energy network", "advise", "firmware new", "randomness sources", "bench show"),
    *("chip compare", "block", "keygen", "seal", "open", "tour", "man", "doctor"),
)
KNOWN_ANSWERS = """
from samara import crypto
from samara.errors import AuthenticationError

# RFC 3610, packet vector 1: another length of tag and field than the default.
key, nonce = bytes(range(0xC0, 0xD0)), bytes.fromhex("00000003020100a0a1a2a3a4a5")
header, message = bytes(range(8)), bytes(range(8, 31))
suite = crypto.suite("aes128-ccm-8")
sealed = suite.seal(key, nonce, message, header)
assert sealed.hex() == (
    "588c979a61c663d2f066d0c2c0f989806d5f6b61dac38417e8d12cfdf926e0"
), sealed.hex()
assert suite.open(key, nonce, sealed, header) == message
for damaged in (sealed[:-1] + bytes([sealed[-1] ^ 1]), sealed[:4]):
    try:
        suite.open(key, nonce, damaged, header)
    except AuthenticationError:
        continue
    raise SystemExit("a forgery was opened")
print("as in RFC 3610")
"""
FOREIGN = ROOT / "tests" / "package" / "python"
BACK_END = """
import os, sys
os.chdir(sys.argv[1])
from scikit_build_core.build import build_sdist
print(build_sdist(sys.argv[2]))
"""


def commands() -> list[str]:
    """Return all commands, those of folders with the folder's name."""
    found = []
    for row in COMMANDS:
        if ":" in row.place:
            found.append(row.name)
        else:
            found += [f"{row.name} {each.name}" for each in commands_in(row.place)]
    return found


@dataclass(frozen=True)
class Environment:
    """A virtual environment with an installed samara."""

    folder: Path
    home: Path

    def samara(self, *words: str) -> Done:
        """Run a command in an empty directory; return its two streams as one."""
        place = self.home / "work"
        place.mkdir(exist_ok=True)
        return subprocess.run(
            [self.folder / "bin" / "samara", *words],
            cwd=place,
            env=self.variables(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )

    def variables(self) -> dict[str, str]:
        """Return the environment variables of a user who has set none."""
        return {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "COLUMNS": "200"}


@dataclass(frozen=True)
class Interpreter:
    """A Python, with the packages that samara needs."""

    python: Path
    version: str
    """Such as 3.12."""
    path: tuple[str, ...]
    """Where its packages are."""

    def distribution(self, name: str) -> importlib.metadata.Distribution:
        """Return an installed package."""
        found = importlib.metadata.distributions(name=name, path=list(self.path))
        return next(iter(found))

    def needed(self, requirements: Iterable[str], extra: str = "") -> set[str]:
        """Return packages that are required, and what these need in turn."""
        found: set[str] = set()
        for line in requirements:
            each = Requirement(line)
            variables = {"extra": extra, "python_version": self.version}
            if each.marker is None or each.marker.evaluate(variables):
                wanted = self.distribution(each.name).requires or ()
                found |= {each.name} | self.needed(wanted, *each.extras)
        return found


OWN = Interpreter(
    VENV / "python", ".".join(map(str, sys.version_info[:2])), tuple(sys.path)
)


def supported() -> list[str]:
    """Return the versions of Python that the package names."""
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    words = [line.split(" :: ") for line in table["project"]["classifiers"]]
    return [last for *_, language, last in words if language == "Python"]


@pytest.fixture(
    scope="module", params=[each for each in supported() if each != OWN.version]
)
def other(request: pytest.FixtureRequest) -> Interpreter:
    """Return another Python; its packages are its own, NumPy among them."""
    version = request.param
    folder = ROOT / "build" / f"python-{version}"
    if not (folder / "packages.stamp").exists():
        pytest.skip(
            f"NOT TRIED: tools/setup found no Python {version} in PATH or of pyenv"
        )
    packages = folder / "lib" / f"python{version}" / "site-packages"
    return Interpreter(folder / "bin" / "python", version, (str(packages),))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    name = run(VENV / "python", "-c", BACK_END, ROOT, folder).split()[-1]
    return folder / name


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unpacked_in(tmp_path_factory.mktemp("unpacked"), sdist)


def unpacked_in(folder: Path, sdist: Path) -> Path:
    run("tar", "-xzf", sdist, "-C", folder)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a wheel of nothing but the source distribution."""
    return built_in(tmp_path_factory.mktemp("wheel"), unpacked, shared_by(unpacked))


def shared_by(unpacked: Path) -> dict[str, str]:
    """Let two directories with the same sources share what was compiled."""
    return {"CCACHE_BASEDIR": str(unpacked), "CCACHE_NOHASHDIR": "1"}


def shared_with_no_other_directory() -> dict[str, str]:
    """Let a directory have from ccache only what was compiled there."""
    return {"CCACHE_BASEDIR": "", "CCACHE_HASHDIR": "1", "CCACHE_SLOPPINESS": ""}


def another_place() -> Path:
    """Return an empty directory, which has the same path in each run."""
    folder = ROOT / "build" / "test" / "pip" / "another place"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def built_in(
    folder: Path, unpacked: Path, variables: dict[str, str], by: Interpreter = OWN
) -> Path:
    """Build the wheel of an unpacked source distribution."""
    run(
        *(by.python, "-m", "pip", "wheel", "-q", "--no-build-isolation"),
        *("--no-deps", "--no-index", "-w", folder, unpacked),
        **variables,
    )
    (found,) = folder.iterdir()
    return found


def test_the_same_wheel_twice(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    """In another directory, by a clock of another zone.

    From ccache comes only what was compiled in that very directory, now or before: its
    path is part of what ccache looks for. Of a source that asks for the time, ccache
    keeps nothing.
    """
    variables = {"TZ": "Asia/Kathmandu", **shared_with_no_other_directory()}
    again = built_in(tmp_path / "made", unpacked_in(another_place(), sdist), variables)
    assert again.name == wheel.name
    assert parts_of(again) == parts_of(wheel)
    assert again.read_bytes() == wheel.read_bytes()


def parts_of(wheel: Path) -> dict[str, tuple[object, ...]]:
    """Return time, permissions and check value of each file: more is told by these."""
    with zipfile.ZipFile(wheel) as archive:
        return {
            each.filename: (each.date_time, each.external_attr, each.CRC)
            for each in archive.infolist()
        }


def environment(
    folder: Path, wheel: Path, extra: str = "", by: Interpreter = OWN
) -> Environment:
    """Install a wheel beside its dependencies, which are linked and not copied."""
    run(by.python, "-m", "venv", "--without-pip", folder / "venv")
    (packages,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for name in by.needed(importlib.metadata.requires("samara") or (), extra):
        dist = by.distribution(name)
        for top in modules_of(dist):
            target, link = Path(str(dist.locate_file(top))), packages / top
            if target.exists() and not link.exists():
                link.symlink_to(target)
    python = folder / "venv" / "bin" / "python"
    run(
        *(by.python, "-m", "pip", "--python", python, "install", "-q"),
        *("--no-index", "--no-deps", wheel),
    )
    home = folder / "home"
    home.mkdir()
    return Environment(folder / "venv", home)


def modules_of(dist: importlib.metadata.Distribution) -> set[str]:
    """Return what a package puts beside others. Debian's own list no files."""
    if dist.files is None:
        return set((dist.read_text("top_level.txt") or "").split())
    return {path.parts[0] for path in dist.files} - {"..", "__pycache__"}


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Return an environment without any extra."""
    made = environment(tmp_path_factory.mktemp("bare"), wheel)
    share_texts(made)
    return made


def share_texts(made: Environment) -> None:
    """Let an environment and the clone share what preprocessors told of sources.

    What is told holds for a file of the same hash, and to ask anew for all devices but
    one is minutes of `bench report`. The stage python asks the same, perhaps now.
    """
    TEXTS.bring(ROOT)
    texts = made.home / ".local" / "share" / "samara" / "build" / "bench" / "texts"
    texts.mkdir(parents=True)
    tasks = running.plan(devices.devices(), subjects.subjects())
    for build in {each.build for each in tasks}:
        if build.device.name != PREPROCESSED_ANEW:
            shared = preprocessed.folder(build)
            shared.mkdir(parents=True, exist_ok=True)
            place = texts / shared.name
            if not place.exists():
                place.symlink_to(shared)


def test_the_calls_are_those_of_commands() -> None:
    assert set(CALLS) < set(commands())


def test_the_commands_of_an_installed_package(bare: Environment) -> None:
    """In their order: some read what others have made."""
    for call in CALLS.values():
        check_call(bare, *call)
    place = bare.home / "work"
    assert (place / "opened").read_bytes() == (place / "key").read_bytes()


def check_call(installed: Environment, line: str, expected: str, status: int) -> None:
    """Call a command; it ends and says as expected."""
    done = installed.samara(*line.split())
    assert done.returncode == status, f"{line}: {done.returncode}\n{done.stdout}"
    assert expected in done.stdout, f"{line}:\n{done.stdout}"
    assert "Traceback" not in done.stdout


def test_the_wheel_of_another_python(
    other: Interpreter, unpacked: Path, tmp_path: Path
) -> None:
    """Its module seals and opens as RFC 3610 does, and its commands work."""
    wheel = built_in(tmp_path / "made", unpacked, shared_by(unpacked), other)
    assert f"-cp{other.version.replace('.', '')}-" in wheel.name
    installed = environment(tmp_path, wheel, by=other)
    python = installed.folder / "bin" / "python"
    assert run(python, "-V").startswith(f"Python {other.version}.")
    assert run(python, "-c", KNOWN_ANSWERS) == "as in RFC 3610\n"
    for name in ASKED_OF_OTHERS:
        check_call(installed, *CALLS[name])
    place = installed.home / "work"
    assert (place / "opened").read_bytes() == (place / "key").read_bytes()


def test_another_python_has_its_own_numpy(other: Interpreter) -> None:
    """NumPy 1 has no wheel for Python 3.13: samara takes either."""
    major = int(other.distribution("numpy").version.split(".")[0])
    assert major == (2 if float(other.version[2:]) >= 13 else 1)


def test_the_help_of_an_installed_package(bare: Environment) -> None:
    """Of those that measure, serve, or need hardware or a long time."""
    others = sorted(set(commands()) - set(CALLS))
    assert others
    for name in others:
        done = bare.samara(*name.split(), "--help")
        assert done.returncode == 0, f"{name}:\n{done.stdout}"
        assert "Usage: samara" in done.stdout


def test_results_are_those_of_the_clone(bare: Environment) -> None:
    line = (
        "bench show --device cortex-m3 --suite grain128aead --message 64 --ad 0 --json"
    )
    there = bare.samara(*line.split()).stdout
    here = run(VENV / "samara", *line.split())
    assert [json.loads(each) for each in there.splitlines()] == [
        json.loads(each) for each in here.splitlines()
    ]
    assert here.count("\n") > 2


def test_a_foreign_program_is_checked_by_the_types(
    bare: Environment, tmp_path: Path
) -> None:
    """It runs, and mypy accepts it; in the other one mypy finds each error."""
    python = bare.folder / "bin" / "python"
    shutil.copytree(FOREIGN, tmp_path, dirs_exist_ok=True)
    checking = (VENV / "python", "-m", "mypy", "--strict", "--python-executable")
    settings = ("--config-file", os.devnull, "--cache-dir", tmp_path / "cache")
    for name, errors in (("foreign", 0), ("wrong", 3)):
        done = subprocess.run(
            [*checking, python, *settings, tmp_path / f"{name}.py"],
            cwd=tmp_path,
            env=bare.variables(),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        assert done.stdout.count(": error: ") == errors, done.stdout + done.stderr
        assert done.returncode == bool(errors)
    assert "21.5 C" in run(python, tmp_path / "foreign.py")


def test_the_manual_of_an_installed_package(bare: Environment) -> None:
    """The wheel has put there what `samara man` writes."""
    bare.samara("man", "shown")
    shown, share = bare.home / "work" / "shown", bare.folder / "share"
    written = [path for path in shown.rglob("*") if path.is_file()]
    assert len(written) > 20
    for path in written:
        assert (share / path.relative_to(shown)).read_bytes() == path.read_bytes()


def test_what_is_made_goes_to_the_user(bare: Environment) -> None:
    bare.samara("bench", "show", "--device", PREPROCESSED_ANEW)
    made = bare.home / ".local" / "share" / "samara" / "build" / "bench"
    assert list(made.glob(f"texts/{PREPROCESSED_ANEW}-*"))
    (packages,) = (bare.folder / "lib").glob("python*/site-packages")
    assert not (packages / "samara" / "tree" / "build").exists()


def test_the_page_of_the_console_is_in_the_wheel(wheel: Path, tmp_path: Path) -> None:
    """The console of an installed package serves the page that the clone has built."""
    built = ROOT / "src" / "samara" / "console" / "dist"
    assert built.is_dir(), "the page is not built: run tools/setup"
    installed = environment(tmp_path, wheel, "console")
    program = installed.folder / "bin" / "samara"
    with subprocess.Popen(
        [program, "console", "--port", "0"],
        cwd=installed.home,
        env=installed.variables() | {"PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        said = next(line for line in process.stdout if "http://" in line)
        address = re.search(r"http://\S+", said)
        assert address, said
        with urllib.request.urlopen(address[0], timeout=TIMEOUT_S) as answer:  # noqa: S310 - its own
            page = answer.read()
        process.terminate()
    assert page == (built / "index.html").read_bytes()


def test_a_source_distribution_is_made_the_same_twice(
    sdist: Path, tmp_path: Path
) -> None:
    run(VENV / "python", "-c", BACK_END, ROOT, tmp_path)
    (again,) = tmp_path.iterdir()
    assert again.name == sdist.name
    assert digest(again) == digest(sdist)


def test_a_source_distribution_has_all_of_git_and_the_page(sdist: Path) -> None:
    """It has nothing that Git ignores, but for the page."""
    root = sdist.name.removesuffix(".tar.gz")
    held = {
        name.removeprefix(f"{root}/")
        for name in run("tar", "-tzf", sdist).splitlines()
        if not name.endswith("/")
    }
    built = ("src/samara/console/dist/", "src/samara/records/dist/")
    listed = run(
        "git",
        "-C",
        ROOT,
        "ls-files",
        "--cached",
        "--others",
        "--exclude-standard",
        "-z",
    )
    assert {f"{built[0]}index.html", f"{built[1]}report.js"} <= held
    more = {name for name in held if not name.startswith(built)} - {"PKG-INFO"}
    assert more == set(listed.split("\0")) - {""}


def test_the_wheel_has_no_caches_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert not [name for name in names if "__pycache__" in name or "/tests/" in name]
    assert any(name.endswith("tree/results/atmega128.jsonl") for name in names)
    assert {f"samara/records/dist/report.{kind}" for kind in ("js", "css")} <= {*names}
    assert f"cp{sys.version_info.major}{sys.version_info.minor}-" in wheel.name


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_clone_is_preferred_to_the_package(bare: Environment) -> None:
    """SAMARA_ROOT names a clone; a wrong one is told."""
    variables = bare.variables() | {"SAMARA_ROOT": "/nowhere"}
    done = subprocess.run(
        [bare.folder / "bin" / "samara", "bench", "devices"],
        env=variables,
        cwd=bare.home,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 2
    assert "SAMARA_ROOT is /nowhere, which is no clone" in done.stderr
    assert os.linesep in done.stderr
