# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
from pathlib import Path

import pytest

from testing.compiler_cache import same_in_all_clones, use_compiler_cache

LINKS = Path("/usr/lib/ccache")


def test_the_links_come_first_and_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    use_compiler_cache(tmp_path)
    use_compiler_cache(tmp_path)
    assert os.environ["PATH"] == f"{tmp_path}:/usr/bin:/bin"


def test_without_ccache_compilers_are_found_as_before(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
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
    told = subprocess.run(
        [LINKS.parent.parent / "bin" / "ccache", "--print-stats"],
        env=cache,
        capture_output=True,
        text=True,
        check=True,
    )
    counted = dict(line.split("\t") for line in told.stdout.splitlines())
    assert (counted["direct_cache_hit"], counted["cache_miss"]) == ("1", "1")
