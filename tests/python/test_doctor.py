# SPDX-License-Identifier: Apache-2.0
"""`samara doctor` tells what is there, what is missing, and what to install."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
import shell
from vectorfile import ROOT

from samara.bench.toolchain import ToolMissingError, run
from samara.console.api import PAGE
from samara.doctor import DoctorPart, DoctorRequest, examine, machine, packages
from samara.programs import PROGRAMS, SystemFile, package_of
from samara.records import Refusal, Remark, report_script

if TYPE_CHECKING:
    from pathlib import Path


def parts(**asked: bool) -> dict[str, DoctorPart]:
    found = examine(DoctorRequest(**asked))
    return {each.name: each for each in found if isinstance(each, DoctorPart)}


def samara(*words: str) -> shell.Done:
    return shell.samara(*words, folder=ROOT)


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_program_that_is_there_has_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "avr-gcc", 'test "$1" = --version && echo && echo avr 7.1 >&1')
    program(tmp_path, "sta", 'test "$1" = -version && echo 2.5')
    program(tmp_path, "mspdebug", "echo told on stderr >&2")
    monkeypatch.setenv("PATH", str(tmp_path))
    found = parts()
    assert found["avr-gcc"].version == "avr 7.1"
    assert found["sta"].version == "2.5"
    assert found["mspdebug"].version == "told on stderr"
    assert found["avr-gcc"].advice == ""
    assert not found["clang"].is_there
    assert found["clang"].version == ""
    assert found["clang"].advice == "apt-get install clang"


def test_a_program_that_does_not_run_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a cargo of rustup that has no compiler."""
    program(tmp_path, "cargo", "echo no default is configured >&2; exit 1")
    (tmp_path / "avr-gcc").write_bytes(b"no program")
    (tmp_path / "avr-gcc").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    found = parts(missing=True)
    assert found["cargo"].version == "no default is configured"
    assert found["cargo"].advice == (
        "it does not run: set it up, or apt-get install cargo"
    )
    assert found["cargo"].path == str(tmp_path / "cargo")
    assert found["avr-gcc"].version == "Exec format error"


def test_only_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = parts(missing=True)
    assert {each.command for each in PROGRAMS} <= set(found)
    assert all(each.advice for each in found.values())
    assert "numpy" not in found


def test_a_directory_that_cannot_be_made_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    answer = list(examine(DoctorRequest()))
    (refusal,) = [each for each in answer if isinstance(each, Refusal)]
    assert refusal.text.endswith("missing here: directory of $XDG_STATE_HOME")
    assert samara("doctor").returncode == 1


def test_all_is_there_where_the_tests_run() -> None:
    answer = list(examine(DoctorRequest()))
    assert not [each for each in answer if isinstance(each, Refusal)]
    assert [each for each in answer if isinstance(each, Remark)]


def test_json_has_a_line_for_each_part() -> None:
    done = samara("doctor", "--json")
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {line["name"] for line in lines} == set(parts())
    (numpy,) = [line for line in lines if line["name"] == "numpy"]
    assert numpy["is_there"] is True
    assert numpy["needed"] is True
    assert numpy["kind"] == "python-package"


def test_every_program_of_a_device_has_a_package() -> None:
    named = set()
    for path in (ROOT / "devices").rglob("*.toml"):
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        named |= {table[key] for key in ("compiler", "linker") if key in table}
    assert len(named) >= 4
    assert not [each for each in named if package_of(each) is None]


def test_every_extra_of_users_says_what_needs_it() -> None:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = set(table["project"]["optional-dependencies"])
    assert set(packages.EXTRAS) == {""} | (extras - {"docs", "test"})


def test_a_missing_compiler_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ToolMissingError, match="apt-get install gcc-avr avr-libc;"):
        run(["avr-gcc", "--version"])
    with pytest.raises(ToolMissingError, match="install it; samara doctor"):
        run(["no-such-program"])


AES = "aes pclmulqdq ssse3 sse4_1"


@pytest.mark.parametrize(
    ("flags", "sets"),
    [
        (AES, ["AES-NI"]),
        ("aes pclmulqdq ssse3", []),
        ("avx2x bmi2 fpu", []),
        (f"{AES} vaes vpclmulqdq avx2", ["AES-NI"]),
        (f"{AES} vaes vpclmulqdq avx2 bmi2", ["AES-NI", "AVX2", "VAES-256"]),
    ],
)
def test_a_set_of_instructions_needs_all_its_flags(
    flags: str, sets: list[str], tmp_path: Path
) -> None:
    cpu = tmp_path / "cpuinfo"
    cpu.write_text(f"flags : {flags} fpu\n", encoding="utf-8")
    assert machine.sets_of(cpu) == sets
    assert machine.sets_of(tmp_path / "none") == []


@pytest.mark.skipif(platform.machine() != "x86_64", reason="asks such a processor")
def test_the_sets_are_those_that_the_c_library_finds(tmp_path: Path) -> None:
    main, program = tmp_path / "main.c", tmp_path / "sets"
    main.write_text(
        "#include <stdio.h>\n"
        '#include "arch/x86_64/cpu.h"\n'
        'int main(void) { printf("%u", samara_x86_64_sets() & SAMARA_X86_64_SETS); }\n',
        encoding="utf-8",
    )
    core = ROOT / "core"
    includes = (f"-I{core}", f"-I{core}/include")
    source = core / "arch" / "x86_64" / "cpu_x86_64.c"
    command = ["cc", *includes, "-o", str(program), str(main), str(source)]
    subprocess.run(command, check=True)
    done = subprocess.run([program], check=True, capture_output=True)
    names = list(machine.SETS)
    bits = int(done.stdout)
    expected = [name for bit, name in enumerate(names) if bits >> bit & 1]
    assert parts()["instructions of the processor"].version == ", ".join(expected)


def test_a_directory_below_one_that_may_not_be_searched(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    child = os.fork()
    if child == 0:
        status = 2
        try:
            # Root may search every directory.
            if os.getuid() == 0:
                os.setuid(65534)
            status = machine.is_writable(closed / "state" / "samara")
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.slow
def test_the_page_and_files_of_the_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert machine.PAGE == PAGE
    assert parts()["page of the console"].is_there == (PAGE / "index.html").is_file()
    monkeypatch.setattr(report_script, "FOLDER", tmp_path)
    without = parts()["charts of pages"]
    assert not without.is_there
    assert not without.needed
    assert without.advice.startswith("run tools/setup in a clone")
    (tmp_path / "report.js").touch()
    assert parts()["charts of pages"].is_there
    absent = SystemFile("cells", tmp_path / "cells.lib", "some-package", "chip synth")
    found = machine.of_file(absent)
    assert not found.is_there
    assert found.advice == "apt-get install some-package"
    absent.path.touch()
    assert machine.of_file(absent).is_there


def test_a_python_without_its_lock_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "lock of Python (GIL)"
    assert parts()[name].is_there
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    lock = parts()[name]
    assert (lock.is_there, lock.needed) == (False, True)
    assert lock.advice == "start Python without PYTHON_GIL=0 and -X gil=0"


def test_a_broken_c_library_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "samara._core", None)
    answer = list(examine(DoctorRequest()))
    (refusal,) = [each for each in answer if isinstance(each, Refusal)]
    assert refusal.text.endswith("missing here: C library (samara._core)")


@pytest.mark.parametrize("command", ["doctor", "suites"])
def test_no_command_starts_without_the_c_library(command: str) -> None:
    script = (
        "import sys; sys.modules['samara._core'] = None;"
        "from samara.cli.running import run; sys.exit(run(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", script, command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "run pip install --force-reinstall samara" in done.stderr


def test_each_part_has_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(tmp_path, "ent", "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = parts()
    assert found["ent"].path == str(tmp_path / "ent")
    assert found["clang"].path == ""
    assert found["directory of $XDG_DATA_HOME"].path == str(tmp_path / "samara")


@pytest.mark.parametrize(
    ("words", "same"),
    [((), ()), (("seal",), ("seal",)), (("bench", "show"), ("bench", "show"))],
)
def test_help_is_what_the_option_shows(
    words: tuple[str, ...], same: tuple[str, ...]
) -> None:
    helped, shown = samara("help", *words), samara(*same, "--help")
    assert helped.returncode == 0
    assert helped.stdout == shown.stdout
    assert b"Usage: samara" in helped.stdout


def test_help_of_no_command() -> None:
    done = samara("help", "nothing")
    assert done.returncode == 2
    assert b"nothing" in done.stderr


def test_the_short_option_shows_the_version() -> None:
    assert samara("-V").stdout == samara("--version").stdout != b""
