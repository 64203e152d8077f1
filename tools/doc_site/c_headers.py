# SPDX-License-Identifier: Apache-2.0
"""A page for each public C header, made from its comments by libclang.

The comments of the headers are plain text with a layout of their own, and most
functions come out of macros: libclang tells both, comment and declaration.
"""

from __future__ import annotations

import re
import textwrap
from itertools import groupby
from typing import TYPE_CHECKING, Any

from clang import cindex

from doc_site.markdown import code, page, table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FOLDER = "reference/c"
_ARGUMENTS = ["-x", "c", "-std=c11", "-fparse-all-comments", "-DSAMARA_DOCS"]
_NAME = re.compile(r"(?<!\w)(\w*_\w+(?:\(\))?)")
_MARK = re.compile(r"([*<\[\\])")
"""What Markdown would read as its own."""
_KINDS = {
    cindex.CursorKind.FUNCTION_DECL,
    cindex.CursorKind.STRUCT_DECL,
    cindex.CursorKind.ENUM_DECL,
    cindex.CursorKind.TYPEDEF_DECL,
    cindex.CursorKind.VAR_DECL,
}


def pages(include: Path) -> dict[str, str]:
    """Return the pages by their places in the site.

    Raises
    ------
    ValueError
        If a header does not compile.
    """
    headers = sorted((include / "samara").glob("*.h"))
    made = {f"{FOLDER}/{path.stem}.md": _page_of(path, include) for path in headers}
    rows = [
        [f"[{path.name}]({path.stem}.md)", _first_sentence(path)] for path in headers
    ]
    made[f"{FOLDER}/README.md"] = page(
        "# C headers",
        "Each header begins with its concept: life cycle, limits, and what is not"
        " checked. Results, the order of arguments and the rules for pointers are in"
        " [result.h](result.md).",
        table(["header", "subject"], rows),
    )
    return made


def _page_of(path: Path, include: Path) -> str:
    source = path.read_text(encoding="utf-8")
    concepts = [_as_markdown(text) for text in _concepts(source)]
    declared = [_section(group) for group in _groups(path, include)]
    return page(
        f"# samara/{path.name}",
        code(f"#include <samara/{path.name}>", "c"),
        *concepts,
        "## Declarations" if declared else "",
        *declared,
    )


def _concepts(source: str) -> list[str]:
    """Return the comments between the guard and the first include or declaration."""
    head = re.split(
        r"^#include|^typedef|^enum", source, maxsplit=1, flags=re.MULTILINE
    )[0]
    return [
        _text(comment)
        for comment in re.findall(r"/\*.*?\*/", head, re.DOTALL)
        if "SPDX" not in comment
    ]


def _first_sentence(path: Path) -> str:
    texts = _concepts(path.read_text(encoding="utf-8"))
    first = " ".join(texts[0].split("\n\n")[0].split()) if texts else ""
    return re.split(r"(?<=[.:]) ", first)[0].rstrip(":")


def _text(comment: str) -> str:
    r"""Return what a comment says, without its marks.

    >>> _text("/* One\n * two. */")
    'One\ntwo.'
    """
    bare = comment.strip().removeprefix("/*").removesuffix("*/").strip("*")
    lines = [re.sub(r"^\s*\* ?", "", line) for line in bare.split("\n")]
    return "\n".join([lines[0].strip(), *(line.rstrip() for line in lines[1:])]).strip()


def _as_markdown(text: str) -> str:
    """Return paragraphs as such, and what has a layout as it is."""
    parts = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        laid_out = any(re.search(r"^ |\S {2,}\S", line) for line in lines)
        parts.append(_mixed(lines) if laid_out else _escaped(block))
    return "\n\n".join(parts)


def _mixed(lines: list[str]) -> str:
    """Return text before the first indented line as a paragraph, the rest as it is."""
    first = next((i for i, line in enumerate(lines) if line.startswith(" ")), 0)
    if any(re.search(r"\S {2,}\S", line) for line in lines[:first]):
        first = 0
    words, rest = "\n".join(lines[:first]), "\n".join(lines[first:])
    return page(_escaped(words), code(textwrap.dedent(rest), "text")).strip("\n")


def _escaped(text: str) -> str:
    """Return text with names of the code as code."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [_NAME.sub(r"`\1`", _MARK.sub(r"\\\1", part)) for part in parts[::2]]
    return "".join(parts)


def _groups(path: Path, include: Path) -> Iterator[list[Any]]:
    """Yield what a header declares; what one macro declares comes together."""
    unit = cindex.Index.create().parse(str(path), [*_ARGUMENTS, f"-I{include}"])
    errors = [
        each for each in unit.diagnostics if each.severity >= cindex.Diagnostic.Error
    ]
    if errors:
        raise ValueError(f"{path.name}: {errors[0].spelling}")
    found = [
        cursor
        for cursor in unit.cursor.get_children()
        if cursor.kind in _KINDS and _is_in(cursor, path)
    ]
    for group in _at_one_place(found):
        # `typedef struct X {...} X` is two cursors, of which the second has it all.
        if not group[0].is_definition() or not _is_inside(group[0], found):
            yield group


def _at_one_place(found: list[Any]) -> Iterator[list[Any]]:
    for _, group in groupby(found, key=lambda cursor: cursor.extent.start.offset):
        yield list(group)


def _is_inside(cursor: Any, found: list[Any]) -> bool:  # noqa: ANN401 - libclang has no types
    """Return whether another declaration contains this one."""
    return any(
        other.extent.start.offset < cursor.extent.start.offset
        and cursor.extent.end.offset < other.extent.end.offset
        for other in found
    )


def _is_in(cursor: Any, path: Path) -> bool:  # noqa: ANN401 - libclang has no types
    file = cursor.location.file
    return file is not None and file.name == str(path)


def _section(group: list[Any]) -> str:
    """Return the comment and the declaration of cursors at one place."""
    first = group[0]
    source = _source(first)
    if source.startswith("SAMARA_DECLARE"):
        shown = "\n".join(dict.fromkeys(filter(None, map(_signature, group))))
        title = re.sub(r"\s+", " ", source)
        return page(f"### {title}", code(shown, "c")).strip("\n")
    longest = max(map(_source, group), key=len)
    name = next((each.spelling for each in reversed(group) if each.spelling), "")
    names = re.findall(r"^\s*(\w+) *(?:=|,|$)", longest, re.MULTILINE)
    title = (
        f"`{name}`" if name and "(" not in name else ", ".join(f"`{n}`" for n in names)
    )
    comment = next((each.raw_comment for each in group if each.raw_comment), "")
    return page(
        f"### {title}",
        code(longest + ";", "c"),
        _as_markdown(_text(comment)) if comment and "SPDX" not in comment else "",
    ).strip("\n")


def _source(cursor: Any) -> str:  # noqa: ANN401 - libclang has no types
    extent = cursor.extent
    with open(extent.start.file.name, "rb") as file:  # noqa: PTH123 - libclang's name
        text = file.read()
    if (
        extent.start.offset == extent.end.offset
        or b"SAMARA_DECLARE" in text[extent.start.offset : extent.start.offset + 20]
    ):
        end = text.index(b")", extent.start.offset) + 1
        return text[extent.start.offset : end].decode()
    return text[extent.start.offset : extent.end.offset].decode()


def _signature(cursor: Any) -> str:  # noqa: ANN401 - libclang has no types
    """Return a declaration that a macro makes, in one line."""
    if cursor.kind == cindex.CursorKind.FUNCTION_DECL:
        result = cursor.result_type.spelling
        inside = ", ".join(map(_parameter, cursor.get_arguments())) or "void"
        gap = "" if result.endswith("*") else " "
        return f"{result}{gap}{cursor.spelling}({inside});"
    if cursor.kind == cindex.CursorKind.ENUM_DECL:
        return "\n".join(
            f"{each.spelling} = {each.enum_value}" for each in cursor.get_children()
        )
    if cursor.kind == cindex.CursorKind.VAR_DECL:
        return f"extern {cursor.type.spelling} {cursor.spelling};"
    return f"typedef ... {cursor.spelling};" if cursor.spelling else ""


def _parameter(argument: Any) -> str:  # noqa: ANN401 - libclang has no types
    kind, name = argument.type.spelling, argument.spelling
    match = re.match(r"(.*?) ?(\[.*\])$", kind)
    if match:
        return f"{match[1]} {name}{match[2]}"
    return f"{kind}{'' if kind.endswith('*') else ' '}{name}"
