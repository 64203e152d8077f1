# SPDX-License-Identifier: Apache-2.0
"""Measure a cipher that is not part of samara.

PATH is a directory with api.h and sources in C and assembly (.S, .s) that
define crypto_aead_encrypt and crypto_aead_decrypt, as in NIST's Lightweight
Cryptography project; or, for a block cipher, crypto_block_set_key,
crypto_block_encrypt and crypto_block_decrypt, which are timed apart. The
headers crypto_aead.h and crypto_block.h are supplied if PATH lacks them;
the latter, in firmware/measure/lwc, describes the interface.

Left out are C files that define main, such as NIST's genkat_aead.c: they
call the cipher and are no part of it. A warning names them. Left out, too,
are subdirectories, files of other languages, and the file with NIST's
table lwc_aead_cipher if another one defines crypto_aead_encrypt.

Answers of the devices are compared with --same-as, or with --reference, or
else with the C sources of PATH, compiled for this machine. Known answers
are checked as well, except for a block cipher. Without --kat, a file
LWC_AEAD_KAT_*.txt in PATH or in its parent directory is used. If this
machine cannot compile the sources, known answers are enough: the device
must also open what it has sealed and refuse a changed tag.

NAME is kept for `samara bench run` and `show` if at least one device could
build and run the cipher.

\b
Examples:
  samara bench add firmware/examples/ascon --name my-ascon --device atmega328p \\
    --message 64
  samara bench add firmware/examples/ascon --name my-ascon --device cortex-m3 \\
    --same-as ascon-aead128 --replace --message 16 --ad 14 --opt O2
  samara bench add firmware/examples/xtea --name my-xtea --device atmega328p
"""

from pathlib import Path
from typing import Annotated

import typer

from samara.bench import added, foreign, running, store, subjects
from samara.bench.requests import chosen_devices
from samara.bench.result_record import ResultRecord
from samara.cli.bench.measuring import measure
from samara.cli.bench.options import (
    Ads,
    Devices,
    Jobs,
    Messages,
    Opts,
    chosen_optimisations,
    chosen_sizes,
)
from samara.cli.shared.answering import prints
from samara.cli.shared.completion import complete_cipher
from samara.cli.shared.diagnostics import MisuseError, say, warn
from samara.cli.shared.json_lines import Json, print_json
from samara.cli.shared.repeatable import PROCESSORS
from samara.cli.shared.tables import Wide


@prints(ResultRecord)
def _add(  # noqa: PLR0913 - one parameter an option
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Directory with the cipher.")
    ],
    *,
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="NAME", help="Name for `samara bench run` and `show`."
        ),
    ],
    include: Annotated[
        list[Path] | None,
        typer.Option(
            "--include", metavar="DIR", help="Directory of more headers (repeatable)."
        ),
    ] = None,
    kat: Annotated[
        Path | None,
        typer.Option(
            "--kat",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="Known answers in the format of NIST's Lightweight Cryptography"
            " project. Default: LWC_AEAD_KAT_*.txt in PATH or its parent.",
            show_default=False,
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference",
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Compare the answers with the C sources of this directory."
            " Default: with those of PATH.",
            show_default=False,
        ),
    ] = None,
    same_as: Annotated[
        str,
        typer.Option(
            "--same-as",
            metavar="SUITE",
            autocompletion=complete_cipher,
            help="Compare the answers with this suite or block cipher of samara.",
        ),
    ] = "",
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Take NAME from another directory that has it."),
    ] = False,
    device: Devices = None,
    message: Messages = None,
    ad: Ads = None,
    opt: Opts = None,
    jobs: Jobs = PROCESSORS,
    as_json: Json = False,
    wide: Wide = False,
) -> int:
    folders = tuple(folder.resolve() for folder in include or ())
    source = added.Source(
        folder=path.resolve(),
        includes=folders,
        same_as=same_as,
        reference=reference.resolve() if reference else None,
        kat=kat.resolve() if kat else None,
    )
    if same_as and reference:
        message_ = "give --same-as or --reference, not both"
        raise MisuseError(message_)
    cipher = added.check(name, source, replace_other=replace)
    for driver in foreign.drivers(source.folder):
        warn(
            f"{driver.name} is left out: it defines main, so it is a program that"
            " calls the cipher, not a part of it"
        )
    tasks = running.plan(
        chosen_devices(device or ()),
        [subjects.of_added(cipher)],
        chosen_sizes(message, ad),
        chosen_optimisations(opt),
    )
    code, built = measure(tasks, jobs, store.own(), as_json=as_json, wide=wide)
    if built:
        added.remember(cipher)
        _print_added(cipher, as_json=as_json)
    else:
        say(f"{name} is not kept: no device could build and run it")
    return code


def _print_added(cipher: added.AddedCipher, *, as_json: bool) -> None:
    if as_json:
        fields = {"name": cipher.name, "compared_with": cipher.judge}
        print_json("added_cipher", fields)
    else:
        print(f"{cipher.name} was compared with {cipher.judge}")


command = _add
