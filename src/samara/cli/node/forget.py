# SPDX-License-Identifier: Apache-2.0
"""Remove a neighbour and the keys that are shared with it.

Its frames are refused from now on. It is not told, and keeps its keys. If this node
has drawn the key for messages to all, a new one takes its place, which goes to all
other neighbours that it has invited; the output says when more is to be done. To
have the neighbour back, invite it again.

\b
Examples:
  samara node forget hub bob
"""

from typing import Annotated

import typer

from samara.cli.node.arguments import Directory
from samara.cli.shared.diagnostics import say
from samara.cli.shared.json_lines import Json, print_json
from samara.link.node.opening import members


def _forget(
    folder: Directory,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Neighbour to forget.")],
    *,
    as_json: Json = False,
) -> None:
    with members(folder) as of:
        told = of.forget(name)
    if as_json:
        print_json("forgotten", {"node": folder, "name": name, "told": told})
    else:
        print(f"{folder}: {name} is no neighbour any more")
    for text in told:
        say(text)


command = _forget
