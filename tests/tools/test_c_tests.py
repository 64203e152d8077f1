# SPDX-License-Identifier: Apache-2.0
import io
import subprocess
from pathlib import Path

import pytest

from testing import c_tests, processor
from testing.c_tests import Programs, c_stage, presets
from testing.junit import read_cases
from testing.process import Children, CommandResult
from testing.report import Report
from testing.session import ROOT, Command, Options, Session, Stage
from testing.stages import STAGES

PASSED = """<testsuite><testcase name="one" time="1"><system-out>3 passed, 0 failed
</system-out></testcase></testsuite>"""


class Commands(Session):
    """A session whose commands end well and leave the results of ctest."""

    def command(self, what: str, command: Command, **_: object) -> CommandResult:
        del what
        words = [str(word) for word in command]
        if "--output-junit" in words:
            results = Path(words[words.index("--output-junit") + 1])
            results.parent.mkdir(parents=True, exist_ok=True)
            results.write_text(PASSED)
            RUN.append(words)
        elif words[0] != "ctest":
            RUN.append(words)
        return CommandResult(tuple(words), 0, 0.0, self.build / "listed")


RUN: list[list[str]] = []


def builds_of(stage: Stage, tmp_path: Path, options: Options) -> set[str]:
    """Return the names of the presets that a stage configures."""
    RUN.clear()
    sink = Report(io.StringIO())
    stage.run(Commands(stage.name, options, Children(), sink, tmp_path))
    return {words[2] for words in RUN if words[:2] == ["cmake", "--preset"]}


def selected_programs() -> set[str]:
    return {
        words[words.index("--tests-regex") + 1] for words in RUN if "ctest" in words
    }


@pytest.fixture(autouse=True)
def _elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what is written out of the builds of this project."""
    (tmp_path / "CMakePresets.json").write_text(
        (ROOT / "CMakePresets.json").read_text()
    )
    (tmp_path / "listed").write_text('{"tests": []}')
    monkeypatch.setattr(c_tests, "ROOT", tmp_path)


def named(name: str) -> Stage:
    (found,) = (stage for stage in STAGES if stage.name == name)
    return found


@pytest.mark.parametrize(
    ("name", "usual", "every"),
    [
        ("c", 10, 18),
        ("sanitizers", 1, 14),
        ("constant-time", 6, 34),
        ("machines", 6, 11),
        ("fuzz", 1, 1),
    ],
)
def test_each_stage_has_its_builds(
    name: str, usual: int, every: int, tmp_path: Path
) -> None:
    assert len(builds_of(named(name), tmp_path, Options())) == usual
    assert len(builds_of(named(name), tmp_path, Options(thorough=True))) == every


def test_the_quick_form_has_one_build(tmp_path: Path) -> None:
    assert builds_of(named("c"), tmp_path, Options(quick=True)) == {"clang-O2"}


def test_a_build_and_a_program_are_selected(tmp_path: Path) -> None:
    options = Options(only="clang-O3 test_aead")
    assert builds_of(named("c"), tmp_path, options) == {"clang-O3"}
    assert selected_programs() == {"^(test_aead)$"}


def test_a_build_that_does_not_exist_is_a_program_that_ctest_refuses(
    tmp_path: Path,
) -> None:
    builds_of(named("c"), tmp_path, Options(only="gcc-02"))
    assert selected_programs() == {"^(gcc-02)$"}
    assert all("--no-tests=error" in words for words in RUN if words[0] == "ctest")


def test_every_preset_for_tests_has_a_stage() -> None:
    others = {"release", "develop", "lint"}
    kinds = ("gcc-", "clang-", "sanitize-", "ct-", "machine-", "fuzz-")
    assert all(name.startswith(kinds) for name in set(presets()) - others)


def test_a_build_that_forgot_its_preset_is_configured_anew(tmp_path: Path) -> None:
    """CMake ends well then, and no program is there to run."""
    (tmp_path / "listed").write_text(
        "You have changed variables that require your cache to be deleted."
    )
    builds_of(named("c"), tmp_path, Options(only="gcc-O2"))
    configured = [words for words in RUN if words[:2] == ["cmake", "--preset"]]
    assert [words[-1] for words in configured] == ["gcc-O2", "--fresh"]


def test_code_that_this_processor_cannot_run_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cpu = tmp_path / "cpuinfo"
    cpu.write_text("model name\t: one\nflags\t\t: fpu aes avx avx2 vaes\n" * 2)
    monkeypatch.setattr(processor, "_CPU", cpu)
    sink = io.StringIO()
    session = Commands("c", Options(), Children(), Report(sink), build=tmp_path)
    named("c").run(session)
    assert session.tally.skipped == 2
    told = [line for line in sink.getvalue().splitlines() if "SKIPPED" in line]
    assert ["AVX-512:" in told[0], "VBMI2:" in told[1]] == [True, True]


def test_checks_are_counted_by_the_programs_last_line(tmp_path: Path) -> None:
    session = Commands(
        "c", Options(), Children(), Report(io.StringIO()), build=tmp_path
    )
    c_stage("c", "", Programs("gcc-O[02]$")).run(session)
    assert (session.tally.passed, session.tally.failed) == (6, 0)


def test_ctest_runs_the_selected_program_alone(tmp_path: Path) -> None:
    """Ask ctest itself: it ignores what it does not know."""
    (tmp_path / "CTestTestfile.cmake").write_text(
        "add_test(one true)\nadd_test(two false)"
    )
    build = c_tests._Build("", "^(one)$", (), 1)  # noqa: SLF001
    results = tmp_path / "results.xml"
    command = c_tests._ctest(build, results, 60)  # noqa: SLF001
    words = [str(tmp_path) if word == build.folder else word for word in command]
    assert subprocess.run(words, stdout=subprocess.DEVNULL, check=False).returncode == 0
    assert [case.name for case in read_cases(results)] == ["one"]
