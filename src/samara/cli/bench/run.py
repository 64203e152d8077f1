# SPDX-License-Identifier: Apache-2.0
"""Compile ciphers for devices, run them on simulators, and count cycles.

Every answer is compared with that of the library on this machine. Without
options all ciphers are measured on all devices: about 20 minutes on two
processors.

Exit status: 0 if everything was measured, 1 if something was not, 2 if the
command was called wrongly.

\b
Examples:
  samara bench run --device atmega328p --suite aes128-ccm-8 --message 64
  samara bench run --device nrf52840 --suite aes128 --opt Os
  samara bench run --device atmega328p --suite aes128 --implementation assembly
  samara bench run --suite grain128aead --suite ascon-aead128 --json
"""

from pathlib import Path
from typing import Annotated

import typer

from samara.bench import running, store
from samara.bench.requests import chosen_devices, chosen_subjects
from samara.bench.result_record import ResultRecord
from samara.cli.bench.measuring import measure
from samara.cli.bench.options import (
    Ads,
    Devices,
    Implementations,
    Jobs,
    Messages,
    Opts,
    Suites,
    chosen_optimisations,
    chosen_sizes,
    only,
)
from samara.cli.shared.answering import prints
from samara.cli.shared.json_lines import Json
from samara.cli.shared.repeatable import PROCESSORS
from samara.cli.shared.tables import Wide


@prints(ResultRecord)
def _run(  # noqa: PLR0913 - one parameter an option
    *,
    device: Devices = None,
    suite: Suites = None,
    message: Messages = None,
    ad: Ads = None,
    opt: Opts = None,
    implementation: Implementations = None,
    jobs: Jobs = PROCESSORS,
    where: Annotated[
        Path | None,
        typer.Option(
            "--store",
            metavar="PATH",
            help="File that results are added to, or a directory with a file for each"
            " device. Default: build/bench/results.jsonl.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    wide: Wide = False,
) -> int:
    planned = running.plan(
        chosen_devices(device or ()),
        chosen_subjects(suite or ()),
        chosen_sizes(message, ad),
        chosen_optimisations(opt),
    )
    tasks = only(planned, implementation)
    place = where or store.own()
    code, _ = measure(tasks, jobs, place, as_json=as_json, wide=wide)
    return code


command = _run
