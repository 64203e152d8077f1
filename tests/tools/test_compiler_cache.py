# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from testing.compiler_cache import same_in_all_clones, use_compiler_cache

LINKS = Path("/usr/lib/ccache")
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {**os.environ, "PATH": "/usr/bin:/bin"})


def test_the_links_come_first_and_once(tmp_path: Path) -> None:
    use_compiler_cache(tmp_path)
    use_compiler_cache(tmp_path)
    assert os.environ["PATH"] == f"{tmp_path}:/usr/bin:/bin"


def test_without_ccache_compilers_are_found_as_before(tmp_path: Path) -> None:
    use_compiler_cache(tmp_path / "nothing")
    assert os.environ["PATH"] == "/usr/bin:/bin"


@pytest.mark.skipif(not LINKS.is_dir(), reason="ccache is not installed")
def test_a_clone_has_what_another_one_compiled(tmp_path: Path) -> None:
    cache = {**os.environ, "CCACHE_DIR": str(tmp_path / "cache")}
    for name in ("one", "two"):
        root = tmp_path / name
        (root / "build").mkdir(parents=True)
        (root / "source.c").write_text("int three(void) { return 3; }\n")
        source = str(root / "source.c")
        command = [str(LINKS / "gcc"), "-g", "-c", source, "-o", "object.o"]
        environment = {**cache, **same_in_all_clones(root)}
        subprocess.run(command, cwd=root / "build", env=environment, check=True)
    assert counted(cache) == (1, 1)


_ONE_UNIT = """
from samara.bench import building, devices, subjects, units, ways

first = units.measured(subjects.subject("aes128"))[0]
units.measured = lambda subject: [first]
build = ways.Build(devices.device("cortex-m4"), "portable", "Os")
print(*building.objects(build, subjects.subject("aes128")))
"""


@pytest.mark.skipif(not LINKS.is_dir(), reason="ccache is not installed")
def test_a_clone_has_what_another_one_compiled_for_a_device(tmp_path: Path) -> None:
    cache = {**os.environ, "CCACHE_DIR": str(tmp_path / "cache")}
    cache["PATH"] = f"{LINKS}:{os.environ['PATH']}"
    contents = []
    for name in ("one", "two"):
        root = tmp_path / name
        root.mkdir()
        for folder in ("core", "devices", "firmware", "published"):
            shutil.copytree(ROOT / folder, root / folder)
        found = {"SAMARA_ROOT": str(root)}
        words = [sys.executable, "-c", _ONE_UNIT]
        made = subprocess.check_output(
            words, env={**cache, **found}, text=True, cwd=tmp_path
        )
        assert Path(made.strip()).is_relative_to(root)
        contents.append(Path(made.strip()).read_bytes())
    assert contents[0] == contents[1]
    assert counted(cache) == (1, 1)


def counted(cache: dict[str, str]) -> tuple[int, int]:
    """Return what ccache took from its cache, and what it compiled."""
    ccache = LINKS.parent.parent / "bin" / "ccache"
    output = subprocess.check_output([ccache, "--print-stats"], env=cache, text=True)
    counts = dict(line.split("\t") for line in output.splitlines())
    return int(counts["direct_cache_hit"]), int(counts["cache_miss"])
