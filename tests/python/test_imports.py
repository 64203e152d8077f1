# SPDX-License-Identifier: Apache-2.0
"""Who may know whom: no import goes upward, and no modules import one another.

Every import counts: at the top of a module, within a function, and for type checkers.
"""

from __future__ import annotations

import ast
import graphlib
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"

FLOORS = (
    # The package itself.
    ("",),
    # What everybody may use, and the C library.
    (
        "_core",
        "atomic_files",
        "children",
        "errors",
        "extras",
        "figure",
        "hex_digits",
        "hkdf",
        "locks",
        "programs",
        "serial_ports",
        "standard_streams",
        "toml_rows",
        "units",
        "user_folders",
        "workers",
    ),
    ("records",),
    ("doctor",),
    ("steering",),
    ("crypto", "edhoc"),
    ("bench", "phy", "speed", "speed_crate"),
    ("chip", "randomness"),
    ("link",),
    ("sniffer",),
    ("energy",),
    ("net",),
    ("demo",),
    ("firmware",),
    ("console",),
    ("cli", "__main__"),
)
"""Packages and modules of samara, bottom up; none knows one above it."""

FLOORS_OF_IEEE802154 = (
    ("limits",),
    ("medium_access",),
    ("frames",),
    ("captures",),
    ("air",),
    ("keys",),
    ("mac",),
    ("radios",),
    # The package itself has public names only, which those below do not use.
    (
        "",
        "device_record",
        "end",
        "key_manager",
        "kind",
        "link_options",
        "mesh",
        "networks",
        "receipts",
        "settings",
        "sniffing",
    ),
)
"""Those of samara.link.ieee802154, in the same way."""

FLOORS_OF = {"samara": FLOORS, "samara.link.ieee802154": FLOORS_OF_IEEE802154}

NEIGHBOURS = {
    ("speed", "bench"),
    ("bench", "phy"),
    ("phy", "bench"),
    ("chip", "randomness"),
    ("randomness", "chip"),
}
"""Of one floor, those that must not know each other."""


def modules(sources: Path) -> dict[str, Path]:
    """Return all modules by their names."""
    found = {}
    for path in sorted((sources / "samara").rglob("*.py")):
        parts = path.relative_to(sources).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path
    return found


def imported(name: str, path: Path, known: set[str]) -> set[str]:
    """Return the modules that a module imports, as far as they are samara's."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: -(node.level - 1) or None]
                base = ".".join([*above, base] if base else above)
            # `from samara.bench import store` is about samara.bench.store.
            inner = {f"{base}.{alias.name}" for alias in node.names}
            found |= inner & known
            found |= {base} if inner - known else set()
    return {one for one in found if one.partition(".")[0] == "samara"} - {name}


@cache
def graph(sources: Path) -> dict[str, set[str]]:
    paths = modules(sources)
    return {name: imported(name, path, set(paths)) for name, path in paths.items()}


def part(name: str, package: str) -> str | None:
    """Return the package or module of a package that a module belongs to.

    "" is the package itself, and None what is outside.
    """
    if name == package:
        return ""
    inner = name.removeprefix(f"{package}.")
    return None if inner == name else inner.partition(".")[0]


def links_by_name(sources: Path) -> list[str]:
    """Return the imports of a kind of link by its name, where none may be."""
    link = sources / "samara" / "link"
    named = {f"samara.link.{path.parent.name}" for path in link.glob("*/kind.py")}
    return sorted(
        f"{name} imports {other}"
        for name, others in graph(sources).items()
        if part(name, "samara") in ("link", "energy", "net")
        for other in others
        if _of_link(other) in named - {_of_link(name)}
    )


def _of_link(name: str) -> str:
    """Return the package of a link that a module is in, if it is in one."""
    return ".".join(name.split(".")[:3])


def upward(sources: Path) -> list[str]:
    """Return the imports that the floors do not allow, and modules without one."""
    wrong = []
    for package, floors in FLOORS_OF.items():
        floor = {one: height for height, ones in enumerate(floors) for one in ones}
        for name, others in graph(sources).items():
            own = part(name, package)
            if own is None:
                continue
            if own not in floor:
                wrong.append(f"{name} is on no floor")
                continue
            for other in others:
                theirs = part(other, package)
                is_above = floor.get(theirs or "", 0) > floor[own]
                if theirs is not None and (is_above or (own, theirs) in NEIGHBOURS):
                    wrong.append(f"{name} imports {other}")
    return sorted(wrong)


def circle(sources: Path) -> list[str]:
    """Return modules that import one another, the first one twice; [] if none do."""
    try:
        graphlib.TopologicalSorter(graph(sources)).prepare()
    except graphlib.CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_import_goes_upward() -> None:
    assert len(graph(SOURCES)) > 150
    assert upward(SOURCES) == []


def test_no_kind_of_link_is_known_by_its_name() -> None:
    assert links_by_name(SOURCES) == []


def test_no_modules_import_one_another() -> None:
    assert circle(SOURCES) == []


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Return sources of two floors in each package, without a fault."""
    frames = "samara.link.ieee802154.frames"
    for name, text in {
        "__init__.py": "",
        "errors.py": "",
        "crypto/__init__.py": "",
        "crypto/names.py": "from samara.errors import MisuseError\n",
        "link/__init__.py": "",
        "link/a.py": "from samara.crypto import names\nfrom samara.link import b\n",
        "link/b.py": "import samara.crypto.names\n",
        "link/ieee802154/__init__.py": f"from {frames}.frame import Frame\n",
        "link/ieee802154/frames/frame.py": "import samara.errors\n",
        "link/ieee802154/mac/mac.py": f"from {frames} import frame\n",
        "link/ieee802154/end.py": "from samara.link import ieee802154\n",
    }.items():
        path = tmp_path / "samara" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_the_toy_has_no_fault(toy: Path) -> None:
    assert (upward(toy), circle(toy)) == ([], [])


@pytest.mark.parametrize(
    "text",
    [
        "from samara.link import a\n",
        "import samara.link.a\n",
        "from samara.link.a import something\n",
        "from ..link import a\n",
        "def f() -> None:\n    from samara.link import a\n",
        "if TYPE_CHECKING:\n    from samara.link.a import A\n",
    ],
)
def test_an_upward_import_is_found(text: str, toy: Path) -> None:
    with (toy / "samara" / "crypto" / "names.py").open("a") as file:
        file.write(text)
    assert upward(toy) == ["samara.crypto.names imports samara.link.a"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from samara.link import ieee802154", "samara.link.ieee802154"),
        ("from samara.link.ieee802154 import Frame", "samara.link.ieee802154"),
        ("from samara.link.ieee802154 import end", "samara.link.ieee802154.end"),
        ("from ..mac import mac", "samara.link.ieee802154.mac.mac"),
        ("import samara.link.ieee802154.mac.mac", "samara.link.ieee802154.mac.mac"),
    ],
)
def test_an_upward_import_within_a_link_is_found(
    text: str, found: str, toy: Path
) -> None:
    path = toy / "samara" / "link" / "ieee802154" / "frames" / "frame.py"
    path.write_text(text)
    assert upward(toy) == [f"samara.link.ieee802154.frames.frame imports {found}"]


@pytest.mark.parametrize(
    "text",
    [
        "from samara.link import a\n",
        "from samara.link.a import something\n",
        "from . import a\n",
        "from .a import something\n",
        "if TYPE_CHECKING:\n    import samara.link.a\n",
    ],
)
def test_a_circle_is_found(text: str, toy: Path) -> None:
    with (toy / "samara" / "link" / "b.py").open("a") as file:
        file.write(text)
    assert set(circle(toy)) == {"samara.link.a", "samara.link.b"}


@pytest.mark.parametrize(
    "text",
    [
        "from samara.link.ieee802154.frames import frame\n",
        "from samara.link import ieee802154\n",
        "def f() -> None:\n    import samara.link.ieee802154.kind\n",
    ],
)
@pytest.mark.parametrize("place", ["net.lab", "energy.life", "link.node.node"])
def test_a_kind_of_link_by_its_name_is_found(place: str, text: str, toy: Path) -> None:
    (toy / "samara" / "link" / "ieee802154" / "kind.py").write_text("")
    path = toy / "samara" / f"{place.replace('.', '/')}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"from samara.link import a\n{text}")
    (found,) = links_by_name(toy)
    assert found.startswith(f"samara.{place} imports samara.link.ieee802154")


@pytest.mark.parametrize("name", ["new", "link.ieee802154.new"])
def test_a_module_on_no_floor_is_found(name: str, toy: Path) -> None:
    (toy / "samara" / f"{name.replace('.', '/')}.py").write_text("")
    assert upward(toy) == [f"samara.{name} is on no floor"]


def test_the_design_lists_the_floors() -> None:
    design = (SOURCES.parent / "docs" / "design.md").read_text(encoding="utf-8")
    section = design.partition("## Who knows whom\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ")]
    listed = [set(line.strip().partition("  ")[0].split(", ")) for line in lines]
    floors = [set(floor) - {"", "__main__"} for floor in reversed(FLOORS)]
    assert listed == [floor for floor in floors if floor]
