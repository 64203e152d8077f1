# SPDX-License-Identifier: Apache-2.0
"""Write the manual: pages for `man`, and completion for bash, zsh and fish.

The text is that of the help. The files are written below DIR where the programs that
read them look: man/man1, bash-completion/completions, zsh/site-functions and
fish/vendor_completions.d. A package of pip has put them into share/ of its
environment.

`man` finds the pages if `manpath` names DIR/man; share/man beside a bin that is in the
PATH is found by itself. Bash finds its file in ~/.local/share or if XDG_DATA_DIRS
names DIR, zsh if fpath has DIR/zsh/site-functions before compinit, fish if
XDG_DATA_DIRS names DIR. `samara --install-completion` sets up one shell without these
files.

\b
Examples:
  samara man ~/.local/share
  samara man debian/samara/usr/share
"""

from pathlib import Path
from typing import Annotated

import typer

import samara
from samara.cli.shared.diagnostics import say


def _man(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR",
            help="Directory for shared files, such as /usr/share; made if need be.",
        ),
    ],
) -> None:
    # It loads all commands.
    from samara.cli.manual.files import write_manual  # noqa: PLC0415

    written = write_manual(folder, samara.__version__)
    say(f"wrote {len(written)} files; the pages are in {folder / 'man' / 'man1'}")


command = _man
