# SPDX-License-Identifier: Apache-2.0
"""Write a message as a SigMF recording of bursts that went through a channel.

The message is divided into frames. Each frame gets a tag of 4 bytes, is coded
(K = 7, rate 1/2), encrypted with Grain-128PLE and modulated with 4 samples per
symbol. Without --key, the command generates a random key, writes it to NAME.key
and uses the frame counters from 0 on.

Never use a frame counter twice with the same key: with --key, --counter must
give the first unused one.

\b
Examples:
  samara phy record hello --message 'hello over the air'
  samara phy record heard -i reading --ebn0 8 --offset 5000 --multipath three-ray
  samara phy record plain --message hello --no-encrypt
"""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from samara import crypto
from samara.cli.phy.options import (
    ModulationName,
    Multipath,
    PayloadSize,
    Seed,
)
from samara.cli.shared import files, inputs
from samara.cli.shared.diagnostics import MisuseError, say
from samara.phy import composing, recordings
from samara.phy.channel import Impairments
from samara.phy.frames import gnuradio_samara
from samara.phy.modulation import DEFAULT, find
from samara.phy.multipath import rays_of

_MOST_BYTES = 1 << 16


def _record(  # noqa: PLR0913 - one parameter an option
    name: Annotated[
        Path, typer.Argument(metavar="NAME", help="Name of the recording to write.")
    ],
    *,
    message: Annotated[str | None, typer.Option(help="Message to send.")] = None,
    source: Annotated[
        Path | None,
        typer.Option("-i", "--input", metavar="FILE", help="File to send."),
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(
            metavar="HEX|@FILE",
            help="Key of the link. Default: a random key, written to NAME.key.",
        ),
    ] = None,
    counter: Annotated[
        int | None,
        typer.Option(min=0, help="Frame counter of the first frame, with --key."),
    ] = None,
    encrypt: Annotated[
        bool,
        typer.Option("--encrypt/--no-encrypt", help="Encrypt with Grain-128PLE."),
    ] = True,
    modulation: ModulationName = DEFAULT,
    payload: PayloadSize = 60,
    ebn0: Annotated[
        float, typer.Option("--ebn0", metavar="DB", help="Eb/N0 in dB.")
    ] = 20.0,
    rate: Annotated[
        float, typer.Option(metavar="HZ", min=1, help="Sample rate in Hz.")
    ] = 1e6,
    frequency: Annotated[
        float, typer.Option(metavar="HZ", help="Carrier frequency in Hz.")
    ] = 868.3e6,
    offset: Annotated[
        float, typer.Option(metavar="HZ", help="Carrier frequency offset in Hz.")
    ] = 0.0,
    clock_ppm: Annotated[
        float, typer.Option(metavar="PPM", help="Clock error of the transmitter.")
    ] = 0.0,
    multipath: Multipath = "none",
    gap: Annotated[
        int, typer.Option(min=0, max=10**6, help="Samples between bursts.")
    ] = 4000,
    seed: Seed = 1,
) -> None:
    if (message is None) == (source is None):
        wrong = "expected either --message TEXT or -i FILE"
        raise MisuseError(wrong)
    how = composing.Composition(
        modulation=find(modulation).name,
        payload_size=payload,
        encrypts=encrypt,
        first_counter=counter or 0,
        gap=gap,
        ebn0_db=ebn0,
        impairments=Impairments(
            offset=offset / rate, clock_ppm=clock_ppm, rays=rays_of(multipath)
        ),
        seed=seed,
    )
    content = _content(message, source)
    # Checked before a key is written that no recording would use.
    gnuradio_samara()
    _refuse_existing(name)
    composed = composing.compose(content, _key(key, counter, name), how)
    recordings.write_recording(
        name,
        composed.samples,
        rate,
        frequency=frequency,
        description=f"{composed.frames} frames, {how.modulation}, {len(content)} bytes",
        annotations=composed.annotations,
    )
    meta, data = recordings.paths(name)
    say(f"wrote {meta} and {data}: {composed.frames} bursts")


def _content(message: str | None, source: Path | None) -> bytes:
    if source is None:
        return (message or "").encode("utf-8")
    with files.reading(source) as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        wrong = f"{source} is too long: at most {_MOST_BYTES} bytes can be recorded"
        raise MisuseError(wrong)
    return content


def _refuse_existing(name: Path) -> None:
    for path in recordings.paths(name):
        if path.exists():
            wrong = f"{path} exists: choose another name, or remove it"
            raise MisuseError(wrong)


def _key(text: str | None, counter: int | None, name: Path) -> bytes:
    suite = crypto.suite("grain128ple")
    if text is not None:
        if counter is None:
            wrong = (
                "--key needs --counter: the first frame counter not used with this key"
            )
            raise MisuseError(wrong)
        return inputs.key_of(text, suite)
    drawn = secrets.token_bytes(suite.key_size)
    path = recordings.paths(name)[0].with_suffix(".key")
    files.write_secret(path, (drawn.hex() + "\n").encode("ascii"), force=False)
    say(f"wrote a new key to {path}")
    return drawn


command = _record
