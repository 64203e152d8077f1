# SPDX-License-Identifier: Apache-2.0
"""`samara phy record`: a message as a SigMF recording."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from samara import crypto
from samara.cli import files, inputs
from samara.cli.channel import rays_of
from samara.cli.outcome import MisuseError, say
from samara.cli.phy_options import PayloadSize, Seed
from samara.phy import composing, recordings
from samara.phy.channel import Impairments
from samara.phy.modulation import MODULATIONS
from samara.phy.modulation import find as find_modulation

_MOST_BYTES = 1 << 16


def record(  # noqa: PLR0913 - one parameter an option
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Of the recording.")],
    *,
    message: Annotated[str | None, typer.Option(help="What is sent.")] = None,
    source: Annotated[
        Path | None, typer.Option("-i", "--input", metavar="FILE", help="Or a file.")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX|@FILE", help="A random one, when not given."),
    ] = None,
    counter: Annotated[
        int | None, typer.Option(min=0, help="Of the first frame; goes with --key.")
    ] = None,
    encrypt: Annotated[
        bool, typer.Option(help="With Grain-128PLE, or to be compared without.")
    ] = True,
    modulation: Annotated[str, typer.Option(help=", ".join(MODULATIONS))] = "qpsk",
    payload: PayloadSize = 60,
    ebn0: Annotated[float, typer.Option("--ebn0", help="In dB.")] = 20.0,
    rate: Annotated[float, typer.Option(min=1, help="Samples per second.")] = 1e6,
    frequency: Annotated[float, typer.Option(help="Of the carrier, in Hz.")] = 868.3e6,
    offset: Annotated[float, typer.Option(help="Of the carrier, in Hz.")] = 0.0,
    clock_ppm: Annotated[float, typer.Option(help="Error of the clock.")] = 0.0,
    multipath: Annotated[
        str,
        typer.Option(help="none, three-ray, or DELAY:DB,... with delays in samples."),
    ] = "none",
    gap: Annotated[
        int, typer.Option(min=0, max=10**6, help="Samples between bursts.")
    ] = 4000,
    seed: Seed = 1,
) -> None:
    """Write a message as a recording of bursts that have come through a channel.

    The message is cut into frames with a tag of 32 bits, coded (K = 7, rate 1/2),
    encrypted with Grain-128PLE and modulated at 4 samples a symbol. Without --key
    a key is drawn and written to NAME.key, and frames count from 0. A counter must
    never be used twice under a key: with --key, say where to begin.

    \b
    Examples:
      samara phy record hello --message 'hello over the air'
      samara phy record heard -i reading --ebn0 8 --offset 5000 --multipath three-ray
      samara phy record plain --message hello --no-encrypt
    """
    if (message is None) == (source is None):
        wrong = "give either --message TEXT or -i FILE"
        raise MisuseError(wrong)
    how = composing.Composition(
        modulation=find_modulation(modulation).name,
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
        wrong = f"{source} has more than {_MOST_BYTES} bytes"
        raise MisuseError(wrong)
    return content


def _refuse_existing(name: Path) -> None:
    # Before a key is written that nothing would be under.
    for path in recordings.paths(name):
        if path.exists():
            wrong = f"{path} exists: give another name, or remove it"
            raise MisuseError(wrong)


def _key(text: str | None, counter: int | None, name: Path) -> bytes:
    suite = crypto.suite("grain128ple")
    if text is not None:
        if counter is None:
            wrong = "with --key, say by --counter which one is the first unused"
            raise MisuseError(wrong)
        return inputs.key_of(text, suite)
    drawn = secrets.token_bytes(suite.key_size)
    path = recordings.paths(name)[0].with_suffix(".key")
    files.write_secret(path, (drawn.hex() + "\n").encode("ascii"), force=False)
    say(f"wrote a new key to {path}")
    return drawn
