# SPDX-License-Identifier: Apache-2.0
"""A cast: commands and what they print, as an SVG that shows them one after the other.

Only styles move it, which browsers apply to pictures, too. Whoever asks the browser for
less motion sees all lines at once.
"""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAME: Final = "docs/pictures/cast.svg"
SECONDS: Final = 20
_PROMPT: Final = "$ "
_COLUMN, _LINE, _MARGIN, _TOP = 8.43, 19, 18, 44
_TYPING_S, _READING_S = 1.2, 0.6
_STYLE: Final = """
text { font: 14px 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #d6dee8;
  white-space: pre; animation: 20s linear infinite }
.typed { fill: #7ee0b8 }
@media (prefers-reduced-motion: reduce) { text { animation: none !important } }
"""


class Step(NamedTuple):
    """A command, as it is shown and as it is run, and how many lines are shown."""

    shown: str
    run: str
    lines: int


STEPS: Final = (
    Step("samara medium &", "samara medium >air.log 2>&1 & medium=$!", 0),
    Step(
        "samara node init alice --link ieee802154 --level 6",
        "samara node init alice --link ieee802154 --level 6",
        1,
    ),
    Step(
        "samara node init bob --pair-with alice",
        "samara node init bob --pair-with alice",
        1,
    ),
    Step(
        "samara node listen bob &",
        "samara node listen bob --count 1 2>bob.log & bob=$!\n"
        "until grep -q listens bob.log; do sleep 0.1; done",
        0,
    ),
    Step(
        'samara node send alice "21.5 C" --ack --receipt',
        'samara node send alice "21.5 C" --ack --receipt; wait $bob; kill $medium',
        19,
    ),
)
"""The main job: a message crosses a link, and its receipt is printed."""
_ENDS: Final = "cast: end of step"


def recorded(folder: Path) -> list[tuple[str, list[str]]]:
    """Run the commands in a directory; return them with the lines that are shown.

    Raises
    ------
    subprocess.CalledProcessError
        If one of them fails.
    """
    script = "\n".join(f"{step.run}\necho '{_ENDS}'" for step in STEPS)
    programs = Path(sys.executable).parent
    done = subprocess.run(
        ["/bin/bash", "-euc", script],
        cwd=folder,
        env={"PATH": f"{programs}:/usr/bin:/bin", "COLUMNS": "80", "LC_ALL": "C.UTF-8"},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    )
    parts = [part.strip("\n").split("\n") for part in done.stdout.split(_ENDS)]
    return [
        (step.shown, part[: step.lines])
        for step, part in zip(STEPS, parts, strict=False)
    ]


def drawn(steps: Sequence[tuple[str, Sequence[str]]]) -> str:
    """Return the picture: the text of an SVG file."""
    lines = list(_timed(steps))
    width = round(_MARGIN * 2 + _COLUMN * max(len(line.text) for line in lines))
    height = _TOP + _LINE * len(lines) + _MARGIN // 2
    rows = [_row(number, line) for number, line in enumerate(lines)]
    moves = [_move(number, line) for number, line in enumerate(lines)]
    dots = "".join(
        f'<circle cx="{_MARGIN + 18 * n}" cy="16" r="5" fill="#44546a"/>'
        for n in range(3)
    )
    size = f'width="{width}" height="{height}"'
    svg = 'svg xmlns="http://www.w3.org/2000/svg"'
    return "\n".join(
        [
            f'<{svg} viewBox="0 0 {width} {height}" {size} role="img">',
            f"<title>{escape(_title(steps))}</title>",
            f"<style>{_STYLE}{''.join(moves)}</style>",
            f'<rect {size} rx="8" fill="#17202b"/>',
            dots,
            *rows,
            "</svg>\n",
        ]
    )


class _Line(NamedTuple):
    text: str
    typed: bool
    begins: float
    ends: float


def _timed(steps: Sequence[tuple[str, Sequence[str]]]) -> Iterator[_Line]:
    """Yield the lines with the seconds at which each begins and is complete."""
    now = _READING_S
    for command, printed in steps:
        yield _Line(_PROMPT + command, typed=True, begins=now, ends=now + _TYPING_S)
        now += _TYPING_S + _READING_S
        for text in printed:
            yield _Line(text, typed=False, begins=now, ends=now)
            now += 0.1


def _row(number: int, line: _Line) -> str:
    y = _TOP + _LINE * number
    kind = ' class="typed"' if line.typed else ""
    return (
        f'<text id="l{number}"{kind} x="{_MARGIN}" y="{y}" xml:space="preserve">'
        f"{escape(line.text)}</text>"
    )


def _move(number: int, line: _Line) -> str:
    """Return the styles that let a line appear, typed by the character or at once."""
    begins, ends = (f"{100 * at / SECONDS:.2f}%" for at in (line.begins, line.ends))
    frames = _typing(begins, ends, len(line.text)) if line.typed else _appearing(begins)
    name = f"m{number}"
    return f"#l{number}{{animation-name:{name}}}@keyframes {name}{{{frames}}}\n"


def _appearing(begins: str) -> str:
    at_once = "animation-timing-function:step-end"
    return f"0%{{opacity:0;{at_once}}}{begins}{{opacity:1;{at_once}}}100%{{opacity:0}}"


def _typing(begins: str, ends: str, characters: int) -> str:
    hidden, whole = "clip-path:inset(0 100% 0 0)", "clip-path:inset(0 0 0 0)"
    steps = f"animation-timing-function:steps({characters})"
    return (
        f"0%{{{hidden}}}{begins}{{{hidden};{steps}}}{ends},99%{{{whole}}}"
        f"100%{{{hidden}}}"
    )


def _title(steps: Sequence[tuple[str, Sequence[str]]]) -> str:
    return "A terminal: " + "; ".join(command for command, _ in steps)
