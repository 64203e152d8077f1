# SPDX-License-Identifier: Apache-2.0
"""Faults made from Python's syntax tree; all else in the text stays as it is."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from testing.edit import Edit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_COMPARED = {
    ast.Lt: (("<", "<="),),
    ast.LtE: (("<=", "<"),),
    ast.Gt: ((">", ">="),),
    ast.GtE: ((">=", ">"),),
    ast.Eq: (("==", "!="),),
    ast.NotEq: (("!=", "=="),),
    ast.Is: (("is", "is not"),),
    ast.IsNot: (("is not", "is"),),
    ast.In: (("in", "not in"),),
    ast.NotIn: (("not in", "in"),),
}
_COMPUTED = {
    ast.Add: (("+", "-"),),
    ast.Sub: (("-", "+"),),
    ast.Mult: (("*", "/"), ("*", "+")),
    ast.Div: (("/", "*"),),
    ast.FloorDiv: (("//", "*"),),
    ast.Mod: (("%", "//"),),
    ast.LShift: (("<<", ">>"),),
    ast.RShift: ((">>", "<<"),),
    ast.BitAnd: (("&", "|"),),
    ast.BitOr: (("|", "&"),),
    ast.BitXor: (("^", "|"),),
}
_OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_JOINED = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
_DROPPED = (ast.Expr, ast.Assign, ast.AugAssign, ast.Raise, ast.Delete, ast.Assert)


def edits(source: str) -> Iterator[Edit]:
    """Return the faults of a Python source; a few of them are no Python."""
    return _Source(source).edits()


class _Source:
    """A source with its tree."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._tree = ast.parse(source)
        lines = source.encode().splitlines(keepends=True)
        self._starts = [0]
        for line in lines:
            self._starts.append(self._starts[-1] + len(line))
        self._bytes = source.encode()
        self._makers: dict[type[ast.AST], Callable[[Any], Iterator[Edit]]] = {
            ast.Compare: self._compared,
            ast.BinOp: self._computed,
            ast.BoolOp: self._joined,
            ast.Tuple: self._listed,
            ast.List: self._listed,
            ast.Set: self._listed,
            ast.UnaryOp: self._inverted,
            ast.If: self._conditions,
            ast.While: self._conditions,
            ast.IfExp: self._conditions,
            ast.Constant: self._constants,
            ast.Call: self._calls,
            ast.Return: self._returned,
        }

    def edits(self) -> Iterator[Edit]:
        # What annotations say is for the type checker.
        left = [self._tree]
        while left:
            node = left.pop()
            yield from self._of(node)
            for field, child in ast.iter_fields(node):
                if field not in {"annotation", "returns", "decorator_list"}:
                    children = child if isinstance(child, list) else [child]
                    left += [one for one in children if isinstance(one, ast.AST)]  # type: ignore[misc]

    def _of(self, node: ast.AST) -> Iterator[Edit]:
        if made := self._makers.get(type(node)):
            yield from made(node)
        for field in ("body", "orelse", "finalbody"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                yield from self._dropped(statements)

    def _compared(self, node: ast.Compare) -> Iterator[Edit]:
        sides = pairwise([node.left, *node.comparators])
        for operator, (one, other) in zip(node.ops, sides, strict=True):
            yield from self._between(one, other, _COMPARED[type(operator)])

    def _computed(self, node: ast.BinOp) -> Iterator[Edit]:
        changes = _COMPUTED.get(type(node.op), ())
        yield from self._between(node.left, node.right, changes)
        yield from self._without_one([node.left, node.right])

    def _joined(self, node: ast.BoolOp) -> Iterator[Edit]:
        for one, other in pairwise(node.values):
            yield from self._between(one, other, (_JOINED[type(node.op)],))
        yield from self._without_one(node.values)

    def _listed(self, node: ast.Tuple | ast.List | ast.Set) -> Iterator[Edit]:
        if len(node.elts) > 1:
            yield from self._without_one(node.elts)

    def _inverted(self, node: ast.UnaryOp) -> Iterator[Edit]:
        if isinstance(node.op, ast.Not):
            yield Edit(*self._span(node), f"({self._text(node.operand)})")

    def _conditions(self, node: ast.If | ast.While | ast.IfExp) -> Iterator[Edit]:
        for form in ("not ({})", "True", "False"):
            yield self._changed(node.test, form)

    def _returned(self, node: ast.Return) -> Iterator[Edit]:
        if node.value is not None:
            yield self._changed(node.value, "None")

    def _dropped(self, statements: Sequence[ast.stmt]) -> Iterator[Edit]:
        """Leave out a statement, with its lines if there are others."""
        for one in statements:
            if not isinstance(one, _DROPPED) or _is_text(one):
                continue
            begin, end = self._span(one)
            line = self._source.rfind("\n", 0, begin) + 1
            if len(statements) > 1 and not self._source[line:begin].strip():
                yield Edit(line, self._source.find("\n", end) + 1 or end, "")
            else:
                yield Edit(begin, end, "pass")

    def _without_one(self, parts: Sequence[ast.AST]) -> Iterator[Edit]:
        """Leave out one of several parts, and what joins it to the others."""
        for one, other in pairwise(parts):
            yield Edit(self._span(one)[0], self._span(other)[0], "")
        yield Edit(self._span(parts[-2])[1], self._span(parts[-1])[1], "")

    def _calls(self, node: ast.Call) -> Iterator[Edit]:
        if other := _OPPOSITES.get(self._text(node.func)):
            yield self._changed(node.func, other)
        if len(node.args) > 1:
            one, next_one = node.args[:2]
            if not any(isinstance(each, ast.Starred) for each in (one, next_one)):
                yield self._swapped(one, next_one)
        parts = [*node.args, *node.keywords]
        if len(parts) > 1:
            yield from self._without_one(parts)

    def _constants(self, node: ast.Constant) -> Iterator[Edit]:
        if isinstance(node.value, bool):
            yield self._changed(node, str(not node.value))
        elif isinstance(node.value, int):
            text = self._text(node)
            for change in (1, -1):
                value = node.value + change
                is_hex = text.lower().startswith("0x") and value >= 0
                yield self._changed(node, hex(value) if is_hex else str(value))
        elif isinstance(node.value, float):
            yield self._changed(node, str(10 * node.value))

    def _between(
        self, one: ast.AST, other: ast.AST, changes: Sequence[tuple[str, str]]
    ) -> Iterator[Edit]:
        """Change the operator between two expressions."""
        begin, end = self._span(one)[1], self._span(other)[0]
        for old, new in changes:
            place = self._source.find(old, begin, end)
            if place >= 0:
                yield Edit(place, place + len(old), new)

    def _swapped(self, one: ast.AST, other: ast.AST) -> Edit:
        begin, end = self._span(one)[0], self._span(other)[1]
        middle = self._source[self._span(one)[1] : self._span(other)[0]]
        return Edit(begin, end, self._text(other) + middle + self._text(one))

    def _changed(self, node: ast.AST, form: str) -> Edit:
        return Edit(*self._span(node), form.format(self._text(node)))

    def _text(self, node: ast.AST) -> str:
        begin, end = self._span(node)
        return self._source[begin:end]

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Return the places of an expression in the text; a tree counts bytes."""
        first, last = node.lineno, node.end_lineno  # type: ignore[attr-defined]
        begin = self._starts[first - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self._starts[last - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return len(self._bytes[:begin].decode()), len(self._bytes[:end].decode())


def _is_text(node: ast.AST) -> bool:
    """Return whether a statement is a docstring or another constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
