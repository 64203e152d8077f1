# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from testing.import_graph import ImportGraph, source_of

if TYPE_CHECKING:
    from pathlib import Path

SOURCES = {
    "src/samara/__init__.py": "",
    "src/samara/one.py": "import json\n",
    "src/samara/two.py": "def f():\n    from samara.one import x\n",
    "src/samara/kinds/__init__.py": "iter_modules(__path__)\n",
    "src/samara/kinds/first.py": "from samara import two\n",
    "src/samara/named.py": "'samara.one'\n",
    "src/samara/several.py": "load(f'samara.kinds.{name}')\n",
    "src/samara/scanning.py": "from samara import kinds\nf(kinds.__path__)\n",
    "src/samara/placed.py": "from samara import kinds\nf(kinds.__file__)\n",
    "tests/python/starts.py": "'import json\\nfrom samara import one, two'\n",
    "src/samara/reads.py": "from pathlib import Path\nhere = Path(__file__).parent\n",
    "src/samara/below.py": "f(Path(__file__).parent / 'kinds' / 'a.toml')\n",
    "src/samara/above.py": "root = Path(__file__).resolve().parents[1]\n",
    "src/samara/given.py": "def f(package):\n    return package.__path__\n",
    "src/samara/both.py": "Path(__file__).parents[1]\ng(Path(__file__).parent)\n",
    "src/samara/apart.py": "'samara kinds'\nif TYPE_CHECKING:\n    import samara.one\n",
    "tests/python/helper.py": "import samara.two\n",
    "tests/python/part/test_it.py": "import helper\nfrom .beside import x\n",
    "tests/python/part/beside.py": "from . import below\n",
    "tests/python/part/below.py": "",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_test_needs_what_its_programs_import(root: Path) -> None:
    needed = ImportGraph(root).needs(root / "tests" / "python" / "starts.py")
    assert {path.stem for path in needed} == {"starts", "__init__", "two", "one"}


@pytest.mark.parametrize("name", ["reads.py", "both.py", "given.py"])
def test_a_module_that_knows_its_place_needs_what_is_there(
    name: str, root: Path
) -> None:
    folder = root / "src" / "samara"
    needed = ImportGraph(root).needs(folder / name)
    assert {*folder.rglob("*.py")} == needed


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("one", {"one"}),
        ("two", {"two", "__init__", "one"}),
        ("kinds/first", {"kinds/first", "__init__", "two", "one"}),
        ("named", {"named", "__init__", "one"}),
        *(
            (name, {name, "kinds/__init__", "kinds/first", "__init__", "two", "one"})
            for name in ("several", "scanning", "placed", "kinds/__init__")
        ),
        ("apart", {"apart"}),
        ("above", {"above"}),
        (
            "below",
            {"below", "kinds/__init__", "kinds/first", "__init__", "two", "one"},
        ),
    ],
)
def test_a_file_needs_what_it_imports_names_and_scans(
    name: str, expected: set[str], root: Path
) -> None:
    folder = root / "src" / "samara"
    needed = ImportGraph(root).needs(folder / f"{name}.py")
    assert needed == {folder / f"{one}.py" for one in expected}


def test_a_test_needs_helpers_and_what_is_beside_it(root: Path) -> None:
    needed = ImportGraph(root).needs(root / "tests/python/part/test_it.py")
    assert {path.stem for path in needed} == {
        *("test_it", "helper", "beside", "below", "two", "__init__", "one"),
    }


def test_the_texts_of_files_that_are_cut_name_nothing(root: Path) -> None:
    path = root / "src" / "samara" / "several.py"
    assert ImportGraph(root, cut={path}).needs(path) == {path}


def test_a_text_that_is_looked_up_and_nothing_else_is_a_key() -> None:
    program = "f(row['time'], row['size'][0], 'size', {'low': 1}, row['a', 'b'])\n"
    source = source_of(program)
    assert source.texts == {"time", "size", "low", "a", "b"}
    assert source.keys == {"time"}
