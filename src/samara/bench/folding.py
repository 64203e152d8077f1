# SPDX-License-Identifier: Apache-2.0
"""Programs whose suites differ only in the length of their tag, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from samara.bench import grouping

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from samara.bench.programs import Program
    from samara.bench.results import Sizes


def folded(programs: Sequence[Program]) -> list[tuple[Program, str]]:
    """Return the programs with the longest tags, and names of all they stand for.

    The results are those that folding of each size alone gives, in the same order.
    """
    alike = [_alike(program) for program in programs]
    partly = _sharing_some_sizes(programs, alike)
    programs = [
        one
        for each, key in zip(programs, alike, strict=True)
        for one in (each.by_size() if key in partly else [each])
    ]
    return grouping.folded(
        programs,
        suite=lambda program: program.name.suite,
        same=lambda program: (_same(program), program.sizes),
    )


def _same(program: Program) -> Hashable:
    """Return what results have in common that are of one program, beside sizes."""
    name, head = program.name, program.head
    kept = (head.code_bytes, head.static_ram_bytes, head.has_figures)
    return (name.device, name.implementation, name.opt, kept)


def _alike(program: Program) -> Hashable:
    """Return what programs have in common that may be one, whatever their sizes."""
    return grouping.stem(program.name.suite), _same(program)


def _sharing_some_sizes(
    programs: Sequence[Program], alike: Sequence[Hashable]
) -> set[Hashable]:
    """Return what programs have in common that share sizes, and not all of them.

    Those that have all of them in common, or none, are folded as a whole.
    """
    found: dict[Hashable, set[tuple[Sizes, ...]]] = {}
    for each, key in zip(programs, alike, strict=True):
        found.setdefault(key, set()).add(each.sizes)
    return {
        key
        for key, sizes in found.items()
        if len(sizes) > 1 and sum(map(len, sizes)) > len(set().union(*sizes))
    }
