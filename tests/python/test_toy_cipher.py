# SPDX-License-Identifier: Apache-2.0
"""A cipher is added to a copy of samara by docs/ciphers.md alone: five files."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from copied import SITECUSTOMIZE

from testing.compiler_cache import same_in_all_clones

ROOT = Path(__file__).resolve().parents[2]
TOY = ROOT / "tests" / "toy_cipher"

ROW = """
AEAD(toy_aead, "toy-aead", SAMARA_RESEARCH, "tests/toy_cipher",
     "research only; a toy", NULL)
"""
SECTION = """
## Toy

`toy-aead`: key 16, nonce 14, tag 8. Protects nothing.
"""

# The five files of the documentation, and samara.h, which includes the first.
TOUCHED = {
    "core/include/samara/toy_aead.h",
    "core/include/samara/samara.h",
    "core/aead/toy_aead.c",
    "core/host/registry.def",
    "vectors/toy-aead.txt",
    "docs/ciphers.md",
}

# What is built or changed; the rest is linked.
COPIED = ("CMakeLists.txt", "cmake", "core", "docs", "vectors")
LINKED = ("devices", "firmware", "published", "results", "tests", "tools")

# Those that read the rows of the registry.
C_PROGRAMS = (
    *("test_aead", "test_empty", "test_limits", "test_rfserial", "test_suites"),
    *("test_truncated", "test_vectors", "test_ieee802154_states"),
    *("constant_time", "every_call_checked", "residue"),
)


def permute(x: list[int]) -> None:
    def rotate(word: int, count: int) -> int:
        return (word << count | word >> (32 - count)) & 0xFFFFFFFF

    for i in range(4):
        x[0] = (x[0] + (x[1] ^ i)) & 0xFFFFFFFF
        x[3] = rotate(x[3] ^ x[0], 16)
        x[2] = (x[2] + x[3]) & 0xFFFFFFFF
        x[1] = rotate(x[1] ^ x[2], 12)


def add(x: list[int], data: bytes) -> None:
    words = data.ljust(16, b"\0")
    for i in range(4):
        x[i] ^= int.from_bytes(words[4 * i : 4 * i + 4], "little")
    permute(x)


def seal(key: bytes, nonce: bytes, ad: bytes, message: bytes) -> tuple[bytes, bytes]:
    """Return the toy's ciphertext and tag, as tests/toy_cipher has them in C."""
    x = [0, 0, 0, 0]
    add(x, key)
    add(x, nonce)
    for byte in ad:
        add(x, bytes([byte]))
    x[3] ^= 1
    ciphertext = bytearray()
    for byte in message:
        ciphertext.append(byte ^ x[0] & 0xFF)
        add(x, bytes([byte]))
    add(x, key)
    return bytes(ciphertext), b"".join(word.to_bytes(4, "little") for word in x[:2])


def vectors() -> str:
    """Return known answers, and one that must be refused."""
    lines = ["# Origin: the model in tests/python/test_toy_cipher.py.", "[toy-aead]"]
    key, nonce = bytes(range(16)), bytes(range(14))
    for size in (0, 1, 15, 16, 17, 40):
        message, ad = bytes(range(size)), bytes(range(size // 2))
        ciphertext, tag = seal(key, nonce, ad, message)
        wrong = bytes([tag[0] ^ 1]) + tag[1:]
        for name, written, result in (
            ("sealed", tag, "pass"),
            ("forged", wrong, "fail"),
        ):
            fields = {
                "name": f"{name} {size}",
                "key": key.hex(),
                "nonce": nonce.hex(),
                "ad": ad.hex(),
                "message": message.hex(),
                "ciphertext": ciphertext.hex(),
                "tag": written.hex(),
                "result": result,
            }
            lines += ["", *(f"{field} = {value}" for field, value in fields.items())]
    return "\n".join(lines) + "\n"


def changed(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path}: {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


@dataclass(frozen=True)
class Copy:
    """A copy of the repository in which the toy was added."""

    root: Path

    def run(self, *command: str | Path, **extra: str) -> str:
        """Run a command there and return what it wrote."""
        shared = same_in_all_clones(self.root)
        environment = {**os.environ, **shared, "SAMARA_ROOT": str(self.root), **extra}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def python(self, module: str, *arguments: str | Path) -> str:
        """Run a module of the copy's package."""
        package = self.root / "package"
        (package / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")
        command = (sys.executable, "-m", module, *arguments)
        return self.run(*command, PYTHONPATH=str(package))


def copy_tree(root: Path) -> Copy:
    root.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, root / name)
        else:
            shutil.copy(source, root / name)
    for name in LINKED:
        (root / name).symlink_to(ROOT / name)
    return Copy(root)


def add_toy(copy: Copy) -> None:
    """Do the five steps of docs/ciphers.md, "Adding a cipher"."""
    core = copy.root / "core"
    shutil.copy(TOY / "toy_aead.h", core / "include" / "samara")
    changed(
        core / "include" / "samara" / "samara.h",
        "#include <samara/speck.h>\n",
        "#include <samara/speck.h>\n#include <samara/toy_aead.h>\n",
    )
    shutil.copy(TOY / "toy_aead.c", core / "aead")
    # In the middle of the table: no test may depend on a row's place.
    row = 'AEAD(ascon_aead128, "ascon-aead128"'
    changed(core / "host" / "registry.def", row, f"{ROW.strip()}\n{row}")
    (copy.root / "vectors" / "toy-aead.txt").write_text(vectors(), encoding="utf-8")
    changed(copy.root / "docs" / "ciphers.md", "\n## Modes\n", f"{SECTION}\n## Modes\n")


def build(copy: Copy) -> None:
    """Build the library and the C tests that read the registry."""
    copy.run(
        *("cmake", "-S", ".", "-B", "build/toy", "-G", "Ninja"),
        *("-DSAMARA_TESTS=ON", "-DCMAKE_C_FLAGS=-O1", "-DSAMARA_WERROR=ON"),
    )
    programs = [name for name in C_PROGRAMS if name != "every_call_checked"]
    copy.run("ninja", "-C", "build/toy", "samara", "amalgamation", *programs)


def link_extension(copy: Copy) -> None:
    """Link the objects of the installed extension with the copy's library."""
    made = ROOT / "build" / "python"
    said = copy.run("ninja", "-C", made, "-t", "commands")
    (link,) = (
        line for line in said.splitlines() if re.search(r" -o \S*_core\.\S+\.so ", line)
    )
    words = shlex.split(link.removeprefix(": && ").removesuffix(" && :"))
    output = words.index("-o") + 1
    shutil.copytree(
        ROOT / "src" / "samara",
        copy.root / "package" / "samara",
        ignore=shutil.ignore_patterns("native", "__pycache__"),
    )
    words[output] = str(copy.root / "package" / "samara" / Path(words[output]).name)
    (library,) = (at for at, word in enumerate(words) if word.endswith("libsamara.a"))
    words[library] = str(copy.root / "build" / "toy" / "core" / "libsamara.a")
    subprocess.run(words, cwd=made, check=True)


def check_files(copy: Copy) -> None:
    """Check that no file differs but those that the documentation names."""
    found = {
        path.relative_to(copy.root).as_posix()
        for name in COPIED
        for path in (copy.root / name).rglob("*")
        if path.is_file() and differs(path, ROOT / path.relative_to(copy.root))
    }
    assert found == TOUCHED


def differs(path: Path, original: Path) -> bool:
    return not original.is_file() or original.read_bytes() != path.read_bytes()


def check_c_programs(copy: Copy) -> None:
    pattern = "|".join(f"^{name}$" for name in C_PROGRAMS)
    said = copy.run(
        *("ctest", "--test-dir", "build/toy", "-R", pattern, "--output-on-failure"),
        "--no-tests=error",
    )
    assert f"out of {len(C_PROGRAMS)}\n" in said
    amalgamation = (copy.root / "build/toy/amalgamation/samara.c").read_text("utf-8")
    assert "samara_result samara_toy_aead_seal(" in " ".join(amalgamation.split())


def check_python(copy: Copy) -> None:
    """Check that Python finds the row, its vectors and its section."""
    assert "toy-aead" in copy.python("samara.cli", "suites")
    tests = copy.root / "python_tests"
    tests.mkdir()
    for name in ("test_registry.py", "test_vectors.py", "vectorfile.py"):
        text = (ROOT / "tests" / "python" / name).read_text(encoding="utf-8")
        text = text.replace("parents[2]", "parents[1]")
        (tests / name).write_text(text, encoding="utf-8")
    said = copy.python("pytest", "-q", "-p", "no:cacheprovider", "-k", "toy", tests)
    assert re.search(r"^[1-9][0-9]* passed", said, re.MULTILINE), said


def check_bench(copy: Copy) -> None:
    """Check that the bench runs it on a device: alone, and securing frames."""
    store = copy.root / "measured.jsonl"
    copy.python(
        *("samara.cli", "bench", "run", "--device", "atmega328p", "--opt", "Os"),
        *("--suite", "toy-aead", "--suite", "ieee802154-toy-aead-8"),
        *("--message", "16", "--ad", "14", "--store", store),
    )
    rows = [json.loads(line) for line in store.read_text("utf-8").splitlines()]
    measured = {row["suite"]: row for row in rows if "cycles" in row}
    assert set(measured) == {"toy-aead", "ieee802154-toy-aead-8"}
    assert all(row["constant_time"] for row in measured.values())


# One test, because each step needs the build before it.
@pytest.mark.slow
def test_a_cipher_is_five_files(tmp_path: Path) -> None:
    copy = copy_tree(tmp_path / "samara")
    add_toy(copy)
    check_files(copy)
    build(copy)
    check_c_programs(copy)
    link_extension(copy)
    check_python(copy)
    check_bench(copy)
