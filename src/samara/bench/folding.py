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
    if _share_some_sizes(programs):
        programs = [one for each in programs for one in each.by_size()]
    return grouping.folded(
        programs,
        suite=lambda program: program.name.suite,
        same=lambda program: (_same(program), program.sizes),
    )


def _same(program: Program) -> Hashable:
    """Return what results have in common that are of one program, beside sizes."""
    one = program.first
    kept = (one.code_bytes, one.static_ram_bytes, one.has_figures)
    return (one.device, one.implementation, one.opt, kept)


def _share_some_sizes(programs: Sequence[Program]) -> bool:
    """Tell whether programs that may be one have some of their sizes in common.

    Those that have all of them in common, or none, are folded as a whole.
    """
    found: dict[Hashable, set[tuple[Sizes, ...]]] = {}
    for each in programs:
        key = grouping.stem(each.name.suite), _same(each)
        found.setdefault(key, set()).add(each.sizes)
    return any(
        sum(map(len, sizes)) > len(set().union(*sizes)) for sizes in found.values()
    )
