# SPDX-License-Identifier: Apache-2.0
"""`samara chip cores`: the cores by name."""

from samara.cli.chip.options import Authenticate, Variants, Widths, chosen_cores
from samara.cli.json_lines import Json, print_json
from samara.cli.tables import Column, console, print_table

_COLUMNS = (
    Column("core"),
    Column("N", numeric=True),
    Column("variant"),
    Column("bits\na clock", numeric=True),
)


def cores_(
    *,
    n: Widths = None,
    variant: Variants = None,
    authenticate: Authenticate = None,
    as_json: Json = False,
) -> None:
    """List the cores: the design in rtl/ with its parameters.

    Bits a clock are those of the message, or of the keystream, while nothing
    stalls.

    \b
    Examples:
      samara chip cores
      samara chip cores --variant fast --authenticate --json
    """
    found = chosen_cores(n, variant, authenticate)
    if as_json:
        for core in found:
            fields = {"name": core.name, "title": core.title, "n": core.n}
            more = {"variant": core.variant, "authenticates": core.authenticates}
            values = {
                "bits_a_clock": core.bits_a_clock,
                "parameters": core.parameters,
            }
            print_json("core", fields | more | values)
        return
    print_table(
        console(),
        _COLUMNS,
        [[c.name, f"{c.n}", str(c.variant), f"{c.bits_a_clock:g}"] for c in found],
        empty="no cores",
    )
