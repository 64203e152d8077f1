# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - beside programs, not a package
"""SubBytes of AES, and its inverse, in the registers of a 32-bit processor.

The circuit is that of Boyar and Peralta (SEA 2010), as in core/block/aes_bitsliced.c,
without its four inversions. Its gates are in an order that a search found: of many
random ones, changed a gate at a time, the one that costs the fewest loads, stores and
gates on an ARM with 14 registers. y6b, for one, is y6 formed once more, which is
cheaper there than keeping it.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

GATES = """
t0=x1^x2 y8=x0^x5 y1=t0^x7 y13=x0^x6 y14=x3^x5 y4=y1^x3 y12=y13^y14 y5=y1^x6 t5=y4&x7
t1=x4^y12 y15=t1^x5 y6=y15^x7 y20=t1^x1 y9=x0^x3 y3=y5^y8 t3=y3&y6 t2=y12&y15 y10=y15^t0
t6=t5^t2 y11=y20^y9 y16=t0^y11 t4=t3^t2 t12=y9&y11 y17=y10^y11 t13=y14&y17 t14=t13^t12
t7=y13&y16 t17=t4^t14 y21=y13^y16 t21=t17^y20 t15=y8&y10 t16=t15^t12 t18=t6^t16 t8=y5&y1
t9=t8^t7 t19=t9^t14 y19=y10^y8 t23=t19^y21 y2=y1^x0 y7=x7^y11 y18=x0^y16 t22=t18^y19
t10=y2&y7 t11=t10^t7 t20=t11^t16 t26=t21&t23 t24=t20^y18 t30=t23^t24 t31=t22^t26
t32=t31&t30 t25=t21^t22 t27=t24^t26 t28=t25&t27 t33=t32^t24 t29=t28^t22 t35=t27^t33
t36=t24&t35 z5=t29&y7 t34=t23^t33 y17b=y10^y11 y9b=y2^y4 t38=t27^t36 t37=t36^t34
t39=t29&t38 t40=t25^t39 y13b=y2^y5 z14=t29&y2 t42=t29^t33 z6=t42&y11 z4=t40&y1
t43=t29^t40 z3=t43&y16 z13=t40&y5 z12=t43&y13b t41=t40^t37 y14b=y12^y13b z8=t41&y10
z17=t41&y8 t45=t42^t41 z7=t45&y17b z15=t42&y9b t54=z6^z7 t44=t33^t37 z16=t45&y14b
t52=z7^z8 t55=z16^z17 t46=z15^z16 y6b=y15^x7 z0=t44&y15 z2=t33&x7 z9=t44&y12 t53=z0^z3
t59=z3^t54 z10=t37&y3 z1=t37&y6b t50=z2^z12 t49=z9^z10 z11=t33&y4 t58=z4^t46 t62=t52^t58
t64=z4^t59 t63=t49^t58 t47=z10^z11 t57=t50^t53 t61=z14^t57 t66=z1^t63 t65=t61^t62
s4=t53^t66 t67=t64^t65 s2=t47^t65 s5=t55^t67 s6=t64^s4 t48=z5^z13 t56=z12^t48
t60=t46^t57 t51=z2^z5 s7=t59^t63 s3=t51^t66 s0=t48^t60 s1=t56^t62
"""
INVERSE_GATES = """
y9=x4^x3 y8=x1^x0 y6=x3^y8 u17=x0^x5 y5=x0^y6 y14=x4^y6 y3=x3^x0 y18=y9^x2 y1=x7^y9
y13=x6^y1 v7=x2^u17 y2=y13^y5 y4=y9^y2 y7=y18^y2 t8=y5&y1 t10=y2&y7 y21=x6^y7
y12=y13^y14 y11=y7^v7 t5=y4&v7 y16=y1^y7 t3=y3&y6 t7=y13&y16 t9=t8^t7 y10=y1^y6
y17=y10^y11 t11=t10^t7 t12=y9&y11 y15=y17^y16 t2=y12&y15 t6=t5^t2 t4=t3^t2 t13=y14&y17
t15=y8&y10 t16=t15^t12 t14=t13^t12 t20=t11^t16 t19=t9^t14 t18=t6^t16 y19=y8^y10
y20=y9^y11 t17=t4^t14 t21=t17^y20 t24=t20^y18 t23=t19^y21 t22=t18^y19 t26=t21&t23
t25=t21^t22 t30=t23^t24 t31=t22^t26 t27=t24^t26 t32=t31&t30 t28=t25&t27 t33=t32^t24
t29=t28^t22 t35=t27^t33 t36=t24&t35 t42=t29^t33 t38=t27^t36 t39=t29&t38 t34=t23^t33
t40=t25^t39 z6=t42&y11 t37=t36^t34 t43=t29^t40 z5=t29&y7 t41=t40^t37 z17=t41&y8
t45=t42^t41 z15=t42&y9 z12=t43&y13 w0=z15^z6 z7=t45&y17 w1=w0^z12 z8=t41&y10 z16=t45&y14
z13=t40&y5 z3=t43&y16 w2=w1^z13 w3=w2^z16 w24=w3^w0 w4=w3^z8 w5=w4^z3 z4=t40&y1
z1=t37&y6 w7=w5^z4 w10=w7^z1 w12=w7^z7 s7=z5^w5 s1=z8^w12 z2=t33&v7 z10=t37&y3
w11=z10^z2 z14=t29&y2 w17=w11^z14 t44=t33^t37 z9=t44&y12 w18=w17^w10 w20=w18^z13
z0=t44&y15 w8=w4^z0 z11=t33&y4 w16=z17^z11 s5=z11^w20 w14=w8^s7 w19=w16^w14 w28=w24^s5
w25=w19^w11 s4=z2^w8 w26=w25^z16 w22=w16^z9 s6=w28^w22 s0=z15^w22 s2=w14^w10 s3=s1^w26
"""
"""The inverse of SubBytes, of bytes to which 0x63 was added.

What is not linear is the same. The linear parts before and behind it, multiplied by
the inverse of the affine map, are those of the fewest gates that a search found: 23
and 30 of them."""

INVERTED = (0, 1, 5, 6)
"""Bits of the result that the circuit with its inversions inverts."""

HOMES = 8
"""Registers 0 to 7 have bits 0 to 7 of all bytes, before and after."""


def once(gates: str) -> str:
    """Return a circuit that forms no value once more, for who has more registers."""
    gates = re.sub(r"\w+b=\S+", "", gates)
    return re.sub(r"(\w+)b\b", r"\1", gates)


@dataclass(slots=True)
class Stay:
    """A value in a register, from one step to another."""

    value: str
    first: int
    last: int
    register: int = -1


@dataclass(slots=True)
class Program:
    """Steps: a gate, a store or a load, with the stays that it reads and begins."""

    stays: list[Stay] = field(default_factory=list)
    steps: list[tuple[str, list[Stay]]] = field(default_factory=list)
    slots: dict[str, int] = field(default_factory=dict)
    """Where stored values are."""


class _Planner:
    """Decides what is in registers; what is needed last is stored."""

    def __init__(self, gates: str, registers: int) -> None:
        self.registers = registers
        found = re.finditer(r"(\w+)=(\w+)([\^&])(\w+)", gates)
        self.gates = [match.groups() for match in found]
        self.uses: dict[str, list[int]] = {}
        for number, (_, one, _, other) in enumerate(self.gates):
            for value in (one, other):
                self.uses.setdefault(value, []).append(number)
        self.program = Program()
        self.here: dict[str, Stay] = {}
        for n in range(HOMES):
            self._begin(f"x{7 - n}", -1).register = n

    def _begin(self, value: str, step: int) -> Stay:
        stay = self.here[value] = Stay(value, step, step)
        self.program.stays.append(stay)
        return stay

    def _next_use(self, value: str) -> int:
        return (self.uses.get(value) or [len(self.gates)])[0]

    def _make_room(self, keep: tuple[str, ...]) -> None:
        if len(self.here) < self.registers:
            return
        stored = self.program.slots
        value = max(
            (value for value in self.here if value not in keep),
            key=lambda value: (self._next_use(value), value in stored),
        )
        stay = self.here.pop(value)
        if value not in stored:
            stored[value] = len(stored)
            stay.last = len(self.program.steps)
            self.program.steps.append(("str", [stay]))

    def plan(self) -> Program:
        steps = self.program.steps
        for name, one, operation, other in self.gates:
            for value in (one, other):
                if value not in self.here:
                    self._make_room((one, other))
                    steps.append(("ldr", [self._begin(value, len(steps))]))
            read = [self.here[one], self.here[other]]
            for stay in read:
                stay.last = len(steps)
                self.uses[stay.value].pop(0)
                if not self.uses[stay.value] and not stay.value.startswith("s"):
                    del self.here[stay.value]
            self._make_room(())
            made = self._begin(name, len(steps))
            steps.append(("eor" if operation == "^" else "and", [*read, made]))
        for stay in self.here.values():
            stay.last = len(steps)
        return self.program


def _assign(program: Program, registers: int, chance: random.Random) -> bool:
    """Give each stay a register; results their home, which is free by then."""
    homes = {
        int(stay.value[1:]): stay.first
        for stay in program.stays
        if stay.value.startswith("s")
    }
    until = dict.fromkeys(range(registers), -1)
    for stay in program.stays:
        if stay.first >= 0:
            free = [n for n, last in until.items() if last <= stay.first]
            if stay.value.startswith("s"):
                fitting = [n for n in free if n == int(stay.value[1:])]
            else:
                fitting = [n for n in free if homes.get(n, stay.last) >= stay.last]
            if not fitting:
                return False
            # The home that is needed first leaves the others to longer stays.
            fitting.sort(key=lambda n: homes.get(n, len(program.steps)))
            soonest = fitting[0] if fitting[0] in homes else chance.choice(fitting)
            stay.register = soonest if chance.random() < 0.7 else chance.choice(fitting)  # noqa: PLR2004
        until[stay.register] = stay.last
    return True


def _number(program: Program) -> None:
    """Say anew from which step to which each value stays."""
    for stay in program.stays:
        if stay.value.startswith("s"):
            stay.last = len(program.steps)
    for number, (operation, stays) in enumerate(program.steps):
        if operation in ("eor", "and"):
            stays[2].first = number
        elif operation == "ldr":
            stays[0].first = number
        for stay in stays[:2]:
            stay.last = max(number, stay.last if operation == "str" else number)


def _has_room(program: Program, registers: int, first: int, last: int) -> bool:
    """Return whether a register is free behind each step from `first` to `last`."""
    return all(
        sum(stay.first <= step < stay.last for stay in program.stays) < registers
        for step in range(first, last + 1)
    )


def _pair_loads(program: Program, registers: int) -> None:
    """Bring loads together: one behind another takes a cycle less."""
    steps = program.steps
    for place in range(1, len(steps)):
        operation = steps[place][0]
        if operation != "ldr" or steps[place - 1][0] in ("ldr", "str"):
            continue
        for goal in range(place - 1, 0, -1):
            if not _has_room(program, registers, goal - 1, place - 1):
                break
            if steps[goal - 1][0] in ("ldr", "str"):
                steps.insert(goal, steps.pop(place))
                _number(program)
                break


def program(gates: str, registers: int) -> Program:
    """Return a circuit with a register for each value."""
    made = _Planner(gates, registers).plan()
    _pair_loads(made, registers)
    # Repeatable: the same in every run.
    chance = random.Random(0)  # noqa: S311
    while not _assign(made, registers, chance):
        pass
    return made
