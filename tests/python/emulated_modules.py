# SPDX-License-Identifier: Apache-2.0
"""Two emulated serial modules at two ports, for tests."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self

from samara.link.rfserial.modem_ports import Ports
from samara.link.rfserial.modules.emulated.module import module_pair

if TYPE_CHECKING:
    from samara.link.rfserial.modules.profile import Profile


class Modules(Ports):
    """Two modules that run in a thread."""

    def __init__(self, profile: Profile, **given: Any) -> None:  # noqa: ANN401 - as module_pair takes them
        super().__init__(module_pair(profile, **given))
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self.run, args=(self._is_over.is_set,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        super().__exit__()
