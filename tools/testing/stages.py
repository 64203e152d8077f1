# SPDX-License-Identifier: Apache-2.0
"""The stages in their order: what is quick to fail comes first.

The second row (`Stage.beside`) begins when the stage c has built what it shares with
stages of that row. What needs the machine for itself comes last.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from testing import formal, lint, mutations
from testing.c_tests import Programs, c_stage
from testing.python_tests import Tests, python_stage
from testing.session import Stage

# What the stages read, beside these tools (`testing.stage_record`).
_C = ("core", "vectors", "cmake", "CMakeLists.txt", "CMakePresets.json", "tests/c")
_PACKAGE = (*_C, "src", "tests/system", "README.md", "LICENSE")
_DEVICES = (*_PACKAGE, "devices", "firmware", "results", "published", "tests/python")
_CHIP = (*_PACKAGE, "rtl", "tests/rtl", "tests/python")
# What starts a command.
_START = ("samara.cli.running", "samara.cli.__main__")
# The files, directories and modules that the Python of a stage begins with
# (`Stage.begins`).
_BEGINS: Mapping[str, tuple[str, ...]] = {
    "vectors": ("tests/system/test_vectors_made.py", "tools/make-vectors/"),
    "amalgamation": ("tests/system/test_amalgamation.py", "tools/amalgamate"),
    "package": (
        *("tests/system/test_package.py", "tests/system/test_packages.py"),
        "tools/package",
    ),
    "arduino": ("tests/system/test_arduino.py", "tools/package"),
    "gnuradio": (
        *("tests/system/test_gnuradio.py", "tests/system/test_companions.py"),
        *("tests/system/test_radios.py", "gr-samara/python/", *_START),
        *("src/samara/cli/node/", "samara.cli.channel", "samara.cli.phy.calibrate"),
    ),
    "bench": ("tests/system/test_bench_results.py", "samara.cli.bench.check", *_START),
    "rtl": ("tests/rtl/",),
    "residue": ("tests/system/test_residue.py", "samara.bench.residue"),
}
# Those that are slow (`Stage.slow`), and those of them for which only imports count
# (`Stage.by_imports`).
_SLOW = {
    *("amalgamation", "package", "arduino", "pip", "gnuradio"),
    *("formal", "bench", "rtl", "residue"),
}
_BY_IMPORTS = {"pip"}


def _system(name: str, *, serial: bool = False, per_processor: float = 1) -> Tests:
    return Tests(
        (f"tests/system/test_{name}.py",),
        each=True,
        serial=serial,
        per_processor=per_processor,
    )


_TESTING: Sequence[Stage] = (
    lint.STAGE,
    python_stage(
        "vectors",
        "vectors/ is what tools/make-vectors writes, with Crypto++ as a second source",
        _system("vectors_made"),
        beside="sanitizers",
        reads=_PACKAGE,
    ),
    c_stage(
        "c",
        "C tests; gcc and clang, -O0 -O2 -O3, and the code for other machines",
        # Each machine's code by one compiler, the one whose tests are faster: the
        # sources are the same for both. What only a build without optimisation finds,
        # calls of what is not there, gcc-O0 finds; clang's code without much of it is
        # that of sanitize-clang-O1.
        Programs(
            "(gcc|clang)-",
            usual=r"gcc-O\d$|clang-O2$|gcc-O2-(ssse3|aesni|vaes256)$"
            r"|clang-O2-(portable64|portable32|flash)$",
            quick=("clang-O2",),
            sets=True,
        ),
        reads=_C,
    ),
    c_stage(
        "sanitizers",
        "C tests with AddressSanitizer and UndefinedBehaviorSanitizer",
        # gcc's sanitizers look for much the same; --all has them.
        Programs("sanitize-", usual=r".*-clang-O1$"),
        reads=_C,
    ),
    c_stage(
        "machines",
        "C tests on emulated machines: s390x, PowerPC, AArch64, RISC-V, Cortex-M",
        # Both byte orders and word sizes, no multiplication, the assembly of ARMv6-M
        # and of ARMv7-M on ARMv8-M. Those of --all take minutes each.
        Programs(
            "machine-",
            usual="machine-(s390x|powerpc|aarch64|riscv32-without-m|cortex-m(23|33))$",
            usual_tests=(
                "^test_(vectors|grain|grain_batch|suites|limits|aead|6lowpan"
                "|chacha20_poly1305|ieee802154_.*)$"
            ),
        ),
        reads=_C,
    ),
    c_stage(
        "constant-time",
        "every public call under valgrind with its secrets undefined",
        Programs(
            "ct-",
            usual=r"ct-\w+-O[23]$|ct-gcc-O2-(adding64|ssse3)$",
            tests="^constant_time",
            targets=("constant_time",),
        ),
        reads=_C,
    ),
    c_stage(
        "fuzz",
        "libFuzzer on all that opens and parses, from a stored corpus",
        Programs("fuzz-", tests="^fuzz_", targets=("fuzzers",), varies=True),
    ),
    python_stage(
        "amalgamation",
        "samara.c compiles as a single file for hosts, AVR and MSP430",
        _system("amalgamation", serial=True),
        beside="sanitizers",
        reads=_PACKAGE,
    ),
    python_stage(
        "package",
        "other projects: what is installed, and each package from its archive alone",
        _system("package", serial=True),
        _system("packages", serial=True),
        beside="sanitizers",
        reads=(
            *(*_PACKAGE, "tests/package", "packages", "docs/packages.md"),
            "tests/python",
        ),
    ),
    python_stage(
        "arduino",
        "the Arduino library: compiled for Uno and Mega, run in simavr",
        _system("arduino", serial=True),
        beside="sanitizers",
        reads=(*_PACKAGE, "tests/package", "packages", "devices", "tests/python"),
    ),
    python_stage(
        "pip",
        "the source distribution and the wheel, each alone: commands, page, results",
        _system("pip", serial=True),
        beside="sanitizers",
        reads=(*_PACKAGE, "devices", "firmware", "results", "published", "rtl", "page"),
    ),
    python_stage(
        "python",
        "pytest on the package, its doctests and these tools",
        # About a quarter of the time nodes wait for the air, and tests for nodes.
        Tests(
            ("tests/python", "tests/tools", "src/samara"),
            per_processor=1.5,
            by_change=True,
        ),
        quick=True,
    ),
    python_stage(
        "crash",
        "nodes killed at random, backups restored: no nonce twice, no replay accepted",
        _system("crash", per_processor=2),
        beside="python",
    ),
    python_stage(
        "gnuradio",
        "the GNU Radio blocks, examples through grcc, radios of software",
        _system("gnuradio"),
        _system("companions"),
        _system("radios"),
        Tests(
            ("gr-samara/python/qa",),
            files="qa_*.py",
            search=("gr-samara/python/qa",),
        ),
        beside="python",
        reads=(*_PACKAGE, "gr-samara", "tests/python", "tests/soapy"),
    ),
    # The stage python lasts longer than all of the second row before these, and its
    # processes often wait.
    formal.STAGE,
    python_stage(
        "bench",
        "ciphers on simulated devices: answers right, figures as committed",
        _system("bench_results", serial=True),
        beside="residue",
        reads=_DEVICES,
    ),
    python_stage(
        "rtl",
        "the Grain-128 core in Icarus and Verilator: answers, stalls, coverage, lint",
        Tests(
            ("tests/rtl/test_rtl.py",),
            each=True,
            search=("tests/rtl", "tests/python"),
        ),
        beside="python",
        reads=_CHIP,
    ),
    python_stage(
        "residue",
        "secrets that calls leave in memory, on simulated devices",
        _system("residue"),
        reads=_DEVICES,
    ),
    python_stage(
        "real-time",
        "sender, channel and listener of samples keep up with the clock",
        _system("real_time", serial=True),
        alone=True,
    ),
)

STAGES: Sequence[Stage] = (
    *(
        replace(
            stage,
            slow=stage.name in _SLOW,
            begins=_BEGINS.get(stage.name, ()),
            by_imports=stage.name in _BY_IMPORTS,
        )
        for stage in _TESTING
    ),
    mutations.stage_for(_TESTING),
)
