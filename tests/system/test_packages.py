# SPDX-License-Identifier: Apache-2.0
"""Each package by somebody who has its archive alone: unpacked elsewhere, and built."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from arduino import board_of
from package_builds import alone, compiled, expected, processors, unpacked
from platformio.package.manifest.parser import ManifestParserFactory
from platformio.package.manifest.schema import ManifestSchema
from platformio_home import environment
from programs import ROOT, ended, run

from source_packages.core import version
from source_packages.recipe import recipes

PACKAGE = ROOT / "tools" / "package"
STAND_INS = ROOT / "tests" / "package"
NAMES = tuple(recipes())
# Without the code of this machine, which takes most of the time to compile.
PORTABLE = "-DSAMARA_ARCH_X86_64=0"
STRICT = ("-Wall", "-Wextra", "-Werror")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    run(PACKAGE, "all", "--out", folder)
    return folder


def archive(made: Path, name: str) -> Path:
    (found,) = made.glob(f"samara-{name}-{version()}.*")
    return found


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture
def package(made: Path, elsewhere: Path, request: pytest.FixtureRequest) -> Path:
    """Return the unpacked package of the test's parameter."""
    folder = elsewhere / str(request.param)
    if not folder.exists():
        folder.mkdir()
        unpacked(archive(made, request.param), folder)
    return folder / "samara"


def only(name: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("package", [name], indirect=True)


each = pytest.mark.parametrize("package", NAMES, indirect=True)


def test_the_same_sources_give_the_same_bytes(made: Path, tmp_path: Path) -> None:
    run(PACKAGE, "all", "--out", tmp_path, TZ="Asia/Kathmandu")
    for name in NAMES:
        first, second = (
            hashlib.sha256(archive(folder, name).read_bytes()).hexdigest()
            for folder in (made, tmp_path)
        )
        assert first == second, name


@each
def test_a_package_is_whole(package: Path) -> None:
    files = [path for path in package.rglob("*") if path.is_file()]
    assert [path.name for path in package.parent.iterdir()] == ["samara"]
    assert {"LICENSE", "README.md"} <= {path.name for path in package.iterdir()}
    assert not any(path.is_symlink() for path in package.rglob("*"))
    assert any(path.name == "ascon_aead128.c" for path in files)
    assert any(path.match("samara/store.h") for path in files)
    assert not any(path.name == "package.toml" for path in files)
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    assert [path for path, text in texts.items() if "@VERSION@" in text] == []
    assert [path for path, text in texts.items() if str(ROOT) in text] == []


@each
def test_headers_are_where_others_include_them(package: Path) -> None:
    include = ROOT / "core" / "include" / "samara"
    headers = package / recipes()[package.parent.name].headers
    assert headers.name == "samara"
    for path in include.rglob("*.h"):
        place = headers / path.relative_to(include)
        assert place.read_bytes() == path.read_bytes()


@each
def test_a_readme_names_the_version(package: Path) -> None:
    readme = (package / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"# samara {version()}")


def test_each_package_has_a_row_in_the_docs() -> None:
    page = (ROOT / "docs" / "packages.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    for name, recipe in recipes().items():
        (row,) = [line for line in rows if f"`tools/package {name}`" in line]
        assert recipe.checked in row


MACHINES = {
    # Code of vectors takes long to optimise.
    "host": ("CC=gcc", "AR=ar", "OPTIMISE=-O0"),
    "atmega328p": ("CC=avr-gcc", "AR=avr-ar", "TARGET=-mmcu=atmega328p"),
    "cortex-m3": (
        *("CC=arm-none-eabi-gcc", "AR=arm-none-eabi-ar"),
        "TARGET=-mcpu=cortex-m3 -mthumb",
    ),
    # Debian has no C library for it, and a compiler in clang alone.
    "msp430f1611": (
        *("CC=clang", "AR=llvm-ar"),
        "TARGET=--target=msp430 -mmcu=msp430f1611 -ffreestanding",
    ),
}


@only("c")
@pytest.mark.parametrize("machine", MACHINES)
def test_one_make_line_builds_the_c_folder(package: Path, machine: str) -> None:
    options = (
        *MACHINES[machine],
        f"CFLAGS={' '.join(STRICT)}",
        f"BUILD=build/{machine}",
    )
    alone("make", processors(), *options, cwd=package)
    library = package / "build" / machine / "libsamara.a"
    assert "samara_ascon_aead128_seal" in run("nm", "--print-file-name", library)
    if machine == "host":
        printed = alone("make", "example", *options, cwd=package)
        assert printed.splitlines()[-2:] == expected()


@only("c")
def test_one_file_of_a_group_builds(package: Path, tmp_path: Path) -> None:
    group = package / "one-file" / "ascon"
    source = (package / "examples" / "seal.c").read_text(encoding="utf-8")
    program = tmp_path / "seal.c"
    program.write_text(
        source.replace("<samara/ascon_aead128.h>", '"samara.h"'), encoding="utf-8"
    )
    options = ("-std=c11", *STRICT, f"-I{group}", program, group / "samara.c")
    assert compiled(options, tmp_path) == expected()
    names = {path.name for path in (package / "one-file").iterdir()}
    assert {"aes", "ascon", "grain128aead", "norx32"} <= names
    assert "ieee802154" not in names


def stand_in(name: str, folder: Path) -> Path:
    """Copy what stands in for a build, so that nothing leads here."""
    return Path(shutil.copytree(STAND_INS / name, folder / name))


def built_by_cmake(source: Path, folder: Path, *settings: str) -> list[str]:
    alone("cmake", "-G", "Ninja", "-S", source, "-B", folder, *settings, cwd=source)
    alone("cmake", "--build", folder, cwd=source)
    return alone(folder / "seal", cwd=folder).splitlines()


@only("cmake")
def test_fetch_content_takes_the_archive(
    package: Path, made: Path, tmp_path: Path
) -> None:
    packed = archive(made, "cmake")
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    consumer = tmp_path / "consumer"
    consumer.mkdir()
    example = package / "example"
    listed = (example / "CMakeLists.txt").read_text(encoding="utf-8")
    fetched = f"URL {packed} URL_HASH SHA256={digest}"
    listed = re.sub(r"SOURCE_DIR \S+(?=\))", fetched, listed)
    (consumer / "CMakeLists.txt").write_text(listed, encoding="utf-8")
    (consumer / "seal.c").write_bytes((example / "seal.c").read_bytes())
    assert fetched in listed
    # The code of this machine takes most of the time; another test compiles it.
    portable = "-DSAMARA_MACHINE=portable64"
    assert built_by_cmake(consumer, tmp_path / "build", portable) == expected()


@only("zephyr")
def test_the_zephyr_module(package: Path, tmp_path: Path) -> None:
    module = yaml.safe_load((package / "zephyr" / "module.yml").read_text("utf-8"))
    assert (package / module["build"]["cmake"] / "CMakeLists.txt").is_file()
    assert (package / module["build"]["kconfig"]).is_file()
    zephyr = stand_in("zephyr", tmp_path)
    settings = (f"-DPACKAGE={package}", f"-DCMAKE_C_FLAGS={PORTABLE}")
    assert built_by_cmake(zephyr, tmp_path / "build", *settings) == expected()


@only("esp-idf")
def test_the_esp_idf_component(package: Path, tmp_path: Path) -> None:
    manifest = yaml.safe_load((package / "idf_component.yml").read_text("utf-8"))
    assert manifest["version"] == version()
    idf = stand_in("esp-idf", tmp_path)
    shutil.copy(ROOT / "packages" / "shared" / "seal.c", idf)
    built = built_by_cmake(idf, tmp_path / "build", f"-DPACKAGE={package}")
    assert built == expected()


@only("riot")
def test_the_riot_module(package: Path, tmp_path: Path) -> None:
    settings = (
        *("CC=gcc", "AR=ar", f"BINDIR={tmp_path}"),
        f"RIOTBASE={stand_in('riot', tmp_path)}",
    )
    # RIOT hands its flags over in the environment.
    alone("env", f"CFLAGS={PORTABLE}", "make", processors(), *settings, cwd=package)
    options = (f"-I{package / 'include'}", package / "examples" / "seal" / "main.c")
    assert compiled((*options, tmp_path / "samara.a"), tmp_path) == expected()


def platformio_schema() -> ManifestSchema:
    """Return the check of library.json, without what it fetches from the network."""
    schema = ManifestSchema()
    known = {"licenses": [{"licenseId": "Apache-2.0"}]}
    schema.load_spdx_licenses = lambda: known
    return schema


@only("platformio")
def test_the_platformio_library(package: Path, tmp_path: Path) -> None:
    manifest = json.loads((package / "library.json").read_text(encoding="utf-8"))
    # It ends with an error where a field is wrong. The list of licences is fetched.
    parsed = ManifestParserFactory.new_from_file(str(package / "library.json"))
    checked = platformio_schema().load_manifest(parsed.as_dict())
    assert (checked["name"], checked["version"]) == ("samara", version())
    build = manifest["build"]
    sources = sorted((package / build["srcDir"]).rglob("*.c"))
    flags = [re.sub("^-I", f"-I{package}/", flag) for flag in build["flags"]]
    (example,) = manifest["examples"]
    main = package / example["base"] / example["files"][0]
    include = package / build["includeDir"]
    assert (include / manifest["headers"]).is_file()
    options = (PORTABLE, f"-I{include}", *flags, main, *sources)
    assert compiled(options, tmp_path) == expected()


@only("platformio")
def test_platformio_builds_for_an_uno(
    package: Path, made: Path, tmp_path: Path
) -> None:
    """With link-time optimisation and an archive, as its platform of AVRs does."""
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    shutil.copy(STAND_INS / "platformio" / "known_answer.c", project / "src")
    (project / "platformio.ini").write_text(
        "[env:uno]\nplatform = atmelavr\nboard = uno\n"
        f"lib_deps = file://{archive(made, package.parent.name)}\n"
    )
    variables = environment(tmp_path / "home")
    run(Path(sys.executable).with_name("pio"), "run", "-d", project, **variables)
    image = project / ".pio" / "build" / "uno" / "firmware.elf"
    sent = board_of("uno").run(image, tmp_path / "eeprom", 0.0125).sent
    assert sent == bytes.fromhex("69c4e0d86a7b0430d8cdb78070b4c55a")


def test_names_are_checked(tmp_path: Path) -> None:
    done = ended(PACKAGE, "mbed", "--out", tmp_path)
    assert done.returncode == 2
    assert "there is no package 'mbed'; expected arduino, c," in done.stdout
    assert list(tmp_path.iterdir()) == []
    assert ended(PACKAGE).returncode == 2


def test_every_recipe_is_listed() -> None:
    listed = run(PACKAGE, "--list")
    for name, recipe in recipes().items():
        assert f"{name:12}{recipe.title}; {recipe.checked}\n" in listed


def test_the_version_is_kept_in_one_place() -> None:
    for folder in (ROOT / "packages").iterdir():
        for path in folder.rglob("*"):
            if path.is_file() and path.name != "LICENSE":
                assert version() not in path.read_text(encoding="utf-8"), path
    assert tomllib.loads((ROOT / "core" / "groups.toml").read_text("utf-8"))["every"]
