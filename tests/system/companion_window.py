# SPDX-License-Identifier: Apache-2.0
"""The window of a companion flowgraph, without a screen.

usage: companion_window.py FLOWGRAPH [PICTURE] <TEXTS

Each line of standard input is typed into the text field, and Enter pressed. Each
new text of the field is printed, with an s before it. At the end of the input the
window is drawn into PICTURE and closed.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
from queue import Empty, SimpleQueue

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PyQt5 import QtCore, QtGui, QtWidgets

END = object()


def main(name: str, picture: str | None) -> None:
    """Run the flowgraph of this name, which lies in the current directory."""
    sys.path.insert(0, ".")
    application = QtWidgets.QApplication(sys.argv)
    window = getattr(importlib.import_module(name), name)()
    window.resize(1000, 900)
    window.start()
    window.show()
    (field,) = window._message_win.findChildren(QtWidgets.QLineEdit)  # noqa: SLF001
    field.textChanged.connect(lambda text: print(f"s{text}", flush=True))
    lines: SimpleQueue[object] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line.rstrip("\n"))
        lines.put(END)

    def step() -> None:
        try:
            line = lines.get_nowait()
        except Empty:
            return
        if line is END:
            if picture:
                window.grab().save(picture)
            window.stop()
            window.wait()
            application.quit()
        else:
            field.setText(str(line))
            QtCore.QCoreApplication.sendEvent(
                field,
                QtGui.QKeyEvent(
                    QtCore.QEvent.Type.KeyPress,
                    QtCore.Qt.Key.Key_Return,
                    QtCore.Qt.KeyboardModifier.NoModifier,
                ),
            )

    timer = QtCore.QTimer()
    timer.timeout.connect(step)
    timer.start(50)
    threading.Thread(target=read, daemon=True).start()
    print("ready", flush=True)
    application.exec_()
    # GNU Radio's sinks outlive the application and crash at the interpreter's end.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
