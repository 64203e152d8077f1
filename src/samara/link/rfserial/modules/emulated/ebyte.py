# SPDX-License-Identifier: Apache-2.0
"""Commands of Ebyte's modules, taken while M0 and M1 are high.

Sources: E32-433T20D user manual, 7, and E220-900T22D user manual, 7. An E32 takes its
parameters as a whole: C0 and five bytes; C1 C1 C1 asks for them. An E220 has registers:
C0, the first, how many, and their values, answered with C1 in place of C0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from samara.link.rfserial.modules.emulated.commands import Commands

if TYPE_CHECKING:
    from samara.link.rfserial.modules.emulated.settings import ModuleSettings

_SET, _GET = 0xC0, 0xC1
_PARAMETERS, _REGISTERS, _HEAD = 5, 8, 3
_FAILED = b"\xff\xff\xff"


class _Ebyte(Commands, ABC):
    """Keeps the bytes of a command until it is whole."""

    def __init__(self, settings: ModuleSettings) -> None:
        super().__init__(settings)
        self._given = bytearray()

    def take(self, byte: int) -> tuple[bytes, bool]:
        """Take a byte of a command."""
        self._given.append(byte)
        answer = self._answer(bytes(self._given))
        if answer is None:
            return b"", False
        self._given.clear()
        return answer, False

    @abstractmethod
    def _answer(self, given: bytes) -> bytes | None:
        """Return the answer to a command; None while it is not whole."""


class _E32(_Ebyte):
    modules: ClassVar[tuple[str, ...]] = ("e32-433t20d",)

    def __init__(self, settings: ModuleSettings) -> None:
        super().__init__(settings)
        self._parameters = bytes.fromhex("00001a1744")

    def _answer(self, given: bytes) -> bytes | None:
        if given[0] == _SET:
            if len(given) < 1 + _PARAMETERS:
                return None
            self._parameters = given[1:]
            self.set(address=int.from_bytes(given[1:3], "big"), channel=given[4])
            return b""
        if given[0] == _GET:
            whole = given == bytes((_GET,)) * _HEAD
            return bytes((_SET,)) + self._parameters if whole else None
        return b""


class _E220(_Ebyte):
    modules: ClassVar[tuple[str, ...]] = ("e220-900t22d",)

    def __init__(self, settings: ModuleSettings) -> None:
        super().__init__(settings)
        self._registers = bytearray(bytes.fromhex("0000620012000000"))

    def _answer(self, given: bytes) -> bytes | None:
        if given[0] not in (_SET, _GET):
            return _FAILED
        if len(given) < _HEAD:
            return None
        first, count = given[1], given[2]
        if not 0 < count <= _REGISTERS - first:
            return _FAILED
        if given[0] == _SET:
            if len(given) < _HEAD + count:
                return None
            self._registers[first : first + count] = given[_HEAD:]
            self.set(channel=self._registers[4])
        values = bytes(self._registers[first : first + count])
        return bytes((_GET, first, count)) + values


DIALECTS = (_E32, _E220)
